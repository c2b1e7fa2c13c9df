// SPDX-License-Identifier: Apache-2.0
// See main_window.h. Menus are in menus.cpp, docks and status bar in docks.cpp, file operations in files.cpp.
#include "app/studio/main_window.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QLocale>
#include <QMenuBar>
#include <QMimeData>
#include <QPainter>
#include <QToolBar>
#include <QToolButton>
#include <QTranslator>
#include <QUrl>

#include "app/studio/inspector.h"
#include "app/studio/jobs_panel.h"
#include "app/studio/lesson_editor.h"
#include "app/studio/library.h"
#include "app/studio/messages_dialog.h"
#include "app/studio/palette.h"
#include "app/studio/presenting.h"
#include "app/studio/qt_input.h"
#include "app/studio/studio_style.h"
#include "app/studio/text.h"
#include "app/studio/text_field.h"
#include "engine/core/log.h"
#include "ui/canvas/theme.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {

namespace {

constexpr int kResizePatienceMs = 3000;
constexpr double kOrdinaryType = 13;  // points of a theme that is not made for projection
constexpr int kIconSide = 16;         // points at zoom 1
constexpr double kLeastZoom = 1, kMostZoom = 3;

QStringList localFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  return paths;
}

void copyToClipboard(const ui::Clip& clip) {
  auto* data = new QMimeData;
  if (!clip.text.empty()) data->setText(QString::fromStdString(clip.text));
  if (!clip.png.empty()) {
    const QByteArray png = QByteArray::fromStdString(clip.png);
    data->setData(QStringLiteral("image/png"), png);
    data->setImageData(QImage::fromData(png, "PNG"));
  }
  if (!clip.svg.empty()) data->setData(QStringLiteral("image/svg+xml"), QByteArray::fromStdString(clip.svg));
  QGuiApplication::clipboard()->setMimeData(data);
}

}  // namespace

MainWindow::MainWindow(WindowSession& session) : session_(session) {
  setObjectName(QStringLiteral("separatrix"));
  setAcceptDrops(true);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
  typeSize_ = QApplication::font().pointSizeF();
  session_.setOpenOutside([](const std::string& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(QString::fromStdString(path)).absoluteFilePath()));
  });
  session_.setCopy(copyToClipboard);
  session_.setPaste([] { return QGuiApplication::clipboard()->text().toStdString(); });
  addStatusBar();
  addDocks();
  buildToolBar();
  addBanner();
  presenting_ = std::make_unique<Presenting>(*this, session_, *folds_[1].dock);
  connect(presenting_.get(), &Presenting::edited, this, &MainWindow::wake);
  nameBars();
  placeViewport();
  menuBar()->installEventFilter(this);
  buildMenus();
  recallLayout();
  refresh();
  if (!session_.simulated()) connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &MainWindow::saveBeforeExit);
}

MainWindow::~MainWindow() {
  session_.setOpenOutside([](const std::string& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(QString::fromStdString(path)).absoluteFilePath()));
  });
  presenting_.reset();
  session_.setCopy({});
  viewport_.reset();
}

void MainWindow::placeViewport() {
  viewport_ = makeViewport(session_);
  viewport_->setInspectorShown(!panelInPicture_);
  viewport_->setZoom(zoom_);
  setCentralWidget(viewport_->widget());
  connect(viewport_.get(), &Viewport::drawn, this, &MainWindow::refresh);
  // Queued: the viewport must have returned from its frame before it is replaced.
  connect(viewport_.get(), &Viewport::lost, this, &MainWindow::recover, Qt::QueuedConnection);
  connect(viewport_.get(), &Viewport::filesDropped, this, &MainWindow::dropAt);
  viewport_->setKeyHandler([this](const QKeyEvent& key) { return takeKey(key); });
  connect(viewport_.get(), &Viewport::escapePressed, this, &MainWindow::leaveFullScreen);
  connect(viewport_.get(), &Viewport::rested, this, &MainWindow::showTip);
  connect(viewport_.get(), &Viewport::menuRequested, this, &MainWindow::showPictureMenu, Qt::QueuedConnection);
}

void MainWindow::recover() {
  emit deviceLost();
  session_.detach();
  session_.workbench().releaseGpu();
  viewport_.reset();  // its window releases the surface of the old instance
  const auto renewed = session_.renewDevice();
  if (!renewed) {
    auto* notice = new QLabel(QString::fromStdString(renewed.error().message));
    notice->setWordWrap(true);
    notice->setAlignment(Qt::AlignCenter);
    setCentralWidget(notice);
    failed(renewed.error());
    return;
  }
  renewing_ = true;
  placeViewport();
  viewport_->widget()->show();
}

