// SPDX-License-Identifier: Apache-2.0
// What the two window hosts share: a device, the target of one window, the Workbench, the queue of input events and the
// script that may drive them. The host owns the window and its surface; this class never sees a window system. Frame
// thread only.
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
  /// `context` was made before the window system was touched, so that a missing driver ends the program early.
  /// `wake` is called from worker threads when a frame is worth drawing.
  /// `follows`: a stage that shows what another window shows.
  WindowSession(const Options& options, std::unique_ptr<gpu::Context> context, bool stage, std::function<void()> wake,
                bool follows = false);
  ~WindowSession();
  WindowSession(const WindowSession&) = delete;
  WindowSession& operator=(const WindowSession&) = delete;

  gpu::Context& context() { return *context_; }
  /// As a person knows it: "llvmpipe (software)"; empty when the device was lost for good.
  std::string deviceName() const;
  /// Of the person; under a script or a shot those of nobody, kept nowhere.
  ui::Settings& settings() { return *settings_; }
  /// What dead windows left, found at the start; less what was restored or discarded since.
  const std::vector<RecoveryFile>& recoveryFiles() const { return recoveryFiles_; }
  /// Takes over what a dead window left. What cannot be read is said, and stays.
  Result<void> restore(const RecoveryFile& recovery);
  void discard(const RecoveryFile& recovery);
  /// The system ends the window: what is not saved waits for the next start.
  void keepUnsaved() {
    autosave_->keep(*workbench_);
    settings_->flush();
  }
  /// What puts something on the clipboard, from now on.
  void setCopy(std::function<void(const ui::Clip&)> copy) { copy_ = std::move(copy); }
  /// Called in every frame when what the window shows is known and before it is drawn, from now on; `begun`: when the
  /// frame began, CLOCK_MONOTONIC nanoseconds.
  void setUpdated(std::function<void(std::int64_t begun)> updated) { updated_ = std::move(updated); }
  /// What answers the text on the clipboard, from now on.
  void setPaste(std::function<std::string()> paste) { paste_ = std::move(paste); }
  /// What opens a file or folder outside of the program, from now on.
  void setOpenOutside(std::function<void(const std::string&)> open) { openOutside_ = std::move(open); }

  /// What a window begins with.
  struct Beginning {
    std::string file;        ///< to open; empty: none
    bool startPage = false;  ///< run "view.start"
  };
  /// `file`: of the command line. Else the session that was open last, where a person prefers that; else the start
  /// page, or the opening lesson for a person who prefers none. --shot alone is a picture of the start page.
  Beginning beginning(const std::string& file) const;

  ui::Workbench& workbench() { return *workbench_; }
  const ui::Workbench& workbench() const { return *workbench_; }

  /// Frames go to `surface` from now on; `extent` answers the window's size in pixels whenever asked, 0 when minimised.
  Result<void> attach(VkSurfaceKHR surface, std::function<gpu::Extent()> extent);
  /// Frames go to an image that shown() hands out: for platforms without Vulkan surfaces.
  Result<void> attachOffscreen(std::function<gpu::Extent()> extent);
  /// Frees the target. Before the surface dies, always.
  void detach();
  bool attached() const { return swapchain_ || offscreen_; }

  void push(ui::InputEvent event) { events_.push_back(std::move(event)); }
  /// Events, update and, where there is something to draw into, one picture. A running script takes its step around it.
  gpu::TargetStatus frame(float scale, bool inspectorShown);
  /// False: a frame now would be the same picture, the host sleeps.
  bool needsFrame() const;
  /// What the workbench answered to the last frame.
  const ui::HostFrame& answer() const { return answer_; }
  /// Frames drawn since the start.
  std::uint64_t drawn() const { return drawn_; }

  /// The present picture, read back.
  Result<gpu::Pixels> capture();

  /// After TargetStatus::Lost, once the host has let go of its surface and of all else that it holds of the device: a
  /// new device, once in a session. NoDevice with a sentence the second time, or when there is none.
  Result<void> renewDevice();

  /// Whether time is simulated, one frame each 1/60 s: --script or --shot was given.
  bool simulated() const { return simulated_; }
  /// Starts the script (or all steps of a lesson) of the options. Each frame() takes a step of it.
  Result<void> startScript(ui::ScriptHost& host);
  bool scriptRunning() const { return runner_ && runner_->running(); }
  /// Nothing was expected in vain.
  Result<void> scriptOutcome() const;
  /// In simulated time: whether the picture has come to rest.
  bool settled() const;

  /// Internal when validation is on and said something; every message goes to standard error.
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
  std::unique_ptr<ui::Settings> settings_;  ///< before the workbench, which reads them
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
  std::chrono::steady_clock::time_point begun_{};  ///< of the present frame
  std::uint64_t ticks_ = 0;                        ///< frames of simulated time
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sepx::app
