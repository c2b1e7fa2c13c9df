// SPDX-License-Identifier: Apache-2.0
// See stage_window.h.
#include "app/stage/stage_window.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "app/data_files.h"
#include "app/end_signals.h"
#include "engine/core/log.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/file_kind.h"

#include <GLFW/glfw3.h>

namespace sepx::app {

namespace {

constexpr double kCursorRests = 2.5;     // seconds without motion until the cursor hides
constexpr double kResizePatience = 3.0;  // seconds
constexpr int kLeastWidth = 320, kLeastHeight = 240;
constexpr int kSettleFrames = 120 * 60;  // two minutes of simulated time, as in the headless host

template <class... Values>
Error stageError(ErrorKind kind, fmt::format_string<const Values&...> text, const Values&... values) {
  return {kind, ui::trFormat(text, values...)};
}

int cursorShape(ui::Cursor cursor) {
  switch (cursor) {
    case ui::Cursor::Hand:
      return GLFW_HAND_CURSOR;
    case ui::Cursor::Move:
    case ui::Cursor::Cross:
      return GLFW_CROSSHAIR_CURSOR;
    case ui::Cursor::Text:
      return GLFW_IBEAM_CURSOR;
    case ui::Cursor::ResizeHorizontal:
      return GLFW_HRESIZE_CURSOR;
    case ui::Cursor::ResizeVertical:
      return GLFW_VRESIZE_CURSOR;
    case ui::Cursor::Arrow:
      break;
  }
  return GLFW_ARROW_CURSOR;
}

void setIcon(GLFWwindow* window) {
  std::vector<gpu::Pixels> pictures;  // straight alpha, as GLFW requires
  for (const std::string& path : windowIcons())
    if (auto picture = render::readPng(path)) pictures.push_back(std::move(*picture));
  std::vector<GLFWimage> images;
  for (gpu::Pixels& picture : pictures)
    images.push_back({int(picture.extent.width), int(picture.extent.height), picture.rgba.data()});
  if (!images.empty()) glfwSetWindowIcon(window, int(images.size()), images.data());
}

/// Empty if the monitor is gone: it may be unplugged between two calls.
std::string nameOf(GLFWmonitor* monitor) {
  const char* const name = monitor ? glfwGetMonitorName(monitor) : nullptr;
  return name ? name : "";
}

/// The position of a monitor's upper left corner in the notation of --monitor: "+1920+0".
std::string placeOf(int x, int y) {
  return fmt::format("{:+}{:+}", x, y);
}

/// Null if the monitor is gone.
const GLFWvidmode* modeOf(const Result<GLFWmonitor*>& monitor) {
  return monitor ? glfwGetVideoMode(*monitor) : nullptr;
}

}  // namespace

Result<GLFWmonitor*> findMonitor(const std::string& which) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  if (count == 0) return tl::unexpected(stageError(ErrorKind::NoDevice, N_("no monitor is connected")));
  std::string names;
  for (int i = 0; i < count; ++i) {
    const std::string name = nameOf(monitors[i]);
    int x = 0, y = 0;
    glfwGetMonitorPos(monitors[i], &x, &y);
    if (which == name || which == std::to_string(i) || which == placeOf(x, y)) return monitors[i];
    names += (names.empty() ? "" : ", ") + std::to_string(i) + " " + name;
  }
  return tl::unexpected(stageError(ErrorKind::Usage, N_("--monitor {}: available: {}"), which, names));
}

Result<std::unique_ptr<StageWindow>> StageWindow::create(const StageOptions& options) {
  if (!glfwVulkanSupported()) {
    return tl::unexpected(
        stageError(ErrorKind::NoDevice, N_("no Vulkan driver for this display; apt install mesa-vulkan-drivers")));
  }
  std::unique_ptr<StageWindow> stage(new StageWindow(options));
  auto context = gpu::Context::create(contextOptions(options.common, true));
  if (!context) return tl::unexpected(context.error());
  stage->session_ = std::make_unique<WindowSession>(
      options.common, std::move(*context), true, [] { glfwPostEmptyEvent(); }, !options.follow.empty());
  for (const auto step : {&StageWindow::openWindow, &StageWindow::openSurface, &StageWindow::openFile}) {
    if (const auto done = (stage.get()->*step)(); !done) return tl::unexpected(done.error());
  }
  return stage;
}

