// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/core/frame_gate.h"

using sepx::FrameGate;
using Clock = std::chrono::steady_clock;

TEST_CASE("an open gate costs nothing, a closed one holds workers until the frame ends") {
  FrameGate gate;
  gate.letFramesPass();
  gate.frameBegins();
  std::atomic<bool> passed{false};
  std::thread worker([&] {
    gate.letFramesPass();
    passed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK_FALSE(passed.load());
  gate.frameEnds();
  worker.join();
  CHECK(passed.load());
}

TEST_CASE("a frame that never ends holds workers for the longest wait only") {
  FrameGate gate;
  gate.frameBegins();
  const auto start = Clock::now();
  gate.letFramesPass();
  CHECK(Clock::now() - start >= FrameGate::kLongest);
}
