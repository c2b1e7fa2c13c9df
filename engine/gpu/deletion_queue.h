// SPDX-License-Identifier: Apache-2.0
// Deferred destruction: a pushed deleter runs once the queue's timeline has passed the value that its entry was stamped
// with. While a command buffer is being recorded, it is not yet known which submission will be the last to use an
// object. An object that is retired then waits unstamped until no recording is open. Makes no Vulkan calls, so that it
// can be tested with fake deleters. Frame thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>

namespace sepx::gpu {

class DeletionQueue {
 public:
  using Deleter = std::function<void()>;  ///< called when the device has passed the value
  /// The value of an object that is retired during a recording.
  static constexpr std::uint64_t kUnstamped = std::numeric_limits<std::uint64_t>::max();

  /// `value`: the last submission that may use the resource. Values never decrease.
  void push(std::uint64_t value, Deleter deleter);
  /// Gives the unstamped entries their value: the last submission, once no recording is open.
  void stamp(std::uint64_t value);
  /// Runs the deleters whose value is completed, oldest first. A deleter may push. Returns how many ran.
  std::size_t collect(std::uint64_t completed);
  /// Runs all deleters, including those pushed meanwhile. The device must be idle.
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