StageWindow::~StageWindow() {
  if (session_) {
    session_->setCopy({});
    session_->setPaste({});
    session_->detach();
  }
  if (surface_) vkDestroySurfaceKHR(session_->context().instance(), surface_, nullptr);
  session_.reset();
  if (window_) glfwDestroyWindow(window_);
}

Result<void> StageWindow::openWindow() {
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // a projector keeps its picture when another window takes the focus
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_FALSE);
  if (!options_.follow.empty()) {  // the keyboard stays with the lecturer's window
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  }
  windowedSize_ = options_.common.sizeOrDefault();
  const auto monitor = findMonitor(options_.monitor);
  // A script must be able to resize its window; without a monitor a window may still be shown.
  bool windowed = options_.windowed || session_->simulated();
  const GLFWvidmode* const mode = modeOf(monitor);
  if (!windowed && !mode && !options_.follow.empty()) {
    windowed = monitorDisconnected_ = true;  // it was unplugged; the stage moves there when it is back
    monitorName_ = options_.monitor;
  }
  if (!windowed && !monitor) return tl::unexpected(monitor.error());
  if (!windowed && !mode) return tl::unexpected(stageError(ErrorKind::NoDevice, N_("no monitor is connected")));
  int width = int(windowedSize_.width), height = int(windowedSize_.height);
  if (!windowed) {
    width = mode->width;
    height = mode->height;
    monitorName_ = nameOf(*monitor);
  }
  window_ = glfwCreateWindow(width, height, "Separatrix", windowed ? nullptr : *monitor, nullptr);
  if (!window_) return tl::unexpected(stageError(ErrorKind::NoDevice, N_("the display could not create a window")));
  setIcon(window_);
  glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  sink_.event = [this](ui::InputEvent event) { take(std::move(event)); };
  sink_.changed = [this] { dirty_ = true; };
  sink_.dropped = [this](const std::vector<std::string>& paths) {
    if (link_) return;
    session_->workbench().startOpening(paths);  // failures are shown on screen
    dirty_ = true;
  };
  connectInput(window_, sink_);
  session_->setCopy([window = window_](const ui::Clip& clip) {
    // GLFW supports text only; a picture is copied as its SVG text.
    const std::string& text = clip.text.empty() ? clip.svg : clip.text;
    if (!text.empty()) glfwSetClipboardString(window, text.c_str());
  });
  session_->setPaste([window = window_] {
    const char* const text = glfwGetClipboardString(window);  // null if the clipboard has no text
    return std::string(text ? text : "");
  });
  scale_ = options_.common.scale;
  lastMove_ = glfwGetTime();
  return {};
}

Result<void> StageWindow::openSurface() {
  const VkInstance instance = session_->context().instance();
  if (const VkResult made = glfwCreateWindowSurface(instance, window_, nullptr, &surface_); made != VK_SUCCESS) {
    return tl::unexpected(stageError(ErrorKind::NoDevice,
                                     N_("no Vulkan surface could be created for the window (VkResult {})"), int(made)));
  }
  return session_->attach(surface_, [this] { return extent(); });
}

Result<void> StageWindow::openFile() {
  if (!options_.follow.empty()) return startFollowing();
  const auto begin = session_->initialContent(options_.file);
  if (begin.startPage) return session_->workbench().run("view.start");
  if (begin.file.empty()) return {};
  if (session_->simulated()) return session_->workbench().open(begin.file);
  if (auto there = ui::kindOf(begin.file); !there) return tl::unexpected(there.error());
  session_->workbench().startOpening({begin.file});
  return {};
}

gpu::Extent StageWindow::extent() const {
  if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return {};
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return {static_cast<std::uint32_t>(std::max(width, 0)), static_cast<std::uint32_t>(std::max(height, 0))};
}

float StageWindow::scale() const {
  if (scale_ > 0) return scale_;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  const ui::Value scale = session_->settings().get("settings.scale");
  const auto* times = std::get_if<double>(&scale);
  return std::max(1.0f, x) * static_cast<float>(times ? *times : 1.0);
}

Result<void> StageWindow::setScale(float scale) {
  scale_ = scale;
  dirty_ = true;
  return {};
}

