// SPDX-License-Identifier: Apache-2.0
// The exhibit's picture inside the Qt window. Two kinds with one face: a native window with our own swapchain, and, on
// platforms without Vulkan surfaces, a widget that paints an image read back from an offscreen target. Frames are drawn
// on demand: after events, after wake(), and while the workbench says that something moves; never faster than the
// screen. GUI thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "app/window_session.h"

#include <QObject>
#include <QPointer>
#include <QPointF>
#include <QStringList>
#include <QTimer>
#include <QVulkanInstance>
#include <QWidget>
#include <QWindow>

class QKeyEvent;

namespace sepx::app {

class Viewport : public QObject {
  Q_OBJECT

 public:
  explicit Viewport(WindowSession& session);

  /// What goes into the main window. Owned by the viewport's parent widget once it is placed.
  virtual QWidget* widget() = 0;
  virtual gpu::Extent extent() const = 0;  ///< pixels
  virtual double pixelRatio() const = 0;   ///< device pixels per Qt point
  virtual void setCursorShape(Qt::CursorShape shape) = 0;
  /// The Qt object that mouse and key events are sent to.
  virtual QObject* receiver() = 0;
  /// Takes the keyboard.
  virtual void activate() = 0;

  /// Asks for a frame; several calls before it is drawn are one.
  void schedule();
  /// Draws now. Not from inside a frame.
  void drawNow();
  ui::Workbench& workbench() { return session_.workbench(); }
  /// Pixels per point: the screen's times the person's setting; a script may set another one.
  float scale() const { return scaleOverride_ > 0 ? scaleOverride_ : static_cast<float>(pixelRatio() * zoom_); }
  void setZoom(double zoom);
  void setScale(float scale) { scaleOverride_ = scale; }
  void setInspectorShown(bool shown);
  /// What the host does with a key before the picture gets it; true: it is used up. A window of its own, the picture
  /// does not take part in Qt's shortcuts.
  void setKeyHandler(std::function<bool(const QKeyEvent&)> handler) { keyHandler_ = std::move(handler); }
  /// Stops drawing on demand while a script draws each frame itself.
  void setScripted(bool scripted) { scripted_ = scripted; }

 signals:
  void drawn();
  void lost();
  /// `at`: in pixels of the picture.
  void filesDropped(const QStringList& paths, QPointF at);
  /// The right button went down and up at one place; on the screen.
  void menuAsked(QPoint global);
  /// The pointer rests over the picture: at pixels of it, and on the screen.
  void rested(QPointF pixels, QPoint global);
  /// Before the picture gets it.
  void escapePressed();

 protected:
  /// Input and drops, from whichever Qt object receives them. True when taken.
  bool take(QEvent& event);
  void watchForHost(const QEvent& event);
  void watchRest(const QEvent& event);
  /// Tells the picture when the window becomes the active one of the screen.
  void watchActivation(const QEvent& event);
  virtual bool visible() const = 0;
  /// After a picture was drawn.
  virtual void show() {}

  WindowSession& session_;

 private:
  std::function<bool(const QKeyEvent&)> keyHandler_;
  QTimer timer_;
  QTimer rest_;      ///< since the pointer moved
  QPointF pointer_;  ///< points of the picture
  std::chrono::steady_clock::time_point lastFrame_{};
  float scaleOverride_ = 0;
  double zoom_ = 1;
  QPointF rightAt_;  ///< where the right button went down
  bool inspectorShown_ = true;
  bool active_ = false;  ///< the window is the active one of the screen
  bool drawing_ = false;
  bool scripted_ = false;
  bool lost_ = false;
};

/// A plain QWindow with a Vulkan surface on the session's own instance.
class SurfaceViewport final : public Viewport {
  Q_OBJECT

 public:
  explicit SurfaceViewport(WindowSession& session);
  ~SurfaceViewport() override;

  QWidget* widget() override { return container_; }
  QWindow* window() { return window_; }
  gpu::Extent extent() const override;
  double pixelRatio() const override;
  void setCursorShape(Qt::CursorShape shape) override;
  QObject* receiver() override { return window_; }
  void activate() override { window_->requestActivate(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool visible() const override;

 private:
  void expose();

  QVulkanInstance instance_;
  QPointer<QWindow> window_;     ///< owned by container_
  QPointer<QWidget> container_;  ///< owned by the main window
};

/// A widget that paints the offscreen picture.
class ImageViewport final : public Viewport {
  Q_OBJECT

 public:
  explicit ImageViewport(WindowSession& session);
  ~ImageViewport() override;

  QWidget* widget() override { return widget_; }
  gpu::Extent extent() const override;
  double pixelRatio() const override;
  void setCursorShape(Qt::CursorShape shape) override;
  QObject* receiver() override { return widget_; }
  void activate() override { widget_->setFocus(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool visible() const override;
  void show() override;

 private:
  QPointer<QWidget> widget_;  ///< owned by the main window
  gpu::Pixels picture_;
};

/// The kind that this platform serves.
std::unique_ptr<Viewport> makeViewport(WindowSession& session);

}  // namespace sepx::app
