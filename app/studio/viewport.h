// SPDX-License-Identifier: Apache-2.0
// The exhibit's picture in the Qt window. There are two implementations: a native window with its own swapchain, and,
// on platforms without Vulkan surfaces, a widget that paints an image read back from an offscreen target. Frames are
// drawn on demand: after events, after wake(), and while the workbench reports that something moves; never faster than
// the screen's refresh rate. GUI thread.
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

  /// The widget for the main window. Owned by its parent widget once it is placed.
  virtual QWidget* widget() = 0;
  virtual gpu::Extent extent() const = 0;  ///< pixels
  virtual double pixelRatio() const = 0;   ///< device pixels per Qt point
  virtual void setCursorShape(Qt::CursorShape shape) = 0;
  /// The Qt object that mouse and key events are sent to.
  virtual QObject* receiver() = 0;
  /// Takes the keyboard focus.
  virtual void activate() = 0;

  /// Requests a frame; several calls before it is drawn request only one.
  void schedule();
  /// Draws now. Must not be called from inside a frame.
  void drawNow();
  ui::Workbench& workbench() { return session_.workbench(); }
  /// Pixels per point: the screen's ratio times the user's setting; a script may set another value.
  float scale() const { return scaleOverride_ > 0 ? scaleOverride_ : static_cast<float>(pixelRatio() * zoom_); }
  void setZoom(double zoom);
  void setScale(float scale) { scaleOverride_ = scale; }
  void setInspectorShown(bool shown);
  /// Sets a function that handles a key before the picture gets it; true: the key is used up. Needed because the
  /// picture is a separate window, which does not take part in Qt's shortcuts.
  void setKeyHandler(std::function<bool(const QKeyEvent&)> handler) { keyHandler_ = std::move(handler); }
  /// Stops drawing on demand while a script draws each frame itself.
  void setScripted(bool scripted) { scripted_ = scripted; }

 signals:
  void drawn();
  void lost();
  /// `at`: in pixels of the picture.
  void filesDropped(const QStringList& paths, QPointF at);
  /// The right button was pressed and released at one place, or the menu key was pressed; screen coordinates.
  void menuRequested(QPoint global);
  /// The pointer rests over the picture; in pixels of the picture, and in screen coordinates.
  void rested(QPointF pixels, QPoint global);
  /// Emitted before the picture gets the key.
  void escapePressed();

 protected:
  /// Handles input and drops, whichever Qt object receives them. True when the event was handled.
  bool take(QEvent& event);
  void watchForHost(const QEvent& event);
  void watchRest(const QEvent& event);
  /// Tells the picture when the window becomes the active one of the screen.
  void watchActivation(const QEvent& event);
  virtual bool visible() const = 0;
  /// Called after a picture was drawn.
  virtual void show() {}

  WindowSession& session_;

 private:
  std::function<bool(const QKeyEvent&)> keyHandler_;
  QTimer timer_;
  QTimer rest_;      ///< runs since the pointer moved last
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

/// Creates the kind that this platform supports.
std::unique_ptr<Viewport> makeViewport(WindowSession& session);

}  // namespace sepx::app
