// SPDX-License-Identifier: Apache-2.0
// See viewport.h.
#include "app/studio/viewport.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/studio/accessible_picture.h"
#include "app/studio/qt_input.h"
#include "engine/core/log.h"
#include "ui/properties/tr.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMetaObject>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPlatformSurfaceEvent>
#include <QScreen>
#include <QToolTip>
#include <QUrl>

namespace sepx::app {

namespace {

constexpr double kSlowestPeriodMs = 1000.0 / 60, kFastestPeriodMs = 1000.0 / 240;

gpu::Extent pixelsOf(QSize size, double ratio) {
  return {static_cast<std::uint32_t>(std::lround(std::max(0, size.width()) * ratio)),
          static_cast<std::uint32_t>(std::lround(std::max(0, size.height()) * ratio))};
}

/// Time between two frames on this screen, milliseconds.
double framePeriod() {
  const QScreen* screen = QGuiApplication::primaryScreen();
  const double rate = screen ? screen->refreshRate() : 60;
  return std::clamp(1000.0 / std::max(rate, 1.0), kFastestPeriodMs, kSlowestPeriodMs);
}

QStringList localFiles(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  return paths;
}

}  // namespace

Viewport::Viewport(WindowSession& session) : session_(session) {
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &Viewport::drawNow);
  constexpr int kRestMs = 700;
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this,
          [this] { emit rested(pointer_ * pixelRatio(), widget()->mapToGlobal(pointer_.toPoint())); });
}

void Viewport::setInspectorShown(bool shown) {
  if (shown == inspectorShown_) return;
  inspectorShown_ = shown;
  schedule();
}

void Viewport::setZoom(double zoom) {
  if (zoom == zoom_) return;
  zoom_ = zoom;
  schedule();
}

void Viewport::schedule() {
  if (timer_.isActive() || scripted_) return;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const double since = Milliseconds(std::chrono::steady_clock::now() - lastFrame_).count();
  timer_.start(static_cast<int>(std::ceil(std::max(0.0, framePeriod() - since))));
}

void Viewport::drawNow() {
  if (drawing_ || lost_) return;
  drawing_ = true;
  lastFrame_ = std::chrono::steady_clock::now();
  const gpu::TargetStatus status = session_.frame(scale(), inspectorShown_);
  drawing_ = false;
  if (status == gpu::TargetStatus::Lost) {
    lost_ = true;  // this viewport is replaced
    emit lost();
    return;
  }
  if (status == gpu::TargetStatus::Ready) show();
  setCursorShape(translateCursor(session_.answer().cursor));
  if (AccessiblePicture* const picture = AccessiblePicture::of(widget())) picture->follow();
  emit drawn();
  // A hidden window draws nothing; the next expose event wakes it.
  if (visible() && (session_.needsFrame() || status == gpu::TargetStatus::NotReady)) schedule();
}

void Viewport::watchRest(const QEvent& event) {
  if (event.type() == QEvent::MouseMove) {
    const auto& move = static_cast<const QMouseEvent&>(event);
    if (std::exchange(pointer_, move.position()) != move.position()) rest_.start();
    if (move.buttons() != Qt::NoButton) rest_.stop();
  } else if (event.type() == QEvent::MouseButtonPress || event.type() == QEvent::Leave ||
             event.type() == QEvent::KeyPress) {
    rest_.stop();
  } else {
    return;
  }
  QToolTip::hideText();
}

void Viewport::watchForHost(const QEvent& event) {
  constexpr double kClickTolerance = 4;  // points; a longer movement is a drag, which pans
  if (event.type() == QEvent::MouseButtonPress || event.type() == QEvent::MouseButtonRelease) {
    const auto& mouse = static_cast<const QMouseEvent&>(event);
    if (mouse.button() != Qt::RightButton) return;
    if (event.type() == QEvent::MouseButtonPress) {
      rightAt_ = mouse.globalPosition();
    } else if ((mouse.globalPosition() - rightAt_).manhattanLength() <= kClickTolerance) {
      emit menuRequested(mouse.globalPosition().toPoint());
    }
  } else if (event.type() == QEvent::KeyPress) {
    const auto& key = static_cast<const QKeyEvent&>(event);
    const bool menu = key.key() == Qt::Key_Menu || (key.key() == Qt::Key_F10 && key.modifiers() == Qt::ShiftModifier);
    if (key.key() == Qt::Key_Escape) emit escapePressed();
    if (menu) emit menuRequested(widget()->mapToGlobal(widget()->rect().center()));
  }
}

/// Qt sends WindowActivate again when the keyboard focus moves from the main window to the picture; this is not an
/// activation.
void Viewport::watchActivation(const QEvent& event) {
  const bool activated = event.type() == QEvent::WindowActivate;
  if (!activated && event.type() != QEvent::WindowDeactivate) return;
  if (std::exchange(active_, activated) == activated || !activated) return;
  session_.push(ui::FocusChanged{true});
  schedule();
}

bool Viewport::take(QEvent& event) {
  switch (event.type()) {
    case QEvent::DragEnter: {
      auto& drag = static_cast<QDragEnterEvent&>(event);
      if (!localFiles(drag.mimeData()).isEmpty()) drag.acceptProposedAction();
      return true;
    }
    case QEvent::Drop: {
      auto& drop = static_cast<QDropEvent&>(event);
      const QStringList paths = localFiles(drop.mimeData());
      drop.acceptProposedAction();
      // Queued: the drop must be over before a question is asked.
      QMetaObject::invokeMethod(
          this, [this, paths, at = drop.position() * pixelRatio()] { emit filesDropped(paths, at); },
          Qt::QueuedConnection);
      return true;
    }
    default:
      break;
  }
  if (event.type() == QEvent::KeyPress && keyHandler_ && keyHandler_(static_cast<QKeyEvent&>(event))) return true;
  watchRest(event);
  watchForHost(event);
  auto events = translate(event, pixelRatio());
  if (events.empty()) return false;
  for (auto& one : events)
    session_.push(std::move(one));
  schedule();
  return event.type() != QEvent::FocusOut;
}

