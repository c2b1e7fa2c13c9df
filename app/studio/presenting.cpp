// SPDX-License-Identifier: Apache-2.0
// See presenting.h.
#include "app/studio/presenting.h"

#include "app/studio/text.h"
#include "app/studio/text_field.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMainWindow>
#include <QScreen>

namespace sepx::app {

namespace {

std::string stageProgram() {
  return (QCoreApplication::applicationDirPath() + QStringLiteral("/separatrix-stage")).toStdString();
}

/// The stage is an X client: under Wayland, XWayland may have another name for the same screen, so its position is
/// used.
QString nameFor(const QScreen& screen) {
  if (QGuiApplication::platformName() == QLatin1String("xcb")) return screen.name();
  const QPoint at = screen.geometry().topLeft();
  return QStringLiteral("%1%2%3%4").arg(at.x() < 0 ? "" : "+").arg(at.x()).arg(at.y() < 0 ? "" : "+").arg(at.y());
}

/// The command for a key of a presenter's remote; null: the key is none, or belongs to a menu or to a text being
/// edited.
const char* remoteCommand(const QKeyEvent& event, const QObject& receiver, bool lesson) {
  if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier || QApplication::activePopupWidget()) return nullptr;
  if (!lesson && !receiver.isWidgetType()) return nullptr;  // a page may use it
  if (event.key() == Qt::Key_PageDown) return "lesson.next";
  if (event.key() == Qt::Key_PageUp) return "lesson.previous";
  // The picture itself knows whether it edits text.
  const bool blanks = event.key() == Qt::Key_B || event.key() == Qt::Key_Period;
  return blanks && receiver.isWidgetType() && !isTextField(QApplication::focusWidget()) ? "present.blank" : nullptr;
}

}  // namespace

Presenting::Presenting(QMainWindow& window, WindowSession& session, QDockWidget& beside)
    : window_(window),
      session_(session),
      adjacentDock_(beside),
      stage_(session.workbench(), stageProgram(), [this] { emit waker_.woken(); }) {
  connect(&waker_, &Waker::woken, this, &Presenting::edited);
  connect(&seconds_, &QTimer::timeout, this, [this] {
    stage_.poll();
    // A stage that could not be opened has ended the presentation by itself.
    if (!stage_.active()) qApp->removeEventFilter(this);
    if (!stage_.active() && !stage_.processLives()) seconds_.stop();
    if (stage_.active() && panel_) panel_->refresh();
  });
  session_.setUpdated([this](std::int64_t begun) { stage_.update(begun); });
}

Presenting::~Presenting() {
  session_.setUpdated({});
}

bool Presenting::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || !stage_.active()) return false;
  const char* const command =
      remoteCommand(*static_cast<QKeyEvent*>(event), *watched, session_.workbench().lesson() != nullptr);
  if (!command) return false;
  static_cast<void>(session_.workbench().run(command));  // at the end of a lesson there is no next step
  emit edited();
  return true;
}

QString Presenting::otherScreen() const {
  const QScreen* const own = window_.screen();
  for (const QScreen* screen : QGuiApplication::screens())
    if (screen != own && screen->geometry() != own->geometry()) return nameFor(*screen);
  return {};
}

void Presenting::start() {
  stage_.start(otherScreen().toStdString());
  if (!stage_.active()) return emit edited();
  if (!dock_) {
    dock_ = new QDockWidget(&window_);
    dock_->setObjectName(QStringLiteral("presenter"));
    makePanel();
    window_.addDockWidget(Qt::RightDockWidgetArea, dock_);
    window_.tabifyDockWidget(&adjacentDock_, dock_);
  }
  if (!dock_->isVisible()) panel_->startTimer();
  dock_->show();
  dock_->raise();
  seconds_.start(1000);
  qApp->installEventFilter(this);
  panel_->refresh();
  emit edited();
}

void Presenting::makePanel() {
  PresenterPanel* const old = panel_;
  panel_ = new PresenterPanel(session_.workbench(), stage_);
  if (old) panel_->keepTimer(*old);
  connect(panel_, &PresenterPanel::edited, this, &Presenting::edited);
  dock_->setWidget(panel_);
  if (old) old->deleteLater();
  dock_->setWindowTitle(text(N_("Presenter")));
  dock_->setAccessibleName(dock_->windowTitle());
}

void Presenting::followLanguage() {
  if (!dock_) return;
  makePanel();
  panel_->refresh();
}

void Presenting::end() {
  stage_.end();
  qApp->removeEventFilter(this);
  if (dock_) dock_->hide();
  emit edited();
}

void Presenting::refresh() {
  stage_.poll();
  if (panel_ && dock_->isVisible()) panel_->followFrame();
}

}  // namespace sepx::app
