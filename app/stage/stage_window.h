// SPDX-License-Identifier: Apache-2.0
// What an audience sees: one GLFW window, full screen on a chosen monitor or windowed, that plays a lesson or a
// session, or shows what a studio shows (stage_follow.cpp). Presenter keys are PageDown and PageUp, and the arrow keys
// while a lesson is open; the cursor hides when it rests. A monitor that is unplugged leaves a window on another one,
// and takes it back when it is there again. Frames on demand, at most one per refresh of the monitor. Main thread only;
// one at a time.
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
  std::string file;  ///< session, lesson or checkpoint; empty: what WindowSession::beginning() says
  bool windowed = false;
  std::string monitor = "0";  ///< of those the system lists: its number, the first is 0, its name, or "+X+Y"
  std::string follow;         ///< socket of the studio that it follows; empty: it follows none
};

class StageWindow final : public ui::ScriptHost {
 public:
  /// After glfwInit(). NoDevice without a Vulkan device or window, Usage for a monitor that is not there, BadInput for
  /// the file.
  static Result<std::unique_ptr<StageWindow>> create(const StageOptions& options);
  ~StageWindow() override;

  /// Until the window is closed, or the script and the shot are done.
  Result<void> run();

  /// One turn of what run() does for a person, which waits for nothing.
  Result<void> turn();
  /// A studio is followed, and there.
  bool connected() const { return connected_; }
  /// Why what the studio shows now is not shown, a sentence; empty: it is.
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
  /// The full screen goes where its monitor is, and a window stays while that is gone.
  void keepMonitor();
  // stage_follow.cpp
  Result<void> startFollowing();
  void takeFollowing(const ui::KeyPressed& key);
  /// Whether the studio sent something.
  bool followStudio();
  void sayQuietly();
  void tellDrawn();
  void blankHere();
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
  std::array<GLFWcursor*, 7> cursors_{};  ///< by ui::Cursor; made when first needed, freed by GLFW at its end
  gpu::Extent windowedSize_;
  std::string title_;
  std::string monitorName_;  ///< that the full screen belongs on; empty: it is a window
  bool monitorGone_ = false;
  std::unique_ptr<StageLink> link_;
  bool connected_ = false, blankHere_ = false;
  std::string lost_;                       ///< why there is no studio, a sentence; empty: it ended
  std::string refused_;                    ///< why the last state is not shown
  std::optional<std::uint64_t> followed_;  ///< number of a state that is to be drawn
};

/// The monitor of this number, name or place ("+1920+0"); Usage where there is none, NoDevice where there is no monitor
/// at all.
Result<GLFWmonitor*> findMonitor(const std::string& which);

}  // namespace sepx::app
