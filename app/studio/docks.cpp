// SPDX-License-Identifier: Apache-2.0
// The docks (library, inspector, jobs) and the status bar. In a narrow window the docks are hidden to leave room for
// the picture, and the status bar says how to show them. The layout is stored from one run to the next.
#include "app/studio/inspector.h"
#include "app/studio/jobs_panel.h"
#include "app/studio/library.h"
#include "app/studio/main_window.h"
#include "app/studio/text.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QResizeEvent>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kLibraryWidth = 190, kInspectorWidth = 350;     // points, minimum
constexpr double kLibraryShare = 0.15, kLibraryGrowth = 1.6;  // of the window; largest multiple of the minimum width
constexpr int kRoomForPicture = 560;                          // minimum width beside the docks, points at any zoom
constexpr int kRoomForPlace = 700;                            // minimum width to show the right part of the status bar
constexpr std::size_t kLibrary = 0, kInspector = 1, kJobs = 2;
constexpr const char* kWindowKey = "studio.window";
constexpr int kLayoutVersion = 1;  // of the data of saveState(): docks and tool bars by name

QLabel* statusLabel() {
  auto* label = new QLabel;
  label->setContentsMargins(8, 0, 8, 0);
  return label;
}

/// The inspector below its search field.
QWidget* withSearch(Inspector& inspector) {
  constexpr int kAround = 8;  // points
  auto* whole = new QWidget;
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(0, kAround, 0, 0);
  column->setSpacing(0);
  auto* across = new QHBoxLayout;
  across->setContentsMargins(kAround, 0, kAround, 0);
  across->addWidget(inspector.searchField());
  column->addLayout(across);
  column->addWidget(&inspector, 1);
  return whole;
}

}  // namespace

void MainWindow::addStatusBar() {
  status_ = statusLabel();
  folded_ = statusLabel();
  place_ = statusLabel();
  place_->setProperty("role", "name");
  // The label may be narrower than its text: a long status line must not widen the window.
  status_->setMinimumWidth(1);
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  running_ = new QToolButton;
  running_->setObjectName(QStringLiteral("status.running"));
  running_->setAutoRaise(true);
  running_->setVisible(false);
  // As high as the bar: if the bar became higher when work begins, the picture would move under the pointer.
  running_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  connect(running_, &QToolButton::clicked, this, [this] { showDock(folds_[kJobs].dock); });
  statusBar()->addWidget(status_, 1);
  statusBar()->addPermanentWidget(running_);
  statusBar()->addPermanentWidget(folded_);
  statusBar()->addPermanentWidget(place_);
  statusBar()->setSizeGripEnabled(false);
}

void MainWindow::nameBars() {
  status_->setAccessibleName(text(N_("Status")));
  folded_->setAccessibleName(text(N_("Hidden panels")));
  place_->setAccessibleName(text(N_("Current document and graphics device")));
  running_->setToolTip(text(N_("Show the jobs")));
  running_->setAccessibleDescription(text(N_("Shows the list of jobs")));
  tools_->setWindowTitle(text(N_("Tool bar")));
  tools_->setAccessibleName(tools_->windowTitle());
  banner_->setWindowTitle(text(N_("Notice")));
  bannerText_->setAccessibleName(banner_->windowTitle());
  bannerSave_->setText(text(N_("Save as…")));
}

QDockWidget* MainWindow::addDock(const char* name, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(this);
  dock->setObjectName(QString::fromLatin1(name));
  dock->setAcceptDrops(true);  // files can be dropped on a floating panel too
  dock->installEventFilter(this);
  addDockWidget(area, dock);
  // Triggered by the user only, not by setVisible().
  connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool on) { wantDock(dock, on); });
  return dock;
}

void MainWindow::fillDock(QDockWidget* dock, const char* title, QWidget* content) {
  dock->setWindowTitle(text(title));
  dock->setAccessibleName(text(title));
  dock->setWidget(content);
  // The buttons in Qt's title bars have only icons, so they need names.
  for (auto* button : dock->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly)) {
    const bool close = button->objectName() == QLatin1String("qt_dockwidget_closebutton");
    button->setAccessibleName(text(close ? N_("Close %1") : N_("Float or dock %1")).arg(dock->windowTitle()));
  }
}

