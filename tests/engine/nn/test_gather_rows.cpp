// SPDX-License-Identifier: Apache-2.0
// Gathering and scattering of rows: by hand, and as transposes of each other on any number of threads.
#include <catch2/catch.hpp>

#include <vector>

#include "engine/nn/arena.h"
#include "engine/nn/gather_rows.h"
#include "tests/engine/nn/gradient_check.h"

using namespace sepx;
using namespace sepx::nn;

TEST_CASE("gather rows: rows are gathered in order, with an addend, also repeatedly") {
  ThreadPool pool(1);
  const std::vector<float> x{0, 1, 10, 11, 20, 21, 30, 31}, addend{5, 5, 6, 6, 7, 7, 8, 8};
  const std::vector<Target> targets{{1, 0, 1}, {1, 0, 1}, {3, 0, 1}};
  std::vector<float> out(6);
  gatherRows<float>(pool, targets, 2, x.data(), nullptr, out.data());
  CHECK(out == std::vector<float>{10, 11, 10, 11, 30, 31});
  gatherRows<float>(pool, targets, 2, x.data(), addend.data(), out.data());
  CHECK(out == std::vector<float>{16, 17, 16, 17, 38, 39});

  std::vector<float> back(8, -1);
  scatterRows<float>(pool, targets, 4, 2, std::vector<float>{1, 2, 3, 4, 5, 6}.data(), back.data());
  CHECK(back == std::vector<float>{0, 0, 4, 6, 0, 0, 5, 6});
}

TEST_CASE("gather rows: scattering is the transpose of gathering, the same on any number of threads") {
  constexpr std::size_t kRows = 700, kWidth = 65;
  std::vector<Target> targets;
  for (std::int32_t row = 0; row < static_cast<std::int32_t>(kRows); ++row)
    for (int copy = 0; copy < row % 5 - 1; ++copy)
      targets.push_back({row, 0, 1});
  const std::vector<double> x = test::randomValues(kRows * kWidth, 1),
                            y = test::randomValues(targets.size() * kWidth, 2);
  std::vector<double> taken(y.size()), put(x.size()), again(x.size());
  ThreadPool one(1), three(3);
  gatherRows<double>(three, targets, kWidth, x.data(), nullptr, taken.data());
  scatterRows<double>(three, targets, kRows, kWidth, y.data(), put.data());
  scatterRows<double>(one, targets, kRows, kWidth, y.data(), again.data());
  CHECK(put == again);
  CHECK(test::weightedSum(taken, y) == Approx(test::weightedSum(put, x)).epsilon(1e-12));

  scatterRows<double>(three, {}, kRows, kWidth, nullptr, put.data());
  CHECK(put == std::vector<double>(x.size(), 0.0));
}

TEST_CASE("arena: it grows, never shrinks, and starts on a cache line or a large page") {
  Arena<float> arena;
  CHECK(arena.size() == 0);
  arena.hold(100);
  CHECK(reinterpret_cast<std::uintptr_t>(arena.data()) % 64 == 0);
  arena.hold(std::size_t{1} << 20U);
  CHECK(reinterpret_cast<std::uintptr_t>(arena.data()) % (std::size_t{1} << 21U) == 0);
  arena.data()[(std::size_t{1} << 20U) - 1] = 1;
  const float* const held = arena.data();
  arena.hold(10);
  CHECK(arena.data() == held);
  CHECK(arena.size() == std::size_t{1} << 20U);
}
