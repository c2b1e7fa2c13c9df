// SPDX-License-Identifier: Apache-2.0
// The studio's control of the stage: starts the stage process, sends it what the window shows, runs the commands of
// remote keys that were pressed there, reports when the stage is gone, and measures the latency of its picture.
// Independent of the window system. Frame thread only.
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
  /// `program`: path of separatrix-stage. `wake`: called on another thread when poll() has something to do.
  StageControl(ui::Workbench& workbench, std::string program, std::function<void()> wake);
  /// The stage keeps running with the last picture.
  ~StageControl();

  /// Opens the stage on the monitor with this name, or as a window if the name is empty. A stage that already waits is
  /// used. No-op while a stage is connected. A failure is reported in the window.
  void start(const std::string& monitor);
  /// Closes the stage, also one that is still starting.
  void end();
  bool active() const { return link_ != nullptr; }
  /// Whether a stage has said hello and is still connected.
  bool connected() const { return stage_.has_value(); }
  /// Whether a process that start() began is not known to have ended.
  bool processLives() const { return process_.has_value() || !ending_.empty(); }
  const std::optional<HelloMessage>& stage() const { return stage_; }

  /// Call in every frame, after the content of the window is known. `begun`: start of the frame, CLOCK_MONOTONIC
  /// nanoseconds.
  void update(std::int64_t begun);
  /// Handles events from the stage and checks whether its process still runs. Call once per frame, and once per second
  /// while active().
  void poll();

  /// Seconds from the start of a frame of the studio to its picture on the stage, for the last kLatencies states.
  const std::vector<double>& latencies() const { return latencies_; }
  static constexpr std::size_t kLatencies = 4096;
  /// `share`: 0 to 1. Empty optional before the first picture.
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
  bool answered_ = false;      ///< that process has been connected
  std::vector<pid_t> ending_;  ///< processes that got SIGTERM while they were not connected
  std::optional<ui::Presented> sent_;
  const void* sentLesson_ = nullptr;  ///< address of the lesson's steps then; it changes when the lesson is reopened
  std::vector<double> latencies_;
  std::size_t nextLatency_ = 0;
};

}  // namespace sepx::app
