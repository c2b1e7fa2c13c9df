// SPDX-License-Identifier: Apache-2.0
// The common part of the two window hosts: a device, the target of one window, the Workbench, the queue of input events
// and the script that may drive them. The host owns the window and its surface; this class does not depend on a window
// system. Frame thread only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "app/autosave.h"
#include "app/options.h"
#include "engine/core/result.h"
#include "engine/gpu/context.h"
#include "engine/gpu/frame_target.h"
#include "engine/gpu/offscreen_target.h"
#include "engine/gpu/swapchain_target.h"
#include "ui/document/script.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/script_runner.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench.h"

namespace sepx::app {

class WindowSession {
 public:
  /// `context` was created before the window system was used, so that a missing driver ends the program early.
  /// `wake` is called from worker threads when a frame is worth drawing.
  /// `follows`: a stage that shows what another window shows.
  WindowSession(const Options& options, std::unique_ptr<gpu::Context> context, bool stage, std::function<void()> wake,
                bool follows = false);
  ~WindowSession();
  WindowSession(const WindowSession&) = delete;
  WindowSession& operator=(const WindowSession&) = delete;

  gpu::Context& context() { return *context_; }
  /// Name for the user: "llvmpipe (software)"; empty when the device was lost for good.
  std::string deviceName() const;
  /// Settings of the user; under a script or a shot, default settings that are not stored.
  ui::Settings& settings() { return *settings_; }
  /// Recovery files found at the start, without those that were restored or discarded since.
  const std::vector<RecoveryFile>& recoveryFiles() const { return recoveryFiles_; }
  /// Opens a recovery file. If it cannot be read, an error is returned and the file stays.
  Result<void> restore(const RecoveryFile& recovery);
  void discard(const RecoveryFile& recovery);
  /// Call when the system ends the window: unsaved work is kept for the next start.
  void saveForRecovery() {
    autosave_->keep(*workbench_);
    settings_->flush();
  }
  /// Sets the function that puts something on the clipboard.
  void setCopy(std::function<void(const ui::Clip&)> copy) { copy_ = std::move(copy); }
  /// Sets the function that is called in every frame when the content of the window is known and before it is drawn;
  /// `begun`: start of the frame, CLOCK_MONOTONIC nanoseconds.
  void setUpdated(std::function<void(std::int64_t begun)> updated) { updated_ = std::move(updated); }
  /// Sets the function that returns the text on the clipboard.
  void setPaste(std::function<std::string()> paste) { paste_ = std::move(paste); }
  /// Sets the function that opens a file or folder in another program.
  void setOpenOutside(std::function<void(const std::string&)> open) { openOutside_ = std::move(open); }

  /// What a window shows first.
  struct InitialContent {
    std::string file;        ///< to open; empty: none
    bool startPage = false;  ///< run "view.start"
  };
  /// `file`: from the command line. If it is empty, the session that was open last, if the user prefers that; else the
  /// start page, or the opening lesson if the user prefers no start page. --shot alone shows the start page.
  InitialContent initialContent(const std::string& file) const;

  ui::Workbench& workbench() { return *workbench_; }
  const ui::Workbench& workbench() const { return *workbench_; }

  /// From now on, frames are drawn to `surface`; `extent` returns the window's size in pixels at any time, 0 when
  /// minimised.
  Result<void> attach(VkSurfaceKHR surface, std::function<gpu::Extent()> extent);
  /// From now on, frames are drawn to an image that capture() reads: for platforms without Vulkan surfaces.
  Result<void> attachOffscreen(std::function<gpu::Extent()> extent);
  /// Frees the target. Must be called before the surface is destroyed.
  void detach();
  bool attached() const { return swapchain_ || offscreen_; }

  void push(ui::InputEvent event) { events_.push_back(std::move(event)); }
  /// Processes events, updates, and draws one picture if there is a target. A running script acts before and after
  /// that.
  gpu::TargetStatus frame(float scale, bool inspectorShown);
  /// False: a frame now would show the same picture, and the host may sleep.
  bool needsFrame() const;
  /// The frame data as the workbench filled it in for the last frame.
  const ui::HostFrame& answer() const { return answer_; }
  /// Frames drawn since the start.
  std::uint64_t drawn() const { return drawn_; }

  /// The current picture, read back.
  Result<gpu::Pixels> capture();

  /// Call after TargetStatus::Lost, once the host has released its surface and everything else that it holds of the
  /// device. Creates a new device, once per session. NoDevice with a sentence the second time, or when there is none.
  Result<void> renewDevice();

  /// Whether time is simulated, one frame each 1/60 s: --script or --shot was given.
  bool simulated() const { return simulated_; }
  /// Starts the script (or all steps of a lesson) of the options. Each frame() takes a step of it.
  Result<void> startScript(ui::ScriptHost& host);
  bool scriptRunning() const { return runner_ && runner_->running(); }
  /// Success if every expectation of the script held.
  Result<void> scriptOutcome() const;
  /// In simulated time: whether the picture has settled.
  bool settled() const;

  /// Internal when validation is on and reported something; every message goes to standard error.
  Result<void> validationOutcome() const;

 private:
  gpu::FrameTarget* target();
  Result<void> fitOffscreen();
  gpu::TargetStatus drawAgain(gpu::FrameTarget& into, ui::HostFrame& host);
  void logFrame(double milliseconds) const;

  ui::WorkbenchOptions describe(bool stage, bool follows, std::function<void()> wake);
  void forget(const std::string& recovery);

  Options options_;
  std::unique_ptr<gpu::Context> context_;
  std::unique_ptr<ui::Settings> settings_;  ///< declared before the workbench, which reads them
  std::function<void(const ui::Clip&)> copy_;
  std::function<std::string()> paste_;
  std::function<void(const std::string&)> openOutside_;
  std::function<void(std::int64_t begun)> updated_;
  std::vector<RecoveryFile> recoveryFiles_;
  std::unique_ptr<Autosave> autosave_;
  std::unique_ptr<ui::Workbench> workbench_;
  std::unique_ptr<gpu::SwapchainTarget> swapchain_;
  std::unique_ptr<gpu::OffscreenTarget> offscreen_;
  std::function<gpu::Extent()> extent_;
  std::vector<ui::InputEvent> events_;
  ui::HostFrame answer_;
  std::unique_ptr<ui::ScriptRunner> runner_;
  bool simulated_ = false;
  bool renewed_ = false;
  bool lastReady_ = false;  ///< the last frame was drawn
  std::uint64_t drawn_ = 0;
  std::chrono::steady_clock::time_point begun_{};  ///< start of the current frame
  std::uint64_t ticks_ = 0;                        ///< frames of simulated time
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sepx::app
