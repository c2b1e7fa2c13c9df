// SPDX-License-Identifier: Apache-2.0
// The window for the audience: one GLFW window, full screen on a chosen monitor or windowed, that plays a lesson or a
// session, or shows what a studio shows (stage_follow.cpp). Presenter keys are PageDown and PageUp, and the arrow keys
// while a lesson is open. The cursor hides when it does not move. If the monitor is unplugged, the stage becomes a
// window on another monitor until the first one is back. Frames on demand, at most one per refresh of the monitor. Main
// thread only; one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/options.h"
#include "app/presentation/stage_link.h"
#include "app/stage/glfw_input.h"
#include "app/window_session.h"
#include "ui/workbench/script_runner.h"

struct GLFWcursor;
struct GLFWmonitor;

namespace sepx::app {

struct StageOptions {
  Options common;
  std::string file;  ///< session, lesson or checkpoint; empty: see WindowSession::initialContent()
  bool windowed = false;
  std::string monitor = "0";  ///< number in the system's list, from 0, or name, or position "+X+Y"
  std::string follow;         ///< socket of the studio to follow; empty: none
};

class StageWindow final : public ui::ScriptHost {
 public:
  /// Call after glfwInit(). NoDevice without a Vulkan device or window, Usage for an unknown monitor, BadInput for an
  /// unusable file.
  static Result<std::unique_ptr<StageWindow>> create(const StageOptions& options);
  ~StageWindow() override;

  /// Runs until the window is closed, or the script and the shot are done.
  Result<void> run();

  /// One iteration of the interactive loop of run(). Does not block.
  Result<void> turn();
  /// Whether a studio is followed and connected.
  bool connected() const { return connected_; }
  /// Why the current state of the studio is not shown, one sentence; empty if it is shown.
  const std::string& refused() const { return refused_; }

  WindowSession& session() { return *session_; }
  GLFWwindow* window() { return window_; }

  gpu::Extent extent() const override;
  float scale() const override;
  Result<void> resize(gpu::Extent extent) override;
  Result<void> setScale(float scale) override;
  Result<gpu::Pixels> capture() override { return session_->capture(); }

 private:
  explicit StageWindow(const StageOptions& options) : options_(options) {}
  Result<void> openWindow();
  Result<void> openSurface();
  Result<void> openFile();
  Result<void> runSimulated();
  Result<void> runLive();
  bool frameDue() const;
  Result<void> drawIfDue(bool due);
  Result<void> recover();
  void take(ui::InputEvent event);
  void waitForWork(bool frameDue);
  void drawNow();
  void afterFrame();
  void toggleFullScreen();
  void hideRestingCursor();
  /// Keeps the full screen on its monitor. While that monitor is gone, the stage is a window.
  void keepMonitor();
  // stage_follow.cpp
  Result<void> startFollowing();
  void takeFollowing(const ui::KeyPressed& key);
  /// Handles what the studio sent. Returns whether there was anything.
  bool followStudio();
  void updateQuietSentence();
  void reportDrawn();
  void toggleLocalBlank();
  double framePeriod() const;

  StageOptions options_;
  GLFWwindow* window_ = nullptr;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  std::unique_ptr<WindowSession> session_;
  InputSink sink_;
  float scale_ = 0;
  bool dirty_ = true;
  bool cursorHidden_ = false;
  double lastMove_ = 0, lastFrame_ = 0;
  gpu::TargetStatus status_ = gpu::TargetStatus::NotReady;
  ui::Cursor cursor_ = ui::Cursor::Arrow;
  std::array<GLFWcursor*, 7> cursors_{};  ///< index: ui::Cursor; created on first use, freed by glfwTerminate()
  gpu::Extent windowedSize_;
  std::string title_;
  std::string monitorName_;  ///< monitor of the full screen; empty: a window
  bool monitorDisconnected_ = false;
  std::unique_ptr<StageLink> link_;
  bool connected_ = false, blankedLocally_ = false;
  std::string lost_;                       ///< why there is no studio, a sentence; empty: it ended
  std::string refused_;                    ///< why the last state is not shown
  std::optional<std::uint64_t> followed_;  ///< number of the state to be drawn
};

/// The monitor with this number, name or position ("+1920+0"). Usage if there is no such monitor, NoDevice if there is
/// no monitor at all.
Result<GLFWmonitor*> findMonitor(const std::string& which);

}  // namespace sepx::app
