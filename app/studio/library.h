// SPDX-License-Identifier: Apache-2.0
// The list of what can be opened without looking for a file: the newest training runs, the lessons and models that ship
// with the program, the layers of the model that is open, and the recent files. A row is one line with an icon of its
// kind; what has no room ends in "…" and stands whole in the tool tip. GUI thread.
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

  /// Takes over the model that is open.
  void refresh();
  void setRecent(const std::vector<ui::RecentFile>& files);
  QSize sizeHint() const override;

 signals:
  void chosen(const QString& path);
  /// A training run, by its folder.
  void runChosen(const QString& folder);
  void allRunsAsked();
  /// The document was changed: the picture has to follow.
  void edited();

 private:
  void activate(QTreeWidgetItem* item);
  QTreeWidgetItem* addGroup(const char* title);

  /// Those that ship and those of the user's folder, anew.
  void listLessons();
  void addModels();
  void refreshRuns();
  void hideOpenModel();
  void markPlaying();
  std::string openModelFile() const;

  ui::Workbench& workbench_;
  QTreeWidgetItem *runs_ = nullptr, *lessons_ = nullptr, *models_ = nullptr, *recent_ = nullptr;
  QElapsedTimer looked_;                  ///< since the folders of runs and of lessons were looked at
  QDateTime lessonsChanged_;              ///< the user's folder of lessons, when it was listed
  QDateTime runsChanged_;                 ///< the runs folder, when it was listed
  QDate runsDay_;                         ///< on which it was
  std::optional<std::string> playing_;    ///< title of the lesson that is marked; empty: none; nothing: not yet
  std::optional<std::string> openModel_;  ///< the file whose other rows are hidden; empty: of none; nothing: not yet
  ModelRows* model_ = nullptr;            ///< child object
};

}  // namespace sepx::app