void MainWindow::refresh() {
  auto& workbench = session_.workbench();
  applySettings();
  followLanguage();
  if (workbench.theme() != theme_) applyTheme();
  setChromeShown(ui::isTrue(workbench.get("workbench.chrome").value_or(true)));
  if (inspector_->isVisible()) inspector_->refresh();
  if (jobs_->isVisible()) jobs_->refresh();
  presenting_->refresh();
  library_->refresh();
  if (messages_ && messages_->isVisible()) messages_->refresh();
  refreshStatus();
  refreshBanner();
  refreshMenus();
  if (workbench.gpu() && std::exchange(renewing_, false)) emit deviceRenewed();
  const QString name = openName();
  const std::uint64_t settings = session_.settings().revision();
  if (std::exchange(listedAt_, settings) != settings) library_->setRecent(session_.settings().recent());
  const QString title = name.contains(QLatin1String("Separatrix")) ? name : name + QStringLiteral("[*] — Separatrix");
  if (windowTitle() != title) setWindowTitle(title);
  const bool modified = hasOwnChanges();
  if (isWindowModified() != modified) setWindowModified(modified);
  serveRequest();
}

QString MainWindow::openName() const {
  const auto& workbench = session_.workbench();
  QString name = QString::fromStdString(session_.answer().title);
  if (name.isEmpty()) name = QFileInfo(QString::fromStdString(workbench.path())).fileName();
  return name.isEmpty() ? text(N_("Untitled")) : name;
}

void MainWindow::applySettings() {
  const auto& settings = session_.settings();
  if (settings.revision() == settingsRevision_) return;
  const bool first = settingsRevision_ == ~0ull;
  settingsRevision_ = settings.revision();
  if (followsScale_) {
    const ui::Value scale = settings.get("settings.scale");
    if (const auto* times = std::get_if<double>(&scale)) setZoom(*times);
  }
  // Only the host knows the desktop's choice; the workbench handles all other themes.
  if ((followsTheme_ || !first) && ui::toString(settings.get("settings.theme")) == "system") {
    static_cast<void>(session_.workbench().setTheme(systemIsDark_ ? "dark" : "light"));
  }
}

void MainWindow::setZoom(double zoom) {
  zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
  if (zoom == zoom_) return;
  zoom_ = zoom;
  if (viewport_) viewport_->setZoom(zoom_);
  theme_.clear();  // makes refresh() set the font size
  wake();
}

void MainWindow::applyTheme() {
  theme_ = session_.workbench().theme();
  const ui::Theme* theme = ui::findTheme(theme_);
  if (!theme) return;
  const double type = zoom_ * theme->textSize / kOrdinaryType;
  StudioStyle::setTypeFactor(type);
  QFont font = QApplication::font();
  if (font.pointSizeF() != typeSize_ * type) {
    font.setPointSizeF(typeSize_ * type);
    QApplication::setFont(font);
  }
  QApplication::setPalette(paletteOf(*theme));
  qApp->setStyleSheet(styleSheetOf(*theme, typeSize_ * type));
  const int side = int(std::lround(kIconSide * type));
  tools_->setIconSize({side, side});
  if (paletteField_) paletteField_->setIconSize({side, side});
  fitDocks();
}

void MainWindow::failed(const Error& error) {
  session_.workbench().say({ui::Message::Level::Error, error.message});
  spdlog::info("{}", error.message);
  wake();
}

void MainWindow::saveBeforeExit() {
  ends_ = true;
  keepLayout();
  session_.saveForRecovery();  // all is on disk when this returns, because the desktop may end the program at once
}

void MainWindow::exitGracefully() {
  saveBeforeExit();
  presenting_->end();
  keepLayout();
  QCoreApplication::exit(0);  // also leaves a dialog that is open
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!ends_ && (!confirmDiscard() || !confirmDiscardAnswers() || !decideTrainingRuns())) return event->ignore();
  if (lessonEditor_ && !ends_ && !lessonEditor_->close()) return event->ignore();
  presenting_->end();
  keepLayout();
  if (messages_) messages_->close();
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList paths = localFiles(*event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  QMetaObject::invokeMethod(
      this, [this, paths] { openFiles(paths); }, Qt::QueuedConnection);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange) wake();
  // A window that becomes active while no field has the focus gives the keyboard to the picture.
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && !focusWidget() && viewport_)
    viewport_->activate();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // A key that no widget used is a command of the workbench, whichever widget has the focus. But Return that ends a
  // line of text, or an arrow key at its end, belongs to the text only.
  if (!viewport_ || focusWidget() == viewport_->widget()) return;
  if (isTextField(focusWidget()) && editsText(*event)) return;
  QCoreApplication::sendEvent(viewport_->receiver(), event);
  if (event->type() == QEvent::KeyPress && event->key() == Qt::Key_Escape) goToPicture();
}

void MainWindow::keyReleaseEvent(QKeyEvent* event) {
  keyPressEvent(event);
}

