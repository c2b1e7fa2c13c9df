// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/core/frame_gate.h"

using sepx::FrameGate;
using Clock = std::chrono::steady_clock;

TEST_CASE("An open gate lets workers pass, and a closed gate holds them until the frame ends") {
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

TEST_CASE("A frame that never ends holds workers only for the maximum wait") {
  FrameGate gate;
  gate.frameBegins();
  const auto start = Clock::now();
  gate.letFramesPass();
  CHECK(Clock::now() - start >= FrameGate::kLongest);
}
