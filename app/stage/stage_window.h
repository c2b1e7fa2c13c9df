// SPDX-License-Identifier: Apache-2.0
// What an audience sees: one GLFW window, full screen on a chosen monitor or windowed, that plays a lesson or a
// session. Presenter keys are PageDown and PageUp, and the arrow keys while a lesson is open; the cursor hides when it
// rests. Frames on demand, at most one per refresh of the monitor. Main thread only; one at a time.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "app/options.h"
#include "app/stage/glfw_input.h"
#include "app/window_session.h"
#include "ui/workbench/script_runner.h"

struct GLFWcursor;

namespace sepx::app {

struct StageOptions {
  Options common;
  std::string file;  ///< session, lesson or checkpoint; empty: what WindowSession::beginning() says
  bool windowed = false;
  int monitor = 0;  ///< of those the system lists, the first is 0
};

class StageWindow final : public ui::ScriptHost {
 public:
  /// After glfwInit(). NoDevice without a Vulkan device or window, Usage for a monitor that is not there, BadInput for
  /// the file.
  static Result<std::unique_ptr<StageWindow>> create(const StageOptions& options);
  ~StageWindow() override;

  /// Until the window is closed, or the script and the shot are done.
  Result<void> run();

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
  Result<void> recover();
  void take(ui::InputEvent event);
  void waitForWork(bool frameDue);
  void drawNow();
  void afterFrame();
  void toggleFullScreen();
  void hideRestingCursor();
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
};

}  // namespace sepx::app
