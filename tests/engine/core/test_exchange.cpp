// SPDX-License-Identifier: Apache-2.0
// Exchange of data between two threads. Intended to be run with ThreadSanitizer as well.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "engine/core/command_ring.h"
#include "engine/core/exchange.h"

TEST_CASE("The reader sees the latest published value, and only new values are reported as fresh") {
  sepx::Exchange<int> exchange;
  CHECK_FALSE(exchange.refresh());
  exchange.slot() = 1;
  CHECK_FALSE(exchange.refresh());
  exchange.publish();
  exchange.slot() = 2;
  exchange.publish();
  exchange.slot() = 3;  // not published
  CHECK(exchange.refresh());
  CHECK(exchange.latest() == 2);
  CHECK_FALSE(exchange.refresh());
  CHECK(exchange.latest() == 2);
}

TEST_CASE("A reader that races with a writer never sees a torn or older value") {
  struct Value {
    std::uint64_t number = 0;
    std::vector<std::uint64_t> copies = std::vector<std::uint64_t>(64, 0);
  };
  constexpr std::uint64_t kLast = 100000;
  sepx::Exchange<Value> exchange;
  std::thread writer([&exchange] {
    for (std::uint64_t n = 1; n <= kLast; ++n) {
      Value& slot = exchange.slot();
      slot.number = n;
      for (std::uint64_t& copy : slot.copies)
        copy = n;
      exchange.publish();
    }
  });
  std::uint64_t seen = 0, torn = 0, older = 0;
  while (seen < kLast) {
    if (!exchange.refresh()) continue;
    const Value& value = exchange.latest();
    if (value.number <= seen) ++older;
    for (const std::uint64_t copy : value.copies)
      torn += copy != value.number;
    seen = value.number;
  }
  writer.join();
  CHECK(torn == 0);
  CHECK(older == 0);
}

TEST_CASE("The ring keeps the order, rejects values when it is full and returns each value once") {
  sepx::CommandRing<int, 4> ring;
  CHECK_FALSE(ring.pop().has_value());
  for (int i = 0; i < 4; ++i)
    CHECK(ring.push(i));
  CHECK_FALSE(ring.push(4));
  CHECK(ring.pop() == 0);
  CHECK(ring.push(4));
  for (int i = 1; i <= 4; ++i)
    CHECK(ring.pop() == i);
  CHECK_FALSE(ring.pop().has_value());
}

TEST_CASE("A rejected push leaves the value with the producer") {
  sepx::CommandRing<std::unique_ptr<int>, 1> ring;
  CHECK(ring.push(std::make_unique<int>(1)));
  auto second = std::make_unique<int>(2);
  CHECK_FALSE(ring.push(std::move(second)));
  REQUIRE(second);
  CHECK(*ring.pop().value() == 1);
}

TEST_CASE("The ring keeps the order when producer and consumer race") {
  constexpr int kCount = 200000;
  sepx::CommandRing<int, 64> ring;
  std::thread producer([&ring] {
    for (int i = 0; i < kCount;)
      i += ring.push(i) ? 1 : (std::this_thread::yield(), 0);
  });
  int expected = 0, wrong = 0;
  while (expected < kCount) {
    const auto value = ring.pop();
    if (!value) {
      std::this_thread::yield();
      continue;
    }
    wrong += *value != expected;
    ++expected;
  }
  producer.join();
  CHECK(wrong == 0);
}
