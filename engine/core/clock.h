// SPDX-License-Identifier: Apache-2.0
// Measures durations with a monotonic clock. Any thread.
#pragma once

#include <chrono>

namespace sepx {

/// Milliseconds of the monotonic clock. Its origin is fixed while the program runs.
inline double steadyMilliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Milliseconds from `start` to now.
inline double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace sepx
