// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "engine/core/random.h"
#include "engine/core/thread_pool.h"

using sepx::philox;
using sepx::RandomStream;

TEST_CASE("philox gives the published reference values") {
  using Block = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("A random stream does not depend on the number of threads") {
  constexpr std::size_t kStreams = 64;
  const auto draw = [](sepx::ThreadPool& pool) {
    std::vector<double> values(kStreams * 3);
    pool.parallelFor(0, kStreams, 1, [&values](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        RandomStream stream(42, i);
        for (std::size_t k = 0; k < 3; ++k)
          values[3 * i + k] = stream.normal();
      }
    });
    return values;
  };
  sepx::ThreadPool one(1), four(4);
  const auto values = draw(one);
  CHECK(values == draw(four));
  CHECK(std::set<double>(values.begin(), values.end()).size() == values.size());
}

TEST_CASE("Different seeds and streams give different numbers") {
  CHECK(RandomStream(1, 0).next64() != RandomStream(2, 0).next64());
  CHECK(RandomStream(1, 0).next64() != RandomStream(1, 1).next64());
  CHECK(RandomStream(1, 0).next64() == RandomStream(1, 0).next64());
}

TEST_CASE("Uniform and normal draws have the moments of their distributions") {
  constexpr int kDraws = 200000;
  RandomStream stream(7);
  double sum = 0, squares = 0, normalSum = 0, normalSquares = 0, normalFourth = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
    squares += u * u;
    const double z = stream.normal();
    normalSum += z;
    normalSquares += z * z;
    normalFourth += z * z * z * z;
  }
  // Five standard errors of each mean.
  CHECK(std::abs(sum / kDraws - 0.5) < 5 * std::sqrt(1 / 12.0 / kDraws));
  CHECK(std::abs(squares / kDraws - 1 / 3.0) < 5 * std::sqrt(4 / 45.0 / kDraws));
  CHECK(std::abs(normalSum / kDraws) < 5 * std::sqrt(1.0 / kDraws));
  CHECK(std::abs(normalSquares / kDraws - 1) < 5 * std::sqrt(2.0 / kDraws));
  CHECK(std::abs(normalFourth / kDraws - 3) < 5 * std::sqrt(96.0 / kDraws));
}

TEST_CASE("Draws with below() are uniform on their range") {
  RandomStream stream(3);
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i)
    ++counts[stream.below(7)];
  double chi = 0;
  for (const int count : counts)
    chi += (count - kDraws / 7.0) * (count - kDraws / 7.0) / (kDraws / 7.0);
  CHECK(chi < 30);  // 6 degrees of freedom: 4 of 100,000 seeds exceed this by chance
  const std::uint64_t huge = (std::uint64_t{1} << 63) + 1;
  for (int i = 0; i < 100; ++i)
    CHECK(stream.below(huge) < huge);
  CHECK(stream.below(1) == 0);
}
