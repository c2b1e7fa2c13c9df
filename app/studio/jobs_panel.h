// SPDX-License-Identifier: Apache-2.0
// Lists the running jobs, each with its progress, the remaining time and a button that cancels it. Shows
// Workbench::jobs() and stores nothing itself. GUI thread.
#pragma once

#include <map>
#include <string>

#include "ui/workbench/workbench.h"

#include <QScrollArea>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace sepx::app {

class JobsPanel final : public QScrollArea {
  Q_OBJECT

 public:
  explicit JobsPanel(ui::Workbench& workbench, QWidget* parent = nullptr);

  void refresh();
  /// "12 s left", "3 min 5 s left".
  static QString timeLeft(double seconds);

  QSize sizeHint() const override;

 signals:
  /// A job was cancelled here, so a new picture is due.
  void edited();

 private:
  struct Row {
    QWidget* box = nullptr;
    QLabel* name = nullptr;
    QLabel* state = nullptr;
    QProgressBar* bar = nullptr;
    QPushButton* cancel = nullptr;
  };
  Row& row(const std::string& lane);
  void show(Row& row, const JobStatus& job);

  ui::Workbench& workbench_;
  QVBoxLayout* column_ = nullptr;
  QLabel* none_ = nullptr;
  QPushButton* all_ = nullptr;
  std::map<std::string, Row> rows_;
};

}  // namespace sepx::app
