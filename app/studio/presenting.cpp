// SPDX-License-Identifier: Apache-2.0
// See presenting.h.
#include "app/studio/presenting.h"

#include "app/studio/text.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>

namespace sepx::app {

namespace {

std::string stageProgram() {
  return (QCoreApplication::applicationDirPath() + QStringLiteral("/separatrix-stage")).toStdString();
}

}  // namespace

Presenting::Presenting(QMainWindow& window, WindowSession& session, QDockWidget& beside)
    : window_(window),
      session_(session),
      beside_(beside),
      stage_(session.workbench(), stageProgram(), [this] { emit waker_.woken(); }) {
  connect(&waker_, &Waker::woken, this, &Presenting::edited);
  connect(&seconds_, &QTimer::timeout, this, [this] {
    stage_.poll();
    if (!stage_.active() && !stage_.processLives()) seconds_.stop();
    if (stage_.active() && panel_) panel_->refresh();
  });
  session_.setUpdated([this](std::int64_t begun) { stage_.update(begun); });
}

Presenting::~Presenting() {
  session_.setUpdated({});
}

QString Presenting::otherScreen() const {
  const QScreen* const own = window_.screen();
  for (const QScreen* screen : QGuiApplication::screens())
    if (screen != own && screen->geometry() != own->geometry()) return screen->name();
  return {};
}

void Presenting::start() {
  stage_.start(otherScreen().toStdString());
  if (!stage_.active()) return emit edited();
  if (!dock_) {
    dock_ = new QDockWidget(&window_);
    dock_->setObjectName(QStringLiteral("presenter"));
    panel_ = new PresenterPanel(session_.workbench(), stage_);
    connect(panel_, &PresenterPanel::edited, this, &Presenting::edited);
    dock_->setWidget(panel_);
    window_.addDockWidget(Qt::RightDockWidgetArea, dock_);
    window_.tabifyDockWidget(&beside_, dock_);
  }
  dock_->setWindowTitle(text(N_("Presenter")));
  dock_->setAccessibleName(dock_->windowTitle());
  if (!dock_->isVisible()) panel_->startTimer();
  dock_->show();
  dock_->raise();
  seconds_.start(1000);
  panel_->refresh();
  emit edited();
}

void Presenting::end() {
  stage_.end();
  if (dock_) dock_->hide();
  emit edited();
}

void Presenting::refresh() {
  stage_.poll();
  if (panel_ && dock_->isVisible()) panel_->refresh();
}

}  // namespace sepx::app
