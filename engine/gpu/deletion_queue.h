// SPDX-License-Identifier: Apache-2.0
// Deferred destruction: what is pushed dies once the queue's timeline has passed the value it was stamped with. While a
// command buffer is being recorded nobody knows yet which submission will be the last user, so what is retired then
// waits unstamped until no recording is open. Knows no Vulkan, so that it is tested with fake deleters. Frame thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>

namespace sepx::gpu {

class DeletionQueue {
 public:
  using Deleter = std::function<void()>;  ///< called when the device has passed the value
  /// The stamp of what is retired during a recording.
  static constexpr std::uint64_t kUnstamped = std::numeric_limits<std::uint64_t>::max();

  /// `value`: the last submission that may use the resource. Values never decrease.
  void push(std::uint64_t value, Deleter deleter);
  /// Gives the unstamped entries their value: the last submission, now that no recording is open.
  void stamp(std::uint64_t value);
  /// Runs the deleters whose value is completed, oldest first; they may push. Returns how many ran.
  std::size_t collect(std::uint64_t completed);
  /// Runs all of them (the device is idle), also those pushed meanwhile.
  void flush();
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t value;
    Deleter deleter;
  };
  std::deque<Entry> entries_;  // values ascending
};

}  // namespace sepx::gpu
