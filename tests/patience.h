// SPDX-License-Identifier: Apache-2.0
// Waiting for an event in a test. A test does not measure speed: its timeout is far above the time that a loaded
// machine needs, and below the limit of a whole test program (tests/limits.cmake).
#pragma once

#include <chrono>
#include <thread>

namespace sepx::tests {

inline constexpr std::chrono::seconds kPatience{300};

/// Checks the condition every few milliseconds until it is true; false if it is not true within kPatience.
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds between = std::chrono::milliseconds(5)) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(between);
  }
  return true;
}

}  // namespace sepx::tests
