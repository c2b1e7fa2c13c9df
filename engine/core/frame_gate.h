// SPDX-License-Identifier: Apache-2.0
// Gives a window priority over background work on the same cores. While a frame is being drawn, workers that call
// letFramesPass() wait, each time at most kLongest, so that a frame that never ends blocks no worker. The frame's side
// is one atomic operation. Workers call it between pieces of work of at most a few milliseconds. Any number of frames
// and workers.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace sepx {

class FrameGate {
 public:
  static constexpr std::chrono::milliseconds kLongest{50};  ///< the longest time that a worker waits

  /// The gate of this process, since all windows of a process share its cores.
  static FrameGate& process() {
    static FrameGate gate;
    return gate;
  }

  void frameBegins() { frames_.fetch_add(1, std::memory_order_relaxed); }  ///< of the thread that draws
  void frameEnds() { frames_.fetch_sub(1, std::memory_order_relaxed); }    ///< of the thread that draws
  /// Worker: returns when no frame is being drawn, or after kLongest.
  void letFramesPass() const {
    if (frames_.load(std::memory_order_relaxed) == 0) return;
    const auto until = std::chrono::steady_clock::now() + kLongest;
    while (frames_.load(std::memory_order_relaxed) > 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

 private:
  std::atomic<int> frames_{0};
};

/// One frame, from here to the end of the scope.
class FrameInProgress {
 public:
  FrameInProgress() { FrameGate::process().frameBegins(); }
  ~FrameInProgress() { FrameGate::process().frameEnds(); }
  FrameInProgress(const FrameInProgress&) = delete;
  FrameInProgress& operator=(const FrameInProgress&) = delete;
};

}  // namespace sepx
