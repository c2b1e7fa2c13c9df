// SPDX-License-Identifier: Apache-2.0
// Lets a window go before background work on the same cores: while a frame is being made, workers that ask here wait,
// at most kLongest a time, so that a window that never ends its frame stops nobody. The frame's side is one atomic
// store; workers ask between pieces of work of some milliseconds at most. Any number of frames and workers.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace sepx {

class FrameGate {
 public:
  static constexpr std::chrono::milliseconds kLongest{50};  ///< that a trainer waits

  /// The gate of this process: windows of one process share its cores.
  static FrameGate& process() {
    static FrameGate gate;
    return gate;
  }

  void frameBegins() { frames_.fetch_add(1, std::memory_order_relaxed); }  ///< of the thread that draws
  void frameEnds() { frames_.fetch_sub(1, std::memory_order_relaxed); }    ///< of the thread that draws
  /// Worker: returns when no frame is being made, or after kLongest.
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
