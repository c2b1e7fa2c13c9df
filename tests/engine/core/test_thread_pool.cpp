// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <new>
#include <thread>
#include <vector>

#include "engine/core/resource_limits.h"
#include "engine/core/thread_pool.h"
#include "tests/engine/core/memory_limit.h"

using sepx::ThreadPool;

TEST_CASE("Every index is visited once, in blocks no larger than the grain") {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    CHECK(pool.size() == threads);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
      for (const std::size_t grain : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{5000}}) {
        std::vector<std::atomic<int>> visits(count + 10);
        std::atomic<bool> tooLarge{false};
        pool.parallelFor(10, 10 + count, grain, [&](std::size_t first, std::size_t last) {
          if (last - first > std::max<std::size_t>(grain, 1)) tooLarge = true;
          for (std::size_t i = first; i < last; ++i)
            ++visits[i];
        });
        bool once = true;
        for (std::size_t i = 0; i < visits.size(); ++i)
          once = once && visits[i] == (i >= 10 ? 1 : 0);
        CHECK(once);
        CHECK_FALSE(tooLarge);
      }
    }
  }
}

TEST_CASE("Several threads and nested loops share one pool") {
  ThreadPool pool(3);
  std::atomic<long> sum{0};
  const auto outer = [&pool, &sum] {
    for (int repeat = 0; repeat < 20; ++repeat)
      pool.parallelFor(0, 8, 1, [&pool, &sum](std::size_t first, std::size_t) {
        pool.parallelFor(0, 50, 7, [&sum, first](std::size_t a, std::size_t b) {
          for (std::size_t i = a; i < b; ++i)
            sum += static_cast<long>(first * i);
        });
      });
  };
  std::thread other(outer);
  outer();
  other.join();
  CHECK(sum == 2L * 20 * (7 * 8 / 2) * (49 * 50 / 2));
}

TEST_CASE("The default pool has one thread per core") {
  CHECK(ThreadPool().size() == std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST_CASE("If fewer threads can be started than requested, these threads do the work") {
  const sepx::test::MemoryLimit limit(64 << 20);  // room for at most eight stacks
  if (!limit.holds()) {
    WARN("skipped: nothing holds this program to a limit of memory");
    return;
  }
  ThreadPool pool(200);
  CHECK(pool.size() >= 1);
  CHECK(pool.size() < 20);
  std::atomic<int> visits{0};
  pool.parallelFor(0, 1000, 7, [&](std::size_t first, std::size_t last) { visits += static_cast<int>(last - first); });
  CHECK(visits == 1000);
}

TEST_CASE("A check reports whether threads can be started before a GUI toolkit needs them") {
  CHECK(sepx::threadsCanStart(4));
  {
    const sepx::test::MemoryLimit limit(1 << 20);
    if (!limit.holds()) {
      WARN("skipped: nothing holds this program to a limit of memory");
      return;
    }
    CHECK_FALSE(sepx::threadsCanStart(64));
  }
  CHECK(sepx::threadsCanStart(64));
}

TEST_CASE("An exception in a block on any thread reaches the caller, and the pool remains usable") {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    for (const std::size_t bad : {std::size_t{0}, std::size_t{50}, std::size_t{99}}) {
      std::atomic<int> running{0};
      CHECK_THROWS_AS(pool.parallelFor(0, 100, 1,
                                       [&](std::size_t first, std::size_t) {
                                         ++running;
                                         if (first == bad) {
                                           --running;
                                           throw std::bad_alloc();
                                         }
                                         std::this_thread::yield();
                                         --running;
                                       }),
                      std::bad_alloc);
      CHECK(running == 0);  // no thread uses the caller's stack frame any more
    }
    std::atomic<int> visits{0};
    pool.parallelFor(0, 1000, 7,
                     [&](std::size_t first, std::size_t last) { visits += static_cast<int>(last - first); });
    CHECK(visits == 1000);
  }
}
