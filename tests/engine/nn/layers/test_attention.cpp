// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/nn/layers/attention_rows.h"
#include "engine/nn/layers/attention_tiles.h"
#include "tests/engine/nn/layers/attention_cases.h"

using namespace sepx;
using namespace sepx::nn;
using namespace sepx::test;

namespace {

template <class T>
struct Passes {
  std::vector<T> out, logSum, gradient;  // gradient has the layout of q | k | v
};

template <class T>
Passes<T> forward(ThreadPool& pool, AttentionCase& c, const std::vector<T>& qkv) {
  Passes<T> r;
  r.out.assign(c.tokens() * c.ldo(), T(0));
  r.logSum.assign(c.logSums(), T(0));
  attentionForward(pool, c.shape(), inputOf(c, qkv), r.out.data(), c.ldo(), r.logSum.data());
  return r;
}
template <class T>
Passes<T> both(ThreadPool& pool, AttentionCase& c, const std::vector<T>& qkv, const std::vector<T>& weights) {
  Passes<T> r = forward(pool, c, qkv);
  r.gradient.assign(qkv.size(), T(0));
  attentionBackward(pool, c.shape(), inputOf(c, qkv), r.out.data(), weights.data(), c.ldo(), r.logSum.data(),
                    r.gradient.data(), r.gradient.data() + c.kColumn(), r.gradient.data() + c.vColumn(), c.ld());
  return r;
}

/// The error of output and log sums relative to the definition.
template <class T>
double forwardError(ThreadPool& pool, AttentionCase& c, double size = 1) {
  const std::vector<double> wanted = randomValues(c.tokens() * c.ld(), c.seed, size);
  std::vector<T> qkv = converted<T>(wanted);
  std::vector<double> P, logSum;
  const std::vector<double> out = slowAttention(c, converted<double>(qkv), P, logSum);
  const Passes<T> r = forward(pool, c, qkv);
  double worst = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (std::isnan(out[i])) continue;
    const double difference = std::abs(out[i] - static_cast<double>(r.out[i]));
    worst = std::isfinite(difference) ? std::max(worst, difference) : INFINITY;
  }
  return c.linear ? worst : std::max(worst, largestDifference(r.logSum, logSum));
}

double gradientErrorOf(ThreadPool& pool, AttentionCase& c, std::size_t entries) {
  std::vector<double> qkv = randomValues(c.tokens() * c.ld(), c.seed);
  const std::vector<double> weights = randomValues(c.tokens() * c.ldo(), c.seed + 1);
  const std::vector<double> gradient = both(pool, c, qkv, weights).gradient;
  GradientCheck options;
  options.entries = entries;
  const auto f = [&] { return weightedSum(forward(pool, c, qkv).out, weights); };
  return gradientError(qkv, gradient, f, options);
}

}  // namespace

TEST_CASE("attention: output and log sums agree with the definition, in double and float, for every option") {
  ThreadPool pool(1);
  for (AttentionCase c : attentionMatrix(6, 3)) {
    INFO(c.name());
    CHECK(forwardError<double>(pool, c) < 1e-13);
    CHECK(forwardError<float>(pool, c) < 3e-6);
  }
}

TEST_CASE("attention: gradients agree with central differences for every option") {
  ThreadPool pool(1);
  for (AttentionCase c : attentionMatrix(5, 3)) {
    INFO(c.name());
    CHECK(gradientErrorOf(pool, c, 90) < kGradientTolerance);
  }
}

TEST_CASE("attention: tile edges are correct for narrow and wide heads") {
  ThreadPool pool(2);
  for (const int headDim : {1, 3, 4, 8, 9, 16, 20, 32, 64, 80})
    for (const int length : {1, 63, 64, 65, 150})
      for (const bool causal : {true, false}) {
        AttentionCase c;
        c.length = length;
        c.headDim = headDim;
        c.heads = 1;
        c.kvHeads = 1;
        c.causal = causal;
        c.scale = 1 / std::sqrt(headDim);
        INFO(c.name());
        CHECK(forwardError<double>(pool, c) < 1e-13);
        CHECK(forwardError<float>(pool, c) < 3e-6);
        if (length != 64 && (causal || length < 65)) CHECK(gradientErrorOf(pool, c, 12) < kGradientTolerance);
      }
}

