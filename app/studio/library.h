// SPDX-License-Identifier: Apache-2.0
// The list of what can be opened without looking for a file: the lessons that ship with the program. GUI thread.
#pragma once

#include "app/studio/plain_list.h"

namespace sepx::app {

class Library final : public PlainList {
  Q_OBJECT

 public:
  explicit Library(QWidget* parent = nullptr);

  QSize sizeHint() const override;

 signals:
  void chosen(const QString& path);

 private:
  void activate(QTreeWidgetItem* item);
};

}  // namespace sepx::app
