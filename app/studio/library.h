// SPDX-License-Identifier: Apache-2.0
// The list of what can be opened without looking for a file: the lessons that ship with the program, and the recent
// files. GUI thread.
#pragma once

#include <vector>

#include "app/studio/plain_list.h"
#include "ui/workbench/settings.h"

namespace sepx::app {

class Library final : public PlainList {
  Q_OBJECT

 public:
  explicit Library(QWidget* parent = nullptr);

  void setRecent(const std::vector<ui::RecentFile>& files);
  QSize sizeHint() const override;

 signals:
  void chosen(const QString& path);

 private:
  void activate(QTreeWidgetItem* item);
  QTreeWidgetItem* addGroup(const char* title);

  QTreeWidgetItem* recent_ = nullptr;
};

}  // namespace sepx::app