Result<void> StageWindow::resize(gpu::Extent wanted) {
  // A script may go below the minimum size, which protects a user from accidents.
  glfwSetWindowSizeLimits(window_, std::min(kLeastWidth, int(wanted.width)), std::min(kLeastHeight, int(wanted.height)),
                          GLFW_DONT_CARE, GLFW_DONT_CARE);
  const double began = glfwGetTime();
  while (extent() != wanted) {
    glfwSetWindowSize(window_, int(wanted.width), int(wanted.height));
    glfwWaitEventsTimeout(0.02);
    if (glfwGetTime() - began > kResizePatience) {
      const gpu::Extent now = extent();
      return tl::unexpected(stageError(ErrorKind::CheckFailed,
                                       N_("the window could not be made {}x{} pixels; it is {}x{}"), wanted.width,
                                       wanted.height, now.width, now.height));
    }
  }
  return {};
}

void StageWindow::take(ui::InputEvent event) {
  if (std::holds_alternative<ui::PointerMoved>(event)) lastMove_ = glfwGetTime();
  if (link_) {
    if (const auto* const key = std::get_if<ui::KeyPressed>(&event); key && key->down) takeFollowing(*key);
    return;
  }
  if (auto* key = std::get_if<ui::KeyPressed>(&event); key && key->modifiers == ui::Modifiers{}) {
    // Remotes without page keys send arrows; without a lesson the arrows nudge the selected point.
    const bool lesson = session_->workbench().lesson() != nullptr;
    if (lesson && key->key == ui::Key::Right) key->key = ui::Key::PageDown;
    if (lesson && key->key == ui::Key::Left) key->key = ui::Key::PageUp;
  }
  session_->push(std::move(event));
}

