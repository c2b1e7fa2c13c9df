// SPDX-License-Identifier: Apache-2.0
// See main_window.h. Menus are in menus.cpp, docks and status bar in docks.cpp, files in files.cpp.
#include "app/studio/main_window.h"

#include <algorithm>
#include <chrono>

#include "app/studio/inspector.h"
#include "app/studio/library.h"
#include "app/studio/palette.h"
#include "engine/core/log.h"
#include "ui/canvas/theme.h"
#include "ui/properties/tr.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QScreen>
#include <QStatusBar>

namespace sepx::app {

namespace {

constexpr int kResizePatienceMs = 3000;

QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}

}  // namespace

MainWindow::MainWindow(WindowSession& session) : session_(session) {
  setObjectName(QStringLiteral("separatrix"));
  setAcceptDrops(true);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks);
  addStatusBar();
  addDocks();
  placeViewport();
  buildMenus();
  refresh();
}

MainWindow::~MainWindow() {
  viewport_.reset();
}

void MainWindow::placeViewport() {
  viewport_ = makeViewport(session_);
  viewport_->setInspectorShown(!panelInPicture_);
  setCentralWidget(viewport_->widget());
  connect(viewport_.get(), &Viewport::drawn, this, &MainWindow::refresh);
  // Queued: the viewport must have returned from its frame before it is replaced.
  connect(viewport_.get(), &Viewport::lost, this, &MainWindow::recover, Qt::QueuedConnection);
  connect(viewport_.get(), &Viewport::filesDropped, this, [this](const QStringList& paths) {
    if (!paths.isEmpty()) openAsked(paths.front());
  });
}

void MainWindow::recover() {
  session_.detach();
  session_.workbench().releaseGpu();
  viewport_.reset();  // its window lets go of the surface of the old instance
  const auto renewed = session_.renewDevice();
  if (!renewed) {
    auto* notice = new QLabel(QString::fromStdString(renewed.error().sentence));
    notice->setWordWrap(true);
    notice->setAlignment(Qt::AlignCenter);
    setCentralWidget(notice);
    failed(renewed.error());
    return;
  }
  placeViewport();
  viewport_->widget()->show();
}

void MainWindow::refresh() {
  auto& workbench = session_.workbench();
  if (workbench.theme() != theme_) applyTheme();
  setChromeShown(ui::isTrue(workbench.get("workbench.chrome").value_or(true)));
  if (inspector_->isVisible()) inspector_->refresh();
  refreshStatus();
  refreshMenus();
  const QString name = openName();
  const QString title = name.contains(QLatin1String("Separatrix")) ? name : name + QStringLiteral("[*] — Separatrix");
  if (windowTitle() != title) setWindowTitle(title);
  const bool modified = hasOwnChanges();
  if (isWindowModified() != modified) setWindowModified(modified);
  grantWish();
}

QString MainWindow::openName() const {
  const auto& workbench = session_.workbench();
  QString name = QString::fromStdString(session_.answer().title);
  if (name.isEmpty()) name = QFileInfo(QString::fromStdString(workbench.path())).fileName();
  return name.isEmpty() ? text(N_("Untitled")) : name;
}

void MainWindow::grantWish() {
  using Wish = ui::HostFrame::Wish;
  const Wish wish = session_.answer().wish;
  // Queued: a dialog runs its own event loop, and this is called from inside a frame.
  const auto later = [this](void (MainWindow::*call)()) {
    QMetaObject::invokeMethod(this, call, Qt::QueuedConnection);
  };
  if (!asking_ || wish == Wish::None) return;
  if (wish == Wish::OpenDialog) later(&MainWindow::open);
  if (wish == Wish::SaveDialog)
    QMetaObject::invokeMethod(
        this, [this] { saveAs(); }, Qt::QueuedConnection);
  if (wish == Wish::Quit)
    QMetaObject::invokeMethod(
        this, [this] { close(); }, Qt::QueuedConnection);
}

void MainWindow::applyTheme() {
  theme_ = session_.workbench().theme();
  const ui::Theme* theme = ui::findTheme(theme_);
  if (!theme) return;
  QApplication::setPalette(paletteOf(*theme));
  qApp->setStyleSheet(styleSheetOf(*theme));
}

void MainWindow::failed(const Error& error) {
  session_.workbench().say({ui::Message::Level::Error, error.sentence});
  spdlog::info("{}", error.sentence);
  wake();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (mayDiscard()) {
    event->accept();
  } else {
    event->ignore();
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) openAsked(urls.front().toLocalFile());
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange) wake();
  // A window that becomes active while no field has the focus gives the keyboard to the picture.
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && !focusWidget() && viewport_)
    viewport_->activate();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // What no widget had a use for is a command of the workbench, whichever widget has the focus.
  if (viewport_ && focusWidget() != viewport_->widget()) QCoreApplication::sendEvent(viewport_->receiver(), event);
}

void MainWindow::keyReleaseEvent(QKeyEvent* event) {
  keyPressEvent(event);
}

void MainWindow::toggleFullScreen() {
  setWindowState(windowState() ^ Qt::WindowFullScreen);
}

Result<void> MainWindow::resizeViewport(gpu::Extent extent) {
  const double ratio = viewport_->pixelRatio();
  const QSize wanted(int(std::lround(extent.width / ratio)), int(std::lround(extent.height / ratio)));
  QElapsedTimer clock;
  clock.start();
  while (viewport_->widget()->size() != wanted || viewport_->extent() != extent) {
    resize(size() + (wanted - viewport_->widget()->size()));
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    if (clock.elapsed() > kResizePatienceMs) {
      const gpu::Extent now = viewport_->extent();
      return fail(ErrorKind::CheckFailed,
                  fmt::format(fmt::runtime(ui::tr("the window could not be made {}x{} pixels; it is {}x{}")),
                              extent.width, extent.height, now.width, now.height));
    }
  }
  return {};
}

QImage MainWindow::picture() {
  const double ratio = devicePixelRatioF();
  QImage image = grab().toImage().convertToFormat(QImage::Format_RGBA8888);
  const auto pixels = session_.capture();
  if (!pixels) return image;
  const auto [width, height] = pixels->extent;
  const QImage inner(pixels->rgba.data(), int(width), int(height), int(width) * 4, QImage::Format_RGBA8888);
  const QPoint corner = viewport_->widget()->mapTo(this, QPoint(0, 0));
  image.setDevicePixelRatio(1);
  QPainter painter(&image);
  painter.drawImage(QPointF(corner) * ratio, inner);
  return image;
}

}  // namespace sepx::app
