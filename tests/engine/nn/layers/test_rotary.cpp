// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/rotary.h"

#include <catch2/catch.hpp>
#include <complex>

#include "tests/engine/nn/gradient_check.h"
#include "tests/engine/nn/layers/attention_cases.h"

using namespace sepx;
using namespace sepx::nn;
using namespace sepx::test;

TEST_CASE("rotary: rotation multiplies a pair as a complex number by e^(i n theta)") {
  ThreadPool pool(1);
  for (const int headDim : {2, 6, 64}) {
    const int length = 40, heads = 3, half = headDim / 2;
    const auto ld = static_cast<std::size_t>(heads * headDim + 5);
    const auto table = rotaryTable<double>(length, headDim, 10000);
    const std::vector<double> before = randomValues(2 * 40 * ld, 1);
    std::vector<double> x = before;
    rotate(pool, table, 2, length, heads, headDim, x.data(), ld, false);
    double worst = 0;
    for (std::size_t row = 0; row < 80; ++row)
      for (int h = 0; h < heads; ++h)
        for (int s = 0; s < half; ++s) {
          const std::size_t at = row * ld + static_cast<std::size_t>(h * headDim + s);
          const auto other = at + static_cast<std::size_t>(half);
          const double angle = static_cast<double>(row % 40) / std::pow(10000.0, 2.0 * s / headDim);
          const auto turned = std::complex<double>(before[at], before[other]) * std::polar(1.0, angle);
          worst = std::max({worst, std::abs(turned.real() - x[at]), std::abs(turned.imag() - x[other])});
        }
    CHECK(worst < 1e-13);
    for (std::size_t row = 0; row < 80; ++row)  // values beside the heads are unchanged
      for (std::size_t e = ld - 5; e < ld; ++e)
        REQUIRE(x[row * ld + e] == before[row * ld + e]);
    rotate(pool, table, 2, length, heads, headDim, x.data(), ld, true);
    CHECK(largestDifference(x, before) < 1e-14);
  }
}

TEST_CASE("rotary: the gradient is the inverse rotation") {
  // The gradient of <rotate(x), w> is the inverse rotation of w, because the transpose of a rotation is its inverse.
  ThreadPool pool(1);
  const auto table = rotaryTable<double>(7, 6, 100);
  std::vector<double> x = randomValues(2 * 7 * 12, 3);
  const std::vector<double> weights = randomValues(x.size(), 4);
  std::vector<double> gradient = weights;
  rotate(pool, table, 2, 7, 2, 6, gradient.data(), 12, true);
  const auto f = [&] {
    std::vector<double> y = x;
    rotate(pool, table, 2, 7, 2, 6, y.data(), 12, false);
    return weightedSum(y, weights);
  };
  CHECK(gradientError(x, gradient, f) < kGradientTolerance);
}

TEST_CASE("rotary: attention depends only on differences of positions") {
  // The same tokens, once at positions 0 ... n-1 and once shifted by 5.
  ThreadPool pool(1);
  AttentionCase c;
  c.sequences = 1;
  c.length = 9;
  c.headDim = 8;
  c.causal = false;
  const std::vector<double> plain = randomValues(c.tokens() * c.ld(), 6);
  const auto table = rotaryTable<double>(14, 8, 1000);
  RotaryTable<double> shifted = table;
  shifted.cosine.erase(shifted.cosine.begin(), shifted.cosine.begin() + 5 * 4);
  shifted.sine.erase(shifted.sine.begin(), shifted.sine.begin() + 5 * 4);
  std::vector<double> first(81), second(81), none(81);
  const auto probabilities = [&](const RotaryTable<double>* turns, std::vector<double>& P) {
    std::vector<double> qkv = plain;
    if (turns != nullptr) rotate(pool, *turns, 1, 9, c.heads + c.kvHeads, 8, qkv.data(), c.ld(), false);
    attentionProbabilities(c.shape(), inputOf(c, qkv), 0, 1, std::span(P));
  };
  probabilities(&table, first);
  probabilities(&shifted, second);
  probabilities(nullptr, none);
  CHECK(largestDifference(first, second) < 1e-14);
  CHECK(largestDifference(first, none) > 1e-3);
}

TEST_CASE("rotary: float agrees with double on any number of threads") {
  const auto table = rotaryTable<float>(300, 32, 10000);
  const auto exact = rotaryTable<double>(300, 32, 10000);
  CHECK(largestDifference(table.cosine, exact.cosine) < 1e-7);
  std::vector<double> wanted = randomValues(300 * 64, 8);
  std::vector<float> one = converted<float>(wanted), three = one;
  ThreadPool single(1), pool(3);
  rotate(single, exact, 1, 300, 2, 32, wanted.data(), 64, false);
  rotate(single, table, 1, 300, 2, 32, one.data(), 64, false);
  rotate(pool, table, 1, 300, 2, 32, three.data(), 64, false);
  CHECK(one == three);
  CHECK(largestDifference(one, wanted) < 1e-6);
}