TEST_CASE("attention: every option is correct across several tiles") {
  ThreadPool pool(2);
  for (AttentionCase c : attentionMatrix(131, 8)) {
    c.sequences = 1;
    INFO(c.name());
    CHECK(forwardError<float>(pool, c) < 5e-6);
    CHECK(forwardError<double>(pool, c) < 1e-13);
  }
}

TEST_CASE("attention: gradients in float agree with those in double at every level") {
  ThreadPool pool(2);
  for (const int headDim : {1, 4, 8, 16, 64})
    for (const int length : {10, 100})
      for (const bool linear : {false, true}) {
        AttentionCase c;
        c.length = length;
        c.headDim = headDim;
        c.kvHeads = 1;
        c.linear = linear;
        c.padded = true;
        c.scale = 1 / std::sqrt(headDim);
        const std::vector<float> qkv = converted<float>(randomValues(c.tokens() * c.ld(), 2));
        const std::vector<float> weights = converted<float>(randomValues(c.tokens() * c.ldo(), 3));
        const Passes<double> wanted = both(pool, c, converted<double>(qkv), converted<double>(weights));
        for (const SimdLevel level : {SimdLevel::Generic, SimdLevel::Avx2, SimdLevel::Avx512}) {
          std::vector<float> out(wanted.out.size()), logSum(wanted.logSum.size()), g(qkv.size());
          const AttentionShape shape = c.shape();
          const auto tiles = static_cast<std::size_t>(tilesOf(length));
          attentionForwardTiles<float>(level, shape, {inputOf(c, qkv), out.data(), c.ldo(), logSum.data()}, 0,
                                       4 * tiles);
          BackwardArrays<float> arrays{inputOf(c, qkv), out.data(), weights.data(),         c.ldo(),
                                       logSum.data(),   g.data(),   g.data() + c.kColumn(), g.data() + c.vColumn(),
                                       c.ld()};
          attentionBackwardTiles(level, shape, arrays, 0, 2);
          INFO(c.name() << " " << gemmLevelName(level));
          CHECK(largestDifference(out, wanted.out) < 3e-6);
          CHECK(largestDifference(g, wanted.gradient) < 2e-5);
        }
      }
}

TEST_CASE("attention: the number of threads changes no bit") {
  for (const int sequences : {1, 3, 40}) {
    AttentionCase c;
    c.sequences = sequences;
    c.length = sequences == 40 ? 20 : 200;
    c.heads = 4;
    c.kvHeads = 2;
    c.headDim = 8;
    c.dropout = 0.1;
    const std::vector<float> qkv = converted<float>(randomValues(c.tokens() * c.ld(), 2));
    const std::vector<float> weights = converted<float>(randomValues(c.tokens() * c.ldo(), 3));
    ThreadPool one(1), three(3);
    const Passes<float> a = both(one, c, qkv, weights), b = both(three, c, qkv, weights);
    CHECK(a.out == b.out);
    CHECK(a.logSum == b.logSum);
    CHECK(a.gradient == b.gradient);
  }
}

TEST_CASE("attention: scores of 10^4 and rows without visible keys give finite numbers") {
  ThreadPool pool(1);
  for (const int headDim : {4, 16}) {
    AttentionCase c;
    c.length = 70;
    c.headDim = headDim;
    c.masked = true;
    c.padded = true;
    c.sequences = 3;  // the last sequence has length 0
    c.scale = 1;
    CHECK(forwardError<double>(pool, c, std::sqrt(1e4 / std::sqrt(headDim))) < 1e-8);
    std::vector<float> qkv =
        converted<float>(randomValues(c.tokens() * c.ld(), 2, std::sqrt(1e4 / std::sqrt(headDim))));
    const std::vector<float> weights = converted<float>(randomValues(c.tokens() * c.ldo(), 3));
    const Passes<float> r = both(pool, c, qkv, weights);
    double largest = 0;
    for (std::size_t row = 0; row < c.tokens(); ++row)
      for (std::size_t e = 0; e < c.kColumn(); ++e) {
        const double x = static_cast<double>(r.out[row * c.ldo() + e]);
        largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : INFINITY;
        if (row % 70 == 2 || row >= 140) CHECK(x == 0);
      }
    CHECK(largest <= 4 * std::sqrt(1e4));  // the outputs are means of v
    for (const float g : r.gradient)
      REQUIRE(std::isfinite(g));
  }
}

