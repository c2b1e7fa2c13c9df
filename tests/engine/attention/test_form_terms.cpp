// SPDX-License-Identifier: Apache-2.0
// Tests that the parts of the raw score agree with a forward pass written as plain loops, and that the softmax
// preserves the ranking.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/attention/form_terms.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx::attention;

namespace {

using Vector = std::vector<double>;

Eigen::VectorXd vectorOf(std::mt19937_64& generator, int n) {
  return gaussian(generator, n, 1).col(0);
}

Vector norm(const OmittedScoreParts& omitted, const Eigen::VectorXd& x) {
  Vector y(x.begin(), x.end());
  if (!omitted.hasNorm) return y;
  double mean = 0, variance = 0;
  for (const double value : y)
    mean += omitted.rms ? 0 : value / double(y.size());
  for (const double value : y)
    variance += (value - mean) * (value - mean) / double(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = (y[i] - mean) / std::sqrt(variance + omitted.epsilon);
    if (omitted.gain.size() > 0) y[i] *= omitted.gain(static_cast<Eigen::Index>(i));
    if (omitted.bias.size() > 0) y[i] += omitted.bias(static_cast<Eigen::Index>(i));
  }
  return y;
}

/// The vector of one head at its position: projection and bias. `turn` applies the rotation.
Vector project(const Matrix& W, int head, int d_h, const Eigen::VectorXd& bias, const Vector& y) {
  Vector q(static_cast<std::size_t>(d_h), 0);
  for (int t = 0; t < d_h; ++t) {
    for (std::size_t m = 0; m < y.size(); ++m)
      q[static_cast<std::size_t>(t)] += W(static_cast<Eigen::Index>(m), head * d_h + t) * y[m];
    if (bias.size() > 0) q[static_cast<std::size_t>(t)] += bias(head * d_h + t);
  }
  return q;
}

Vector turn(const OmittedScoreParts& omitted, Vector q, int position) {
  if (omitted.ropeBase <= 0) return q;
  const int D = omitted.ropeDimensions;
  const Vector x = q;
  for (int t = 0; t < D / 2; ++t) {
    const double angle = position * std::pow(omitted.ropeBase, -2.0 * t / D);
    const auto a = static_cast<std::size_t>(omitted.ropeInterleaved ? 2 * t : t);
    const auto b = static_cast<std::size_t>(omitted.ropeInterleaved ? 2 * t + 1 : t + D / 2);
    q[a] = x[a] * std::cos(angle) - x[b] * std::sin(angle);
    q[b] = x[b] * std::cos(angle) + x[a] * std::sin(angle);
  }
  return q;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

OmittedScoreParts everything(std::mt19937_64& generator, const LayerFactors& factors) {
  OmittedScoreParts omitted;
  omitted.b_Q = vectorOf(generator, factors.heads * factors.d_h);
  omitted.b_K = vectorOf(generator, static_cast<int>(factors.W_K.cols()));
  omitted.gain = vectorOf(generator, static_cast<int>(factors.rows()));
  omitted.bias = vectorOf(generator, static_cast<int>(factors.rows()));
  omitted.hasNorm = true;
  omitted.ropeBase = 10000;
  omitted.ropeDimensions = factors.d_h;
  return omitted;
}

/// The score of head h as a model computes it with the two tokens at positions i and j.
double forward(const LayerFactors& factors, const OmittedScoreParts& omitted, int h, const Eigen::VectorXd& x_i,
               const Eigen::VectorXd& x_j, int i, int j) {
  const Vector y_i = norm(omitted, x_i), y_j = omitted.normOfKeys ? norm(omitted, x_j) : Vector(x_j.begin(), x_j.end());
  const int key = factors.keyHead[static_cast<std::size_t>(h)];
  return dot(turn(omitted, project(factors.W_Q, h, factors.d_h, omitted.b_Q, y_i), i),
             turn(omitted, project(factors.W_K, key, factors.d_h, omitted.b_K, y_j), j));
}

}  // namespace

TEST_CASE("The parts of a head add up to the score that the model computes", "[attention][form]") {
  std::mt19937_64 generator(1);
  const LayerFactors factors = randomFactors(12, 12, 4, 2, 6, 2);
  const Eigen::VectorXd x_i = vectorOf(generator, 12), x_j = vectorOf(generator, 12);
  OmittedScoreParts omitted = everything(generator, factors);
  SECTION("LayerNorm, biases, rotation of the two halves") {}
  SECTION("RMSNorm without bias, rotation of adjacent pairs") {
    omitted.rms = true;
    omitted.bias.resize(0);
    omitted.ropeInterleaved = true;
  }
  SECTION("A rotation of only some of the coordinates") {
    omitted.ropeDimensions = 4;
  }
  SECTION("Keys from another stack, to which this norm does not apply") {
    omitted.normOfKeys = false;
  }
  SECTION("A norm without gain, no biases, no rotation") {
    omitted = {};
    omitted.hasNorm = true;
  }
  for (const auto& [i, j] : {std::pair{0, 0}, std::pair{5, 2}, std::pair{3, 40}}) {
    const std::vector<HeadTerms> terms = formTerms(factors, omitted, x_i, x_j, j - i);
    REQUIRE(terms.size() == 4);
    double form = 0;
    for (int h = 0; h < 4; ++h) {
      const HeadTerms& one = terms[static_cast<std::size_t>(h)];
      const double score = forward(factors, omitted, h, x_i, x_j, i, j);
      CHECK(one.score == Approx(score).epsilon(1e-11).margin(1e-11));
      CHECK(one.sum() == Approx(score).epsilon(1e-11).margin(1e-11));
      CHECK(one.form == Approx(x_i.dot(literal(headOf(factors, h)) * x_j)).margin(1e-11));
      if (i == j) CHECK(one.rope == Approx(0).margin(1e-11));
      form += one.form;
    }
    CHECK(form == Approx(x_i.dot(literal(factors) * x_j)).margin(1e-10));
  }
}

TEST_CASE("Without norm, biases and rotation, the form equals the score", "[attention][form]") {
  std::mt19937_64 generator(3);
  const LayerFactors factors = randomFactors(9, 13, 2, 2, 3, 4);  // the keys of cross attention may have another width
  const auto terms = formTerms(factors, {}, vectorOf(generator, 9), vectorOf(generator, 13), 7);
  for (const HeadTerms& one : terms) {
    CHECK(one.score == Approx(one.form).margin(1e-12));
    CHECK(one.norm == Approx(0).margin(1e-12));
    CHECK(one.queryBias == 0);
    CHECK(one.keyBias == 0);
    CHECK(one.bothBiases == 0);
    CHECK(one.rope == 0);
  }
}

TEST_CASE("The softmax keeps the order of the raw scores", "[attention][form]") {
  std::mt19937_64 generator(5);
  for (const int count : {1, 2, 10, 200}) {
    const Eigen::VectorXd values = 30 * vectorOf(generator, count);
    const Ranking result = ranking({values.begin(), values.end()}, 1 / std::sqrt(64.0));
    REQUIRE(result.order.size() == static_cast<std::size_t>(count));
    double total = 0;
    for (const double share : result.softmax)
      total += share;
    CHECK(total == Approx(1));
    for (std::size_t i = 1; i < result.order.size(); ++i) {
      const auto before = static_cast<std::size_t>(result.order[i - 1]),
                 here = static_cast<std::size_t>(result.order[i]);
      CHECK(result.raw[before] >= result.raw[here]);
      CHECK(result.softmax[before] >= result.softmax[here]);
    }
  }
  CHECK(ranking({1e300, -1e300, 0}, 1).order == std::vector<int>{0, 2, 1});
  CHECK(ranking({1e5, 1e5 - 1}, 1).softmax[0] == Approx(1 / (1 + std::exp(-1.0))));
  CHECK(ranking({}, 1).order.empty());
  CHECK(ranking({1, std::numeric_limits<double>::quiet_NaN(), 2}, 1).order == std::vector<int>{2, 0, 1});
}