void MainWindow::fillDocks() {
  library_ = new Library(session_.workbench());
  inspector_ = new Inspector(session_.workbench());
  jobs_ = new JobsPanel(session_.workbench());
  fillDock(folds_[kLibrary].dock, N_("Library"), library_);
  fillDock(folds_[kInspector].dock, N_("Inspector"), withSearch(*inspector_));
  fillDock(folds_[kJobs].dock, N_("Jobs"), jobs_);
  connect(library_, &Library::chosen, this, [this](const QString& path) { openFiles({path}); });
  connect(library_, &Library::runChosen, this, [this](const QString& folder) { showRun(folder.toStdString()); });
  connect(library_, &Library::allRunsRequested, this, [this] { goTo(ui::showRunLibrary()); });
  connect(library_, &Library::edited, this, &MainWindow::wake);
  connect(inspector_, &Inspector::edited, this, &MainWindow::wake);
  connect(inspector_, &Inspector::explainRequested, this, &MainWindow::explain);
  connect(jobs_, &JobsPanel::edited, this, &MainWindow::wake);
}

void MainWindow::addDocks() {
  folds_[kLibrary] = {addDock("library", Qt::LeftDockWidgetArea), kLibraryWidth + kInspectorWidth};
  folds_[kInspector] = {addDock("inspector", Qt::RightDockWidgetArea), kInspectorWidth};
  folds_[kJobs] = {addDock("jobs", Qt::LeftDockWidgetArea), 0, false};
  fillDocks();
  folds_[kJobs].dock->hide();
  connect(folds_[kInspector].dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) inspector_->refresh();
  });
  connect(folds_[kJobs].dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) jobs_->refresh();
  });
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // After Escape, the menu bar keeps the keyboard focus, because the picture is not a widget that had the focus before.
  if (watched == menuBar() && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    const auto back = [this] {
      if (!menuBar()->activeAction()) goToPicture();
    };
    QMetaObject::invokeMethod(this, back, Qt::QueuedConnection);
  }
  if (event->type() == QEvent::Close) {
    for (const Fold& fold : folds_)
      if (watched == fold.dock) wantDock(fold.dock, false);
  } else if (event->type() == QEvent::DragEnter) {
    dragEnterEvent(static_cast<QDragEnterEvent*>(event));
    return event->isAccepted();
  } else if (event->type() == QEvent::Drop) {
    dropEvent(static_cast<QDropEvent*>(event));
    return true;
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::wantDock(QDockWidget* dock, bool wanted) {
  for (Fold& fold : folds_) {
    if (fold.dock != dock) continue;
    fold.wanted = wanted;
    fold.forcedOpen = wanted && !hasRoom(fold);
  }
  fitDocks();
}

void MainWindow::showDock(QDockWidget* dock) {
  wantDock(dock, true);
  dock->raise();  // it may be behind another tab
}

double MainWindow::typeFactor() const {
  return typeSize_ > 0 ? QApplication::font().pointSizeF() / typeSize_ : 1.0;
}

bool MainWindow::hasRoom(const Fold& fold) const {
  return fold.docks == 0 || width() >= fold.docks * typeFactor() + kRoomForPicture;
}

void MainWindow::fitDocks() {
  const double type = typeFactor();
  bool shown = false;
  QStringList folded;
  for (Fold& fold : folds_) {
    const bool room = hasRoom(fold);
    if (room) fold.forcedOpen = false;
    const bool fits = room || fold.forcedOpen || fold.dock->isFloating();
    if (chrome_ && fold.wanted && !fits) folded << fold.dock->windowTitle();
    const bool show = chrome_ && fold.wanted && fits;
    if (show != fold.dock->isHidden()) continue;
    fold.dock->setVisible(show);
    shown = shown || show;
  }
  if (!arranged_) fitWidths(shown);
  folded_->setText(folded.isEmpty() ? QString()
                                    : text(N_("Hidden: %1 (Window menu)")).arg(folded.join(QStringLiteral(", "))));
  folded_->setVisible(!folded.isEmpty());
  place_->setVisible(width() >= kRoomForPlace * type);
}

void MainWindow::fitWidths(bool anew) {
  const double type = typeFactor(), least = kLibraryWidth * type;
  const int library = int(std::clamp(kLibraryShare * width(), least, kLibraryGrowth * least));
  QDockWidget* const dock = folds_[kLibrary].dock;
  const bool untouched = dock->isVisible() && dock->width() == libraryWidth_;
  if (anew)
    resizeDocks({dock, folds_[kInspector].dock}, {library, int(kInspectorWidth * type)}, Qt::Horizontal);
  else if (untouched && library != libraryWidth_)
    resizeDocks({dock}, {library}, Qt::Horizontal);
  else
    return;
  layout()->activate();  // at once, because Qt discards the widths if another event comes first
  libraryWidth_ = dock->width();
}

void MainWindow::keepLayout() {
  if (!chrome_ || panelInPicture_ || session_.simulated()) return;
  QJsonObject wanted;
  for (const Fold& fold : folds_)
    wanted[fold.dock->objectName()] = fold.wanted;
  const QJsonObject kept{{QStringLiteral("version"), kLayoutVersion},
                         {QStringLiteral("geometry"), QString::fromLatin1(saveGeometry().toBase64())},
                         {QStringLiteral("state"), QString::fromLatin1(saveState(kLayoutVersion).toBase64())},
                         {QStringLiteral("wanted"), wanted}};
  // If the settings cannot be written, a message was shown at the start; a closing window can show none.
  session_.settings().keep(kWindowKey, QJsonDocument(kept).toJson(QJsonDocument::Compact).toStdString());
}

void MainWindow::recallLayout() {
  const QJsonObject kept =
      QJsonDocument::fromJson(QByteArray::fromStdString(session_.settings().kept(kWindowKey))).object();
  if (kept.value(QStringLiteral("version")).toInt() != kLayoutVersion) return;
  const auto bytes = [&](const char* name) {
    return QByteArray::fromBase64(kept.value(QLatin1String(name)).toString().toLatin1());
  };
  if (!restoreState(bytes("state"), kLayoutVersion)) return;
  restoreGeometry(bytes("geometry"));
  arranged_ = true;
  const QJsonObject wanted = kept.value(QStringLiteral("wanted")).toObject();
  for (Fold& fold : folds_)
    fold.wanted = wanted.value(fold.dock->objectName()).toBool(fold.wanted);
  banner_->setVisible(false);
  fitDocks();
}

void MainWindow::resetLayout() {
  const std::array<Qt::DockWidgetArea, 3> areas{Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea,
                                                Qt::LeftDockWidgetArea};
  for (std::size_t i = 0; i < folds_.size(); ++i) {
    Fold& fold = folds_[i];
    fold.dock->setFloating(false);
    fold.dock->hide();
    addDockWidget(areas[i], fold.dock);
    fold.wanted = i != kJobs;
    fold.forcedOpen = false;
  }
  addToolBar(Qt::TopToolBarArea, tools_);
  tools_->show();
  arranged_ = false;
  fitDocks();
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
  if (!shown) toolsWanted_ = !tools_->isHidden();
  tools_->setVisible(shown && toolsWanted_);
  refreshBanner();
  fitDocks();
}

void MainWindow::refreshStatus() {
  QString line = QString::fromStdString(session_.workbench().statusLine());
  if (line.isEmpty()) line = text(N_("Ready"));
  // A text that does not fit ends in an ellipsis; its tool tip and its description for screen readers have all of it.
  const QString shown = status_->fontMetrics().elidedText(line, Qt::ElideRight, status_->contentsRect().width());
  if (status_->text() != shown) status_->setText(shown);
  const QString whole = shown == line ? QString() : line;
  if (status_->toolTip() != whole) {
    status_->setToolTip(whole);
    status_->setAccessibleDescription(whole);
  }
  const QString running = QString::fromStdString(session_.workbench().runningLine());
  if (running_->text() != running) running_->setText(running);
  if (running_->isHidden() != running.isEmpty()) running_->setVisible(!running.isEmpty());
  const QString device = QString::fromStdString(session_.deviceName());
  const QString place = device.isEmpty() ? openName() : openName() + QStringLiteral(" · ") + device;
  if (place_->text() != place) place_->setText(place);
}

}  // namespace sepx::app
