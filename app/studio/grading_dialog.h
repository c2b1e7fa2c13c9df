// SPDX-License-Identifier: Apache-2.0
// A class of homework graded: `sepx grade` runs beside the window, so that nothing here waits and a state that a
// stranger wrote is opened in a program of its own. Shows the students with what is wrong, how many have each question
// right, and opens that distribution, without names, as a lesson for the room. Stays open beside the window. GUI
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

  /// Grades what is in the folder, in place of what was there. `lesson`: the homework; empty: the one in the folder.
  void grade(const QString& folder, const QString& lesson = {});
  bool grading() const { return process_.state() != QProcess::NotRunning; }

 signals:
  /// The distribution, a lesson in a private folder that lasts as long as this dialog.
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
  QTimer patience_;        ///< runs while a cancelled program ends
  QTemporaryDir private_;  ///< of the distribution
  QByteArray said_;        ///< on standard error, without the lines of progress
  bool cancelled_ = false;
  QLabel* state_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QTableWidget* questions_ = nullptr;
  QTableWidget* students_ = nullptr;
  QPushButton* distribution_ = nullptr;
  QPushButton* close_ = nullptr;
};

}  // namespace sepx::app