SurfaceViewport::SurfaceViewport(WindowSession& session) : Viewport(session) {
  instance_.setVkInstance(session.context().instance());
  if (!instance_.create()) spdlog::error("Qt did not take over the Vulkan instance ({})", int(instance_.errorCode()));
  window_ = new QWindow;
  window_->setSurfaceType(QSurface::VulkanSurface);
  window_->setVulkanInstance(&instance_);
  window_->setObjectName(QStringLiteral("viewport"));
  window_->installEventFilter(this);
  container_ = QWidget::createWindowContainer(window_);
  container_->installEventFilter(this);
  container_->setFocusPolicy(Qt::StrongFocus);
  container_->setAcceptDrops(true);
  container_->setMinimumSize(320, 240);
  container_->setAccessibleName(QString::fromUtf8(ui::tr("Picture of the exhibit")));
  AccessiblePicture::describe(*container_, *this);
}

SurfaceViewport::~SurfaceViewport() {
  session_.detach();
  if (container_) {
    window_->removeEventFilter(this);
    container_->removeEventFilter(this);
    delete container_;  // also deletes the window and its surface, while the instance still exists
  }
}

gpu::Extent SurfaceViewport::extent() const {
  return pixelsOf(window_->size(), pixelRatio());
}
double SurfaceViewport::pixelRatio() const {
  return window_->devicePixelRatio();
}
void SurfaceViewport::setCursorShape(Qt::CursorShape shape) {
  if (window_->cursor().shape() != shape) window_->setCursor(shape);
}
bool SurfaceViewport::visible() const {
  return window_->isExposed();
}

void SurfaceViewport::expose() {
  if (!window_->isExposed()) return;
  if (!session_.attached()) {
    const VkSurfaceKHR surface = QVulkanInstance::surfaceForWindow(window_);
    const auto size = [this] { return window_->isExposed() ? extent() : gpu::Extent{}; };
    const auto done = session_.attach(surface, size);
    if (!done) {
      session_.workbench().say({ui::Message::Level::Error, done.error().message});
      spdlog::error("{}", done.error().message);
      return;
    }
  }
  schedule();
}

bool SurfaceViewport::eventFilter(QObject* watched, QEvent* event) {
  // If the window system gives the keyboard to the main window, keys arrive at the container widget.
  const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::KeyRelease;
  if (watched == container_ && key) return take(*event);
  if (watched == container_) watchActivation(*event);
  if (watched != window_) return Viewport::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::Expose:
      expose();
      return false;
    case QEvent::Resize:
      schedule();
      return false;
    case QEvent::PlatformSurface:
      if (static_cast<QPlatformSurfaceEvent*>(event)->surfaceEventType() ==
          QPlatformSurfaceEvent::SurfaceAboutToBeDestroyed) {
        session_.detach();
      }
      return false;
    case QEvent::MouseButtonDblClick:
      return true;  // a window, unlike a widget, already got the second press
    default:
      return take(*event);
  }
}

ImageViewport::ImageViewport(WindowSession& session) : Viewport(session) {
  widget_ = new QWidget;
  widget_->setObjectName(QStringLiteral("viewport"));
  widget_->setFocusPolicy(Qt::StrongFocus);
  widget_->setMouseTracking(true);
  widget_->setAcceptDrops(true);
  widget_->setMinimumSize(320, 240);
  widget_->setAccessibleName(QString::fromUtf8(ui::tr("Picture of the exhibit")));
  AccessiblePicture::describe(*widget_, *this);
  widget_->installEventFilter(this);
}

ImageViewport::~ImageViewport() {
  session_.detach();
  if (widget_) {
    widget_->removeEventFilter(this);
    delete widget_;
  }
}

gpu::Extent ImageViewport::extent() const {
  return pixelsOf(widget_->size(), pixelRatio());
}
double ImageViewport::pixelRatio() const {
  return widget_->devicePixelRatioF();
}
void ImageViewport::setCursorShape(Qt::CursorShape shape) {
  widget_->setCursor(shape);
}
bool ImageViewport::visible() const {
  return widget_->isVisible();
}

void ImageViewport::show() {
  auto pixels = session_.capture();
  if (!pixels) return;
  picture_ = std::move(*pixels);
  widget_->update();
}

bool ImageViewport::eventFilter(QObject* watched, QEvent* event) {
  if (watched != widget_) return Viewport::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::Show:
    case QEvent::Resize:
      if (!session_.attached()) {
        const auto done = session_.attachOffscreen([this] { return extent(); });
        if (!done) spdlog::error("{}", done.error().message);
      }
      schedule();
      return false;
    case QEvent::Paint: {
      QPainter painter(widget_);
      if (picture_.rgba.empty()) return true;
      const auto [width, height] = picture_.extent;
      const QImage image(picture_.rgba.data(), int(width), int(height), int(width) * 4, QImage::Format_RGBA8888);
      painter.drawImage(widget_->rect(), image);
      return true;
    }
    default:
      watchActivation(*event);
      return take(*event);
  }
}

std::unique_ptr<Viewport> makeViewport(WindowSession& session) {
  if (QGuiApplication::platformName() == QLatin1String("xcb")) return std::make_unique<SurfaceViewport>(session);
  return std::make_unique<ImageViewport>(session);
}

}  // namespace sepx::app
