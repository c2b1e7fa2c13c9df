// SPDX-License-Identifier: Apache-2.0
// Library, inspector and status bar. In a narrow window the docks give way to the picture, and the status bar says how
// they come back.
#include "app/studio/inspector.h"
#include "app/studio/library.h"
#include "app/studio/main_window.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QResizeEvent>
#include <QStatusBar>

namespace sepx::app {

namespace {

constexpr int kLibraryWidth = 190, kInspectorWidth = 350;       // points
constexpr int kRoomForLibrary = 1100, kRoomForInspector = 900;  // of the window, points
constexpr int kRoomForPlace = 700;                              // for the right part of the status bar
constexpr std::size_t kLibrary = 0, kInspector = 1;

QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}

QLabel* statusLabel(const char* name) {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setContentsMargins(8, 0, 8, 0);
  label->setAccessibleName(text(name));
  return label;
}

}  // namespace

void MainWindow::addStatusBar() {
  status_ = statusLabel(N_("Status"));
  folded_ = statusLabel(N_("Folded panels"));
  place_ = statusLabel(N_("What is open, and the device"));
  place_->setProperty("role", "name");
  // The label may be narrower than its text: a long status line must not widen the window.
  status_->setMinimumWidth(1);
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  statusBar()->addWidget(status_, 1);
  statusBar()->addPermanentWidget(folded_);
  statusBar()->addPermanentWidget(place_);
  statusBar()->setSizeGripEnabled(false);
}

void MainWindow::addDocks() {
  library_ = new Library;
  inspector_ = new Inspector(session_.workbench());
  const auto addDock = [this](const char* title, const char* name, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(text(title), this);
    dock->setObjectName(QString::fromLatin1(name));
    dock->setWidget(content);
    dock->installEventFilter(this);
    addDockWidget(area, dock);
    // The person's click; setVisible() does not trigger.
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool on) { wantDock(dock, on); });
    return dock;
  };
  folds_[kLibrary] = {addDock(N_("Library"), "library", library_, Qt::LeftDockWidgetArea), kRoomForLibrary};
  folds_[kInspector] = {addDock(N_("Inspector"), "inspector", inspector_, Qt::RightDockWidgetArea), kRoomForInspector};
  connect(library_, &Library::chosen, this, &MainWindow::openAsked);
  connect(inspector_, &Inspector::edited, this, &MainWindow::wake);
  connect(folds_[kInspector].dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) inspector_->refresh();
  });
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Close) {
    for (const Fold& fold : folds_)
      if (watched == fold.dock) wantDock(fold.dock, false);
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::wantDock(QDockWidget* dock, bool wanted) {
  for (Fold& fold : folds_) {
    if (fold.dock != dock) continue;
    fold.wanted = wanted;
    fold.insisted = wanted && width() < fold.room;
  }
  fitDocks();
}

void MainWindow::fitDocks() {
  bool shown = false;
  QStringList folded;
  for (Fold& fold : folds_) {
    const bool room = width() >= fold.room;
    if (room) fold.insisted = false;
    const bool fits = room || fold.insisted || fold.dock->isFloating();
    if (chrome_ && fold.wanted && !fits) folded << fold.dock->windowTitle();
    const bool show = chrome_ && fold.wanted && fits;
    if (show != fold.dock->isHidden()) continue;
    fold.dock->setVisible(show);
    shown = shown || show;
  }
  if (shown) {
    resizeDocks({folds_[kLibrary].dock, folds_[kInspector].dock}, {kLibraryWidth, kInspectorWidth}, Qt::Horizontal);
  }
  folded_->setText(folded.isEmpty() ? QString()
                                    : text(N_("Folded: %1 (View menu)")).arg(folded.join(QStringLiteral(", "))));
  folded_->setVisible(!folded.isEmpty());
  place_->setVisible(width() >= kRoomForPlace);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fitDocks();
}

void MainWindow::showPanelInPicture() {
  panelInPicture_ = true;
  wantDock(folds_[kInspector].dock, false);
  if (viewport_) viewport_->setInspectorShown(false);
}

void MainWindow::setChromeShown(bool shown) {
  if (shown == chrome_) return;
  chrome_ = shown;
  menuBar()->setVisible(shown);
  statusBar()->setVisible(shown);
  fitDocks();
}

void MainWindow::refreshStatus() {
  QString line = QString::fromStdString(session_.workbench().statusLine());
  if (line.isEmpty()) line = text(N_("Ready"));
  if (status_->text() != line) status_->setText(line);
  const QString device = QString::fromStdString(session_.deviceName());
  const QString place = device.isEmpty() ? openName() : openName() + QStringLiteral(" · ") + device;
  if (place_->text() != place) place_->setText(place);
}

}  // namespace sepx::app
