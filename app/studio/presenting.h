// SPDX-License-Identifier: Apache-2.0
// The presentation in the studio's window: F5 opens the stage on the other screen and the lecturer's panel beside the
// inspector, Shift+F5 closes both. While a stage is open the keys of a presenter's remote reach it whichever widget of
// the program has the keyboard. GUI thread.
#pragma once

#include "app/presentation/stage_control.h"
#include "app/studio/presenter_panel.h"
#include "app/studio/waker.h"
#include "app/window_session.h"

#include <QObject>
#include <QTimer>

class QDockWidget;
class QMainWindow;

namespace sepx::app {

class Presenting final : public QObject {
  Q_OBJECT

 public:
  /// `beside`: the dock that the panel shares its place with. All outlive this.
  Presenting(QMainWindow& window, WindowSession& session, QDockWidget& beside);
  ~Presenting() override;

  /// The screen that the stage opens on, as its --monitor takes it: one that the window is not on; empty: there is
  /// none.
  QString otherScreen() const;
  void start();
  void end();
  /// After every frame.
  void refresh();
  /// The panel's words anew.
  void followLanguage();
  StageControl& stage() { return stage_; }
  PresenterPanel* panel() { return panel_; }
  /// Of the application: PageUp and PageDown, and b and the full stop where no text is edited.
  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  /// A frame is due.
  void edited();

 private:
  void makePanel();

  QMainWindow& window_;
  WindowSession& session_;
  QDockWidget& beside_;
  Waker waker_;
  StageControl stage_;
  QDockWidget* dock_ = nullptr;
  PresenterPanel* panel_ = nullptr;
  QTimer seconds_;
};

}  // namespace sepx::app
