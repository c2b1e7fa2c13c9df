// SPDX-License-Identifier: Apache-2.0
// The panel that only the lecturer sees while the stage is open: the step that is shown, the next one, the notes, clock
// and timer, all steps, and the buttons that control the stage. Shows the workbench's state and stores only the timer's
// start. GUI thread.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/presentation/stage_control.h"
#include "app/studio/step_pictures.h"
#include "ui/document/lesson.h"

#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QListWidget;
class QTextBrowser;
class QToolButton;

namespace sepx::app {

class PresenterPanel final : public QWidget {
  Q_OBJECT

 public:
  PresenterPanel(ui::Workbench& workbench, const StageControl& stage, QWidget* parent = nullptr);

  /// Updates everything: once a second for the clock, and after an action in this panel.
  void refresh();
  /// After a frame: updates the lesson, and the buttons if the state that they show has changed.
  void followFrame();
  /// Restarts the timer. Another lesson restarts it too, so that the time is compared with the plan of that lesson.
  void startTimer();
  /// Continues the time of a panel that this one replaces.
  void keepTimer(const PresenterPanel& other) { timer_ = other.timer_, timedLesson_ = other.timedLesson_; }
  /// Notes of a step as HTML for a text widget.
  static QString notesOf(const std::vector<ui::Block>& notes);

  QSize sizeHint() const override;
  /// The keys of a presentation have the same effect while notes or steps have the keyboard focus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  /// Something was changed here, so a new picture is due.
  void edited();

 private:
  void addButton(QLayout* row, const char* command, const char* words, const char* key);
  void run(const std::string& command);
  /// Updates the lesson. True when another step or lesson is shown.
  bool refreshLesson();
  void refreshPicture();
  void refreshTime();
  void refreshButtons();
  void refreshStage();

  ui::Workbench& workbench_;
  const StageControl& stage_;
  QElapsedTimer timer_;
  std::string timedLesson_;  ///< name of the lesson at the start of the timer; empty: none was open
  QLabel *clock_ = nullptr, *passed_ = nullptr, *now_ = nullptr, *next_ = nullptr, *where_ = nullptr,
         *planned_ = nullptr, *picture_ = nullptr;
  StepPictures pictures_;
  std::vector<double> plan_;  ///< of the lesson: minutes before each step, and at the end
  QTextBrowser* notes_ = nullptr;
  QListWidget* steps_ = nullptr;
  std::vector<std::pair<std::string, QToolButton*>> buttons_;
  std::array<bool, 5> stateShown_{};  ///< state of the presenter that the buttons show
  std::string lessonShown_;
  const void* stepsShown_ = nullptr;  ///< address of the steps; it differs for a lesson that is opened again
  std::size_t stepShown_ = 0;
  qint64 pictureShown_ = 0;  ///< QPixmap::cacheKey
};

}  // namespace sepx::app
