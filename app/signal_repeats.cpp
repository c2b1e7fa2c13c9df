// SPDX-License-Identifier: Apache-2.0
// Runs in signal handlers: uses lock-free atomics, and calls that POSIX allows there.
#include "app/signal_repeats.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace sepx::app {
namespace {

constexpr std::int64_t kSamePress = 500'000'000;  // ns

std::array<std::atomic<std::int64_t>, NSIG> taken{};  // time of the first one, ns; 0: none yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Monotonic time, ns; never 0.
std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec + 1;
}

}  // namespace

bool isFirst(int signal) {
  const int before = errno;
  const std::int64_t at = now();
  std::int64_t first = 0;
  const bool isIt = taken[static_cast<std::size_t>(signal)].compare_exchange_strong(first, at);
  if (!isIt && at - first >= kSamePress) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);  // delivered when the handler returns
  }
  errno = before;
  return isIt;
}

void awaitFirst(int signal) {
  taken[static_cast<std::size_t>(signal)] = 0;
}

}  // namespace sepx::app
