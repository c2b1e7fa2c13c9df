// SPDX-License-Identifier: Apache-2.0
// The list of what can be opened without looking for a file: the lessons and models that ship with the program, the
// layers of the model that is open, and the recent files. GUI thread.
#pragma once

#include <vector>

#include "app/studio/model_rows.h"
#include "app/studio/plain_list.h"
#include "ui/workbench/settings.h"

namespace sepx::app {

class Library final : public PlainList {
  Q_OBJECT

 public:
  explicit Library(ui::Workbench& workbench, QWidget* parent = nullptr);

  /// Takes over the model that is open.
  void refresh() { model_->refresh(); }
  void setRecent(const std::vector<ui::RecentFile>& files);
  QSize sizeHint() const override;

 signals:
  void chosen(const QString& path);
  /// The document was changed: the picture has to follow.
  void edited();

 private:
  void activate(QTreeWidgetItem* item);
  QTreeWidgetItem* addGroup(const char* title);

  void addModels(ui::Workbench& workbench);

  QTreeWidgetItem* recent_ = nullptr;
  ModelRows* model_ = nullptr;  ///< child object
};

}  // namespace sepx::app
