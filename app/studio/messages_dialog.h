// SPDX-License-Identifier: Apache-2.0
// All that the program said since its start, errors first in sight, with the details a report of a fault needs, to
// copy. Stays open beside the window; refresh() takes over what was said since. GUI thread.
#pragma once

#include "ui/workbench/workbench.h"

#include <QDialog>

class QPlainTextEdit;
class QTreeWidget;

namespace sepx::app {

class MessagesDialog final : public QDialog {
  Q_OBJECT

 public:
  /// `about`: version, device and system, put under what is copied.
  MessagesDialog(const ui::Workbench& workbench, QString about, QWidget* parent = nullptr);

  void refresh();
  /// The chosen messages, or all of them, with `about`.
  QString details() const;

 private:
  const ui::Workbench& workbench_;
  QString about_;
  QTreeWidget* list_ = nullptr;
  QPlainTextEdit* whole_ = nullptr;  ///< the chosen one with line breaks
};

}  // namespace sepx::app
