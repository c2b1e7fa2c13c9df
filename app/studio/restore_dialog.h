// SPDX-License-Identifier: Apache-2.0
// Lists the recovery files of windows that crashed or that the system closed, each with its name and time. The user
// restores one, keeps it for later or discards it. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include "app/autosave.h"

#include <QDialog>

class QPushButton;
class QTreeWidget;

namespace sepx::app {

class RestoreDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit RestoreDialog(std::vector<RecoveryFile> recoveryFiles, QWidget* parent = nullptr);

  /// The recovery file to restore, after the dialog was accepted.
  std::optional<RecoveryFile> chosen() const;

 signals:
  void discarded(const sepx::app::RecoveryFile& recovery);

 private:
  void discard();

  std::vector<RecoveryFile> recoveryFiles_;
  QTreeWidget* list_ = nullptr;
  QPushButton* restore_ = nullptr;
};

}  // namespace sepx::app
