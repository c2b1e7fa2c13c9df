// SPDX-License-Identifier: Apache-2.0
// All messages since the program started, latest first, with a button that copies them with the details for a bug
// report. Stays open beside the window; refresh() adds the messages since. GUI thread.
#pragma once

#include "ui/workbench/workbench.h"

#include <QDialog>

class QPlainTextEdit;
class QTreeWidget;

namespace sepx::app {

class MessagesDialog final : public QDialog {
  Q_OBJECT

 public:
  /// `about`: version, device and system, appended to what is copied.
  MessagesDialog(const ui::Workbench& workbench, QString about, QWidget* parent = nullptr);

  void refresh();
  /// The selected messages if there are several, else all of them, with `about`.
  QString details() const;

 private:
  const ui::Workbench& workbench_;
  QString about_;
  QTreeWidget* list_ = nullptr;
  QPlainTextEdit* whole_ = nullptr;  ///< the selected message with line breaks
};

}  // namespace sepx::app
