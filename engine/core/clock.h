// SPDX-License-Identifier: Apache-2.0
// How long something took, by a clock that never goes back. Any thread.
#pragma once

#include <chrono>

namespace sepx {

/// Milliseconds of a clock whose zero is the same throughout one run of the program.
inline double steadyMilliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Milliseconds from `start` to now.
inline double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace sepx
