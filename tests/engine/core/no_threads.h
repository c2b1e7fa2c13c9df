// SPDX-License-Identifier: Apache-2.0
// While an object exists, the system refuses to start new threads in this process. A limit on the number of threads
// does not apply to root, so the memory limit leaves no room for another stack.
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
    try {  // uses up the stacks of ended threads that the C library keeps
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

  /// False if the memory limit is not enforced, for example under an emulator.
  bool holds() const { return refused_; }

 private:
  static constexpr std::size_t kMost = 64;
  const MemoryLimit limit_{std::size_t{1} << 20};
  std::atomic<bool> over_{false};
  std::vector<std::thread> idle_;
  bool refused_ = false;
};

}  // namespace sepx::test
