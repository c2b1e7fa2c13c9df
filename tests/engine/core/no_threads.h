// SPDX-License-Identifier: Apache-2.0
// While one lives, the system refuses this process every new thread. Not by a limit of threads, which does not hold for
// root: there is no room for another stack.
#pragma once

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/engine/core/memory_limit.h"

namespace sepx::test {

class NoThreads {
 public:
  NoThreads() {
    idle_.reserve(kMost);
    if (!limit_.holds()) return;
    try {  // the C library keeps the stacks of threads that ended: these take them
      while (idle_.size() < kMost)
        idle_.emplace_back([this] { over_.wait(false); });
    } catch (const std::system_error&) {
      refused_ = true;
    }
  }
  ~NoThreads() {
    over_ = true;
    over_.notify_all();
    for (std::thread& thread : idle_)
      thread.join();
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

  /// False where nothing holds this process to a limit of memory, such as under an emulator.
  bool holds() const { return refused_; }

 private:
  static constexpr std::size_t kMost = 64;
  const MemoryLimit limit_{std::size_t{1} << 20};
  std::atomic<bool> over_{false};
  std::vector<std::thread> idle_;
  bool refused_ = false;
};

}  // namespace sepx::test
