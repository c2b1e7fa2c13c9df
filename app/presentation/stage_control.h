// SPDX-License-Identifier: Apache-2.0
// The presentation as the studio's window knows it: opens the stage's process, sends it what the window shows, carries
// out keys of a remote that were pressed there, says when it is gone, and measures how late its picture is. Knows no
// window system. Frame thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "app/presentation/studio_link.h"
#include "ui/workbench/workbench.h"

namespace sepx::app {

class StageControl {
 public:
  /// `program`: path of separatrix-stage. `wake`: from another thread, when poll() has something to do.
  StageControl(ui::Workbench& workbench, std::string program, std::function<void()> wake);
  /// The stage stays, with the last picture.
  ~StageControl();

  /// Opens the stage on a monitor, by its name; empty: as a window. A stage that waits already is taken. While one is
  /// there: nothing. A failure has been said in the window.
  void start(const std::string& monitor);
  /// Closes the stage, also one that is still starting.
  void end();
  bool active() const { return link_ != nullptr; }
  /// A stage has answered and is there.
  bool connected() const { return stage_.has_value(); }
  /// A process that start() began has not ended, or not been heard to.
  bool processLives() const { return process_.has_value() || !ending_.empty(); }
  const std::optional<HelloMessage>& stage() const { return stage_; }

  /// In every frame, when what the window shows is known. `begun`: of the frame, CLOCK_MONOTONIC nanoseconds.
  void update(std::int64_t begun);
  /// What came from the stage, and whether its process still lives. Once a frame, and once a second while active().
  void poll();

  /// Seconds from a frame of the studio to the picture of the stage, of the last kLatencies states.
  const std::vector<double>& latencies() const { return latencies_; }
  static constexpr std::size_t kLatencies = 4096;
  /// 0 to 1; nothing before the first picture.
  std::optional<double> latencyQuantile(double share) const;

 private:
  void take(const StudioLink::Event& event);
  void press(RemoteKey key);
  void watchProcess();
  void abandonProcess();

  ui::Workbench& workbench_;
  std::string program_;
  std::function<void()> wake_;
  std::unique_ptr<StudioLink> link_;
  std::optional<HelloMessage> stage_;
  std::optional<pid_t> process_;
  bool answered_ = false;      ///< that process was connected once
  std::vector<pid_t> ending_;  ///< processes that were told to end while they were not connected
  std::optional<ui::Presented> sent_;
  const void* sentLesson_ = nullptr;  ///< where the steps of the lesson were then: opened anew they are elsewhere
  std::vector<double> latencies_;
  std::size_t nextLatency_ = 0;
};

}  // namespace sepx::app
