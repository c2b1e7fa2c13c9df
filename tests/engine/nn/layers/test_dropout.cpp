// SPDX-License-Identifier: Apache-2.0
// Counter-based dropout. The mask is that of the block function of random.h, element by element, on any machine and any
// number of threads. Its share and its independence are those of fair draws.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "engine/nn/layers/dropout.h"
#include "tests/engine/nn/gradient_check.h"

namespace {

using namespace sepx;
using namespace sepx::test;

template <class T>
std::vector<T> dropped(std::size_t count, double p, std::uint64_t seed, std::uint64_t stream, int threads = 1) {
  ThreadPool pool(threads);
  std::vector<T> x(count, T(1));
  nn::dropout<T>(pool, seed, stream, p, count, x.data());
  return x;
}

}  // namespace

TEST_CASE("dropout: the mask of an element is a function of seed, stream and index") {
  for (const std::size_t count : {1, 7, 8, 63, 256, 1000, 40001}) {
    const double p = 0.3;
    const std::vector<float> x = dropped<float>(count, p, 11, 5), threads = dropped<float>(count, p, 11, 5, 3);
    const std::vector<double> exact = dropped<double>(count, p, 11, 5);
    CHECK(x == threads);
    for (std::size_t i = 0; i < count; ++i) {
      const bool keep = nn::dropoutBits(11, 5, i) >= p * 65536;
      REQUIRE(x[i] == (keep ? static_cast<float>(1 / 0.7) : 0.0f));
      REQUIRE(exact[i] == (keep ? 1 / 0.7 : 0.0));
    }
  }
}

TEST_CASE("dropout: a range of factors from any index agrees with the mask") {
  const std::vector<float> all = dropped<float>(3000, 0.5, 2, 3);
  for (const std::size_t first : {0, 1, 8, 13, 511, 1023})
    for (const std::size_t count : {1, 5, 8, 700}) {
      std::vector<float> some(count);
      nn::dropoutFactors<float>(2, 3, 0.5, first, count, some.data());
      for (std::size_t i = 0; i < count; ++i)
        REQUIRE(some[i] == all[first + i]);
    }
  float far = 0;
  const std::uint64_t index = (std::uint64_t(1) << 40) + 3;
  nn::dropoutFactors<float>(2, 3, 0.5, index, 1, &far);
  CHECK(far == (nn::dropoutBits(2, 3, index) >= 32768 ? 2.0f : 0.0f));
}

TEST_CASE("dropout: the shares of kept elements and of kept neighbours are those of independent draws") {
  const std::size_t count = 400000;
  for (const double p : {0.02, 0.1, 0.5}) {
    const std::vector<float> x = dropped<float>(count, p, 4, 9);
    double kept = 0, both = 0;
    for (std::size_t i = 0; i < count; ++i) {
      kept += x[i] != 0 ? 1 : 0;
      both += x[i] != 0 && x[(i + 1) % count] != 0 ? 1 : 0;
    }
    const double q = 1 - p, n = static_cast<double>(count), five = 5 * std::sqrt(p * q / n);
    CHECK(std::abs(kept / n - q) < five + 1.0 / 65536);
    CHECK(std::abs(both / n - q * q) < 2 * five + 2.0 / 65536);
  }
}

TEST_CASE("dropout: p = 0 drops nothing, p = 1 drops everything, and dropout works in place") {
  CHECK(dropped<float>(100, 0, 1, 1) == std::vector<float>(100, 1.0f));
  CHECK(dropped<float>(100, 1, 1, 1) == std::vector<float>(100, 0.0f));
  ThreadPool pool(1);
  std::vector<float> x = converted<float>(randomValues(100, 1)), y = x;
  nn::dropout<float>(pool, 1, 2, 0.25, 100, x.data());
  const std::vector<float> mask = dropped<float>(100, 0.25, 1, 2);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(x[i] == y[i] * mask[i]);
}

TEST_CASE("dropout: positions in the model, layers and steps have separate streams") {
  using nn::DropoutPlace;
  std::set<std::uint64_t> streams;
  for (const std::uint64_t step : {0, 1, 2, 100000})
    for (int layer = -1; layer < 200; ++layer)
      for (const DropoutPlace place : {DropoutPlace::Embedding, DropoutPlace::Attention, DropoutPlace::AttentionBranch,
                                       DropoutPlace::FeedForwardBranch})
        streams.insert(nn::dropoutStream(step, layer, place));
  CHECK(streams.size() == 4 * 201 * 4);
  CHECK(dropped<float>(200, 0.5, 1, 1) != dropped<float>(200, 0.5, 1, 2));
  CHECK(dropped<float>(200, 0.5, 1, 1) != dropped<float>(200, 0.5, 2, 1));
}