TEST_CASE("attention: a non-finite score gives NaN") {
  ThreadPool pool(1);
  for (const int headDim : {4, 16})
    for (const bool inKey : {true, false})
      for (const float bad : {std::nanf(""), INFINITY}) {
        AttentionCase c;
        c.length = 70;
        c.headDim = headDim;
        c.sequences = c.heads = c.kvHeads = 1;
        std::vector<float> qkv = converted<float>(randomValues(c.tokens() * c.ld(), 2));
        qkv[66 * c.ld() + (inKey ? c.kColumn() : 0)] = bad;
        const std::vector<float> weights(c.tokens() * c.ldo(), 1.0f);
        const Passes<float> r = both(pool, c, qkv, weights);
        for (std::size_t i = 0; i < 70; ++i) {  // a bad key affects every query that sees it, a bad query only itself
          const bool spoiled = i == 66 || (inKey && i > 66 && std::isnan(bad));
          if (inKey && i >= 66 && !std::isnan(bad))
            continue;  // the score is +infinity or -infinity, depending on the sign of q
          INFO(headDim << " " << inKey << " " << bad << " row " << i);
          CHECK(std::isnan(r.out[i * c.ldo()]) == spoiled);
          if (spoiled) CHECK(std::isnan(r.gradient[i * c.ld()]));
        }
      }
}

TEST_CASE("attention: probabilities and betas agree with those of the passes") {
  ThreadPool pool(1);
  for (AttentionCase c : attentionMatrix(7, 2)) {
    INFO(c.name());
    std::vector<double> qkv = randomValues(c.tokens() * c.ld(), c.seed);
    const std::vector<double> weights = randomValues(c.tokens() * c.ldo(), c.seed + 1);
    std::vector<double> P, logSum;
    slowAttention(c, qkv, P, logSum);
    const Passes<double> r = both(pool, c, qkv, weights);
    const auto n = static_cast<std::size_t>(c.length), D = static_cast<std::size_t>(c.headDim);
    std::vector<double> dq(n * D, 0), shown(n * n), beta(n * n);
    const int head = 1, sequence = 1, kv = c.kvHeads - 1;
    attentionProbabilities(c.shape(), inputOf(c, qkv), sequence, head, std::span(shown));
    attentionBetas(c.shape(), inputOf(c, qkv), weights.data(), c.ldo(), sequence, head, std::span(beta));
    const std::vector<double> wanted(P.begin() + static_cast<std::ptrdiff_t>(3 * n * n), P.end());
    CHECK(largestDifference(shown, wanted) < 1e-14);
    // dq_i = sum_j beta_ij k_j: tests beta without using the sums of the passes.
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t e = 0; e < D; ++e) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j)
          sum += beta[i * n + j] * qkv[(n + j) * c.ld() + c.kColumn() + static_cast<std::size_t>(kv) * D + e];
        worst = std::max(worst, std::abs(sum - r.gradient[(n + i) * c.ld() + static_cast<std::size_t>(head) * D + e]));
      }
    CHECK(worst < 1e-13);
  }
}

TEST_CASE("attention: the shape made from a model config has its scale and slopes") {
  ModelConfig config;
  config.heads = 4;
  config.d_model = 16;
  config.positions = Positions::Alibi;
  std::vector<double> slopes(4);
  const AttentionShape shape = attentionShape(config, slopes);
  CHECK(shape.scale == Approx(0.5));
  REQUIRE(shape.slopes.size() == 4);
  CHECK(slopes == std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625});
  config.alibiSlope = 0.1;
  attentionShape(config, slopes);
  CHECK(slopes[3] == 0.1);
}
