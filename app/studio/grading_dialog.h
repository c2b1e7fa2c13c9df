// SPDX-License-Identifier: Apache-2.0
// Grades the homework of a class. `sepx grade` runs as a separate process, so that the window never waits, and a state
// that a stranger wrote is not opened in this program. Shows the errors of each student and how many have each question
// right, and opens that distribution, without names, as a lesson for the audience. Stays open beside the window. GUI
// thread.
#pragma once

#include <QByteArray>
#include <QDialog>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

class QJsonObject;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace sepx::app {

class GradingDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit GradingDialog(QWidget* parent = nullptr);
  ~GradingDialog() override;

  /// Grades the answers in the folder and replaces the previous results. `lesson`: the homework; empty: the one in the
  /// folder.
  void grade(const QString& folder, const QString& lesson = {});
  bool grading() const { return process_.state() != QProcess::NotRunning; }

 signals:
  /// Opens the distribution, a lesson in a private folder that exists as long as this dialog.
  void opens(const QString& path);

 protected:
  void reject() override;

 private:
  void build();
  void chooseLesson();
  void takeProgress();
  void takeEnd();
  void fill(const QJsonObject& graded);
  void say(const QString& sentence);
  QPushButton* button(const char* name, const char* label, const char* help);

  QString folder_, lesson_;
  QProcess process_;
  QTimer patience_;         ///< runs while a cancelled program ends
  QTemporaryDir private_;   ///< folder of the distribution
  QByteArray errorOutput_;  ///< standard error, without the lines of progress
  bool cancelled_ = false;
  QLabel* state_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QTableWidget* questions_ = nullptr;
  QTableWidget* students_ = nullptr;
  QPushButton* distribution_ = nullptr;
  QPushButton* close_ = nullptr;
};

}  // namespace sepx::app
