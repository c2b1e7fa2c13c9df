// SPDX-License-Identifier: Apache-2.0
// What windows left that ended by a fault, or that the system closed: each with its name and time, to take over, keep
// for later or throw away. GUI thread.
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

  /// The one to take over, once accepted.
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
