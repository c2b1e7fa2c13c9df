// SPDX-License-Identifier: Apache-2.0
// The list of what can be opened without a file dialog: the newest training runs, the lessons and models that ship with
// the program, the layers of the open model, and the recent files. A row is one line with an icon of its kind; text
// that does not fit ends in "…", and the tool tip has all of it. GUI thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/studio/model_rows.h"
#include "app/studio/plain_list.h"
#include "ui/workbench/settings.h"

#include <QDateTime>
#include <QElapsedTimer>

namespace sepx::app {

class Library final : public PlainList {
  Q_OBJECT

 public:
  explicit Library(ui::Workbench& workbench, QWidget* parent = nullptr);

  /// Updates the list to the open model, the lesson that plays, and the folders of runs and lessons.
  void refresh();
  void setRecent(const std::vector<ui::RecentFile>& files);
  QSize sizeHint() const override;

 signals:
  void chosen(const QString& path);
  /// A training run, by its folder.
  void runChosen(const QString& folder);
  void allRunsRequested();
  /// The document was changed, so a new picture is due.
  void edited();

 private:
  void activate(QTreeWidgetItem* item);
  QTreeWidgetItem* addGroup(const char* title);

  /// Lists the lessons that ship with the program and those of the user's folder again.
  void listLessons();
  void addModels();
  void refreshRuns();
  void hideOpenModel();
  void markPlaying();
  std::string openModelFile() const;

  ui::Workbench& workbench_;
  QTreeWidgetItem *runs_ = nullptr, *lessons_ = nullptr, *models_ = nullptr, *recent_ = nullptr;
  QElapsedTimer lastCheck_;               ///< since the folders of runs and of lessons were checked
  QDateTime lessonsChanged_;              ///< time of the user's folder of lessons, when it was listed
  QDateTime runsChanged_;                 ///< time of the runs folder, when it was listed
  QDate runsDay_;                         ///< day on which it was listed
  std::optional<std::string> playing_;    ///< title of the lesson that is marked; empty: none; no value: not marked yet
  std::optional<std::string> openModel_;  ///< the file whose other rows are hidden; empty: none; no value: not yet
  ModelRows* model_ = nullptr;            ///< child object
};

}  // namespace sepx::app