void StageWindow::toggleFullScreen() {
  const auto monitor = findMonitor(options_.monitor);
  if (glfwGetWindowMonitor(window_)) {
    monitorName_.clear();
    monitorDisconnected_ = false;
    glfwSetWindowMonitor(window_, nullptr, 64, 64, int(windowedSize_.width), int(windowedSize_.height), GLFW_DONT_CARE);
  } else if (const GLFWvidmode* const mode = modeOf(monitor)) {
    windowedSize_ = extent();
    glfwSetWindowMonitor(window_, *monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    monitorName_ = nameOf(*monitor);
  }
  dirty_ = true;
}

void StageWindow::keepMonitor() {
  if (monitorName_.empty()) return;
  GLFWmonitor* const now = glfwGetWindowMonitor(window_);
  if (now && !monitorDisconnected_ && monitorName_ == nameOf(now)) return;
  const auto wanted = findMonitor(monitorName_);
  if (const GLFWvidmode* const mode = modeOf(wanted)) {
    glfwSetWindowMonitor(window_, *wanted, 0, 0, mode->width, mode->height, mode->refreshRate);
    monitorName_ = nameOf(*wanted);  // it may have been given by its position
    monitorDisconnected_ = false;
  } else if (!std::exchange(monitorDisconnected_, true)) {
    // A window of the usual size on a remaining monitor: it must not cover the lecturer's screen.
    constexpr int kCorner = 64;
    int x = kCorner, y = kCorner;
    if (GLFWmonitor* const left = glfwGetPrimaryMonitor()) {
      glfwGetMonitorPos(left, &x, &y);
      x += kCorner, y += kCorner;
    }
    const gpu::Extent size = options_.common.sizeOrDefault();
    glfwSetWindowMonitor(window_, nullptr, x, y, int(size.width), int(size.height), GLFW_DONT_CARE);
  } else {
    return;
  }
  if (link_) updateQuietSentence();
  dirty_ = true;
}

double StageWindow::framePeriod() const {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  return 1.0 / std::clamp(mode ? mode->refreshRate : 60, 60, 240);
}

void StageWindow::hideRestingCursor() {
  const bool rests = glfwGetTime() - lastMove_ >= kCursorRests;
  if (rests == cursorHidden_) return;
  cursorHidden_ = rests;
  glfwSetInputMode(window_, GLFW_CURSOR, rests ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
}

void StageWindow::drawNow() {
  dirty_ = false;
  lastFrame_ = glfwGetTime();
  int width = 0, pixels = 0;
  glfwGetWindowSize(window_, &width, nullptr);
  glfwGetFramebufferSize(window_, &pixels, nullptr);
  sink_.pixelsPerUnit = width > 0 ? double(pixels) / width : 1.0;
  status_ = session_->frame(scale(), false);
  if (link_ && status_ == gpu::TargetStatus::Ready) reportDrawn();
  afterFrame();
}

void StageWindow::afterFrame() {
  const ui::HostFrame& answer = session_->answer();
  if (answer.cursor != cursor_) {
    cursor_ = answer.cursor;
    GLFWcursor*& shape = cursors_[static_cast<std::size_t>(cursor_)];
    if (!shape) shape = glfwCreateStandardCursor(cursorShape(cursor_));
    glfwSetCursor(window_, shape);
  }
  if (answer.title != title_) {
    title_ = answer.title;
    glfwSetWindowTitle(window_, title_.c_str());
  }
  if (answer.request == ui::HostRequest::SaveDialog) {
    session_->workbench().say({ui::Message::Level::Note, ui::tr("There is no session file to save to. The stage saves "
                                                                "only the session (.sepx) that it was started with.")});
    dirty_ = true;
  }
  if (answer.request == ui::HostRequest::FullScreen) toggleFullScreen();
  if (answer.request == ui::HostRequest::Quit) glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void StageWindow::waitForWork(bool frameDue) {
  const double now = glfwGetTime();
  sink_.turn.asked = now;
  if (frameDue) {
    const double left = lastFrame_ + framePeriod() - now;
    return left > 0 ? glfwWaitEventsTimeout(left) : glfwPollEvents();
  }
  // Only the hiding of the cursor happens without an event.
  const double left = lastMove_ + kCursorRests - now;
  return left > 0 ? glfwWaitEventsTimeout(left) : glfwWaitEvents();
}

Result<void> StageWindow::recover() {
  session_->workbench().releaseGpu();
  session_->detach();
  vkDestroySurfaceKHR(session_->context().instance(), surface_, nullptr);
  surface_ = VK_NULL_HANDLE;
  if (const auto renewed = session_->renewDevice(); !renewed) return renewed;
  dirty_ = true;
  return openSurface();
}

Result<void> StageWindow::runLive() {
  const EndSignals ends([window = window_] {
    glfwSetWindowShouldClose(window, GLFW_TRUE);
    glfwPostEmptyEvent();
  });
  while (!glfwWindowShouldClose(window_)) {
    const bool due = frameDue();
    waitForWork(due);
    sink_.turn.ended = glfwGetTime();
    if (const auto drawn = drawIfDue(due); !drawn) return drawn;
  }
  return {};
}

bool StageWindow::frameDue() const {
  return extent() != gpu::Extent{} && (dirty_ || session_->needsFrame() || status_ == gpu::TargetStatus::NotReady);
}

Result<void> StageWindow::turn() {
  const bool due = frameDue();
  sink_.turn.asked = glfwGetTime();
  glfwPollEvents();
  sink_.turn.ended = glfwGetTime();
  return drawIfDue(due);
}

/// Draws a frame if one is due. Call after the events have been handled.
Result<void> StageWindow::drawIfDue(bool due) {
  keepMonitor();
  if (link_ && followStudio()) dirty_ = true;
  hideRestingCursor();
  if (!due && !dirty_ && !session_->needsFrame()) return {};
  if (glfwGetTime() - lastFrame_ < framePeriod()) return {};
  drawNow();
  return status_ == gpu::TargetStatus::Lost ? recover() : Result<void>();
}

Result<void> StageWindow::runSimulated() {
  if (!options_.common.script.empty()) {
    if (const auto started = session_->startScript(*this); !started) return started;
  }
  for (int patience = 0; patience < kSettleFrames; ++patience) {
    glfwPollEvents();
    if (glfwWindowShouldClose(window_))
      return tl::unexpected(stageError(ErrorKind::Interrupted, N_("the window was closed before the script ended")));
    drawNow();
    if (status_ == gpu::TargetStatus::Lost) {
      if (const auto recovered = recover(); !recovered) return recovered;
    }
    if (session_->scriptRunning()) {
      patience = 0;
      continue;
    }
    if (const auto outcome = session_->scriptOutcome(); !outcome) return outcome;
    if (options_.common.shot.empty()) return {};
    if (!session_->settled()) continue;
    const auto pixels = capture();
    if (!pixels) return tl::unexpected(pixels.error());
    return render::writePng(*pixels, options_.common.shot, {{render::kRecipeKey, session_->workbench().recipe()}});
  }
  return tl::unexpected(stageError(ErrorKind::CheckFailed, N_("the picture was not complete in time; running jobs: {}"),
                                   session_->workbench().statusLine()));
}

Result<void> StageWindow::run() {
  const auto outcome = session_->simulated() ? runSimulated() : runLive();
  return outcome ? session_->validationOutcome() : outcome;
}

}  // namespace sepx::app
