// SPDX-License-Identifier: Apache-2.0
// Waiting for an event in a test. A test measures no speed: how long it waits before it fails is far above what a
// loaded machine needs, and below the limit of a whole test program (tests/limits.cmake).
#pragma once

#include <chrono>
#include <thread>

namespace sepx::tests {

inline constexpr std::chrono::seconds kPatience{300};

/// Asks for the condition every few milliseconds until it holds; false when it does not within kPatience.
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
