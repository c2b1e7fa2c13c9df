// SPDX-License-Identifier: Apache-2.0
// The presentation in the studio's window: F5 opens the stage on the other screen and the lecturer's panel beside the
// inspector, Shift+F5 closes both. While a stage is open, the keys of a presenter's remote work whichever widget of the
// program has the keyboard focus. GUI thread.
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
  /// `beside`: the dock with which the panel shares its place as tabs. All arguments must outlive this object.
  Presenting(QMainWindow& window, WindowSession& session, QDockWidget& beside);
  ~Presenting() override;

  /// The screen on which the stage opens, as its --monitor accepts it: one that the window is not on; empty: there is
  /// none.
  QString otherScreen() const;
  void start();
  void end();
  /// Call after every frame.
  void refresh();
  /// Creates the panel again in the new language.
  void followLanguage();
  StageControl& stage() { return stage_; }
  PresenterPanel* panel() { return panel_; }
  /// Filters events of the application: PageUp and PageDown, and B and the full stop where no text is edited.
  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  /// A new picture is due.
  void edited();

 private:
  void makePanel();

  QMainWindow& window_;
  WindowSession& session_;
  QDockWidget& adjacentDock_;
  Waker waker_;
  StageControl stage_;
  QDockWidget* dock_ = nullptr;
  PresenterPanel* panel_ = nullptr;
  QTimer seconds_;
};

}  // namespace sepx::app