void MainWindow::goToPicture() {
  if (viewport_) viewport_->activate();
}

bool MainWindow::takeKey(const QKeyEvent& event) {
  const auto later = [this](auto call) { QMetaObject::invokeMethod(this, call, Qt::QueuedConnection); };
  const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
  if (event.key() == Qt::Key_F10 && modifiers == Qt::NoModifier && !menuBar()->actions().isEmpty()) {
    later([this] { menuBar()->setActiveAction(menuBar()->actions().front()); });
    return true;
  }
  const QKeySequence pressed(QKeyCombination(modifiers, Qt::Key(event.key())));
  if (modifiers == Qt::AltModifier) {
    for (QAction* menu : menuBar()->actions()) {
      if (!menu->isVisible() || QKeySequence::mnemonic(menu->text()) != pressed) continue;
      later([this, menu] { menuBar()->setActiveAction(menu); });
      return true;
    }
  }
  // Commands that may lose work or need a dialog are run here. The picture handles all others, as the key may belong to
  // a field in it.
  for (QAction* action : actions()) {
    const bool hosts = action->objectName().startsWith(QLatin1String("file.")) ||
                       action->objectName().startsWith(QLatin1String("window."));
    if (!hosts || action->shortcut().isEmpty() || action->shortcut() != pressed) continue;
    later([action = QPointer<QAction>(action)] {
      if (action) action->trigger();
    });
    return true;
  }
  return false;
}

bool MainWindow::pictureTakesEscape() const {
  // Whatever Escape closes in the picture comes first.
  const auto& workbench = session_.workbench();
  for (const char* control :
       {"explain.close", "errata.close", "help.close", "guide.close", "workbench.message.close"}) {
    if (workbench.controlAt(control)) return true;
  }
  const auto commands = workbench.commands();
  return std::any_of(commands.begin(), commands.end(),
                     [](const auto& one) { return one.key == "view.start" && one.checked.value_or(false); });
}

void MainWindow::leaveFullScreen() {
  if (!isFullScreen() || pictureTakesEscape()) return;
  QMetaObject::invokeMethod(this, &MainWindow::toggleFullScreen, Qt::QueuedConnection);
}

void MainWindow::goToInspector() {
  showDock(folds_[1].dock);
  inspector_->refresh();
  inspector_->goToFirst();
}

void MainWindow::searchInspector() {
  showDock(folds_[1].dock);
  inspector_->refresh();
  inspector_->searchField()->setFocus(Qt::ShortcutFocusReason);
  inspector_->searchField()->selectAll();
}

void MainWindow::toggleFullScreen() {
  setWindowState(windowState() ^ Qt::WindowFullScreen);
}

Result<void> MainWindow::resizeViewport(gpu::Extent extent) {
  const double ratio = viewport_->pixelRatio();
  const QSize wanted(int(std::lround(extent.width / ratio)), int(std::lround(extent.height / ratio)));
  // A script may make the viewport smaller than the minimum size, which prevents accidents of the user.
  viewport_->widget()->setMinimumSize(viewport_->widget()->minimumSize().boundedTo(wanted));
  QElapsedTimer clock;
  clock.start();
  while (viewport_->widget()->size() != wanted || viewport_->extent() != extent) {
    resize(size() + (wanted - viewport_->widget()->size()));
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    if (clock.elapsed() > kResizePatienceMs) {
      const gpu::Extent now = viewport_->extent();
      return fail(ErrorKind::CheckFailed, ui::trFormat("the window could not be made {}x{} pixels; it is {}x{}",
                                                       extent.width, extent.height, now.width, now.height));
    }
  }
  return {};
}

QImage MainWindow::picture() {
  // Applies the pending layout changes of the last frame before painting.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
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

// A change of the language while the window is open: menus and docks are filled again; their positions and the open
// document stay. The texts of Qt's own dialogs come from Qt's translations, where they are installed.

void MainWindow::followLanguage() {
  const std::string language = ui::language();
  if (std::exchange(language_, language) == language) return;
  const auto translator = std::exchange(qtWords_, std::make_unique<QTranslator>());
  if (translator) QApplication::removeTranslator(translator.get());
  if (language != ui::kEnglish &&
      qtWords_->load(QLocale(QString::fromStdString(language)), QStringLiteral("qtbase"), QStringLiteral("_"),
                     QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QApplication::installTranslator(qtWords_.get());
  if (!translator) return;  // the window was built in this language
  for (const Fold& fold : folds_) {
    QWidget* const old = fold.dock->widget();
    fold.dock->setWidget(nullptr);
    old->deleteLater();
  }
  delete std::exchange(paletteField_, nullptr);
  fillDocks();
  nameBars();
  presenting_->followLanguage();
  listedAt_ = ~0ull;
  buildMenus();
  theme_.clear();  // sizes depend on the texts
  wake();
}

}  // namespace sepx::app
