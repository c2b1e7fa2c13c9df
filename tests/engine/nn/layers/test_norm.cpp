// SPDX-License-Identifier: Apache-2.0
// Compares norms with sums written out here, their gradients with central differences, float with double, and one
// thread with several.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "engine/nn/layers/norm.h"
#include "tests/engine/nn/gradient_check.h"

namespace {

using namespace sepx;
using namespace sepx::test;
using nn::Norm;

struct NormShape {
  std::size_t m, d;
};
const NormShape kShapes[] = {{1, 1}, {3, 2}, {5, 3}, {7, 8}, {9, 13}, {4, 16}, {3, 24}, {2, 37}, {3, 256}};

template <class T>
struct Case {
  std::vector<T> x, branch, gain, bias, dy;
  nn::NormWeights<T> weights(Norm kind, bool withBias) const {
    return {kind, gain.data(), withBias ? bias.data() : nullptr, T(1e-5)};
  }
};
Case<double> makeCase(NormShape shape) {
  return {randomValues(shape.m * shape.d, 1, 2), randomValues(shape.m * shape.d, 2), randomValues(shape.d, 3),
          randomValues(shape.d, 4), randomValues(shape.m * shape.d, 5)};
}
template <class T>
Case<T> as(const Case<double>& c) {
  return {converted<T>(c.x), converted<T>(c.branch), converted<T>(c.gain), converted<T>(c.bias), converted<T>(c.dy)};
}

template <class T>
struct Outcome {
  std::vector<T> x, y, stats, dx, gainGradient, biasGradient;
};
template <class T>
Outcome<T> run(const Case<T>& c, NormShape shape, Norm kind, bool withBias, int threads) {
  ThreadPool pool(threads);
  Outcome<T> o;
  o.x = c.x;
  o.y.resize(c.x.size());
  o.stats.resize(2 * shape.m);
  nn::normForward<T>(pool, shape.m, shape.d, o.x.data(), c.branch.data(), c.weights(kind, withBias), o.y.data(),
                     o.stats.data());
  o.dx.assign(c.x.size(), T(0));
  o.gainGradient.assign(shape.d, T(0));
  o.biasGradient.assign(shape.d, T(0));
  nn::normBackward<T>(pool, shape.m, shape.d, o.x.data(), o.stats.data(), c.weights(kind, withBias), c.dy.data(),
                      o.dx.data(), o.gainGradient.data(), withBias ? o.biasGradient.data() : nullptr);
  return o;
}

/// The formula in long double, written directly.
std::vector<double> slowNorm(const Case<double>& c, NormShape shape, Norm kind, bool withBias) {
  std::vector<double> y(c.x.size());
  for (std::size_t r = 0; r < shape.m; ++r) {
    long double mean = 0, square = 0;
    const auto at = [&](std::size_t i) {
      return static_cast<long double>(c.x[r * shape.d + i]) + static_cast<long double>(c.branch[r * shape.d + i]);
    };
    const long double count = static_cast<long double>(shape.d);
    for (std::size_t i = 0; i < shape.d && kind == Norm::Layer; ++i)
      mean += at(i) / count;
    for (std::size_t i = 0; i < shape.d; ++i)
      square += (at(i) - mean) * (at(i) - mean) / count;
    for (std::size_t i = 0; i < shape.d; ++i)
      y[r * shape.d + i] =
          static_cast<double>((at(i) - mean) / std::sqrt(square + 1e-5L) * c.gain[i] + (withBias ? c.bias[i] : 0.0));
  }
  return y;
}

}  // namespace

TEST_CASE("norm: rows agree with the formula, and the residual sum is stored in x") {
  const Norm kind = GENERATE(Norm::Layer, Norm::Rms);
  const bool bias = GENERATE(false, true);
  for (const NormShape shape : kShapes) {
    const Case<double> c = makeCase(shape);
    const auto o = run(c, shape, kind, bias, 1);
    CHECK(largestDifference(o.y, slowNorm(c, shape, kind, bias)) < 1e-12);
    for (std::size_t i = 0; i < c.x.size(); ++i)
      REQUIRE(o.x[i] == c.x[i] + c.branch[i]);
  }
}

TEST_CASE("norm: gradients agree with central differences") {
  const Norm kind = GENERATE(Norm::Layer, Norm::Rms);
  const bool bias = GENERATE(false, true);
  for (const NormShape shape : kShapes) {
    if (shape.d == 1 && kind == Norm::Layer)
      continue;  // y is the bias in this case, so there is nothing to differentiate
    Case<double> c = makeCase(shape);
    const auto o = run(c, shape, kind, bias, 1);
    const auto f = [&] { return weightedSum(slowNorm(c, shape, kind, bias), c.dy); };
    INFO("m " << shape.m << " d " << shape.d);
    const GradientCheck four{.step = 1e-4, .fourPoints = true};
    CHECK(gradientError(c.x, o.dx, f, four) < kGradientTolerance);
    CHECK(gradientError(c.gain, o.gainGradient, f, four) < kGradientTolerance);
    if (bias) CHECK(gradientError(c.bias, o.biasGradient, f, four) < kGradientTolerance);
  }
}

TEST_CASE("norm: the gradient is added or written, and may replace dy") {
  const NormShape shape{5, 19};
  const Case<double> c = makeCase(shape);
  const auto o = run(c, shape, Norm::Layer, true, 1);
  ThreadPool pool(1);
  const auto back = [&](const double* dy, std::vector<double>& dx, bool add) {
    nn::normBackward<double>(pool, shape.m, shape.d, o.x.data(), o.stats.data(), c.weights(Norm::Layer, true), dy,
                             dx.data(), nullptr, nullptr, add);
  };
  std::vector<double> added(c.x.size(), 3.0), written(c.x.size(), NAN), inPlace = c.dy;
  back(c.dy.data(), added, true);
  back(c.dy.data(), written, false);
  back(inPlace.data(), inPlace, false);
  CHECK(written == o.dx);
  CHECK(inPlace == o.dx);
  for (std::size_t i = 0; i < added.size(); ++i)
    CHECK(added[i] == Approx(o.dx[i] + 3).epsilon(1e-14));
}

TEST_CASE("norm: the kind None copies, adds, and passes the gradient on") {
  ThreadPool pool(2);
  const std::vector<double> start = randomValues(21, 6), branch = randomValues(21, 7);
  std::vector<double> x = start, y(21);
  nn::normForward<double>(pool, 3, 7, x.data(), branch.data(), {.kind = Norm::None}, y.data(), nullptr);
  CHECK(x == y);
  for (std::size_t i = 0; i < 21; ++i)
    CHECK(y[i] == start[i] + branch[i]);
  std::vector<double> dx(21, 1.0);
  nn::normBackward<double>(pool, 3, 7, x.data(), nullptr, {.kind = Norm::None}, branch.data(), dx.data(), nullptr,
                           nullptr);
  for (std::size_t i = 0; i < 21; ++i)
    CHECK(dx[i] == 1 + branch[i]);
}

TEST_CASE("norm: float agrees with double, and the number of threads changes no bit") {
  const Norm kind = GENERATE(Norm::Layer, Norm::Rms);
  for (const NormShape shape : {NormShape{1, 8}, NormShape{301, 13}, NormShape{2500, 8}, NormShape{130, 256}}) {
    const Case<double> c = makeCase(shape);
    const auto exact = run(c, shape, kind, true, 1);
    const auto one = run(as<float>(c), shape, kind, true, 1), three = run(as<float>(c), shape, kind, true, 3);
    INFO("m " << shape.m << " d " << shape.d);
    CHECK(largestDifference(one.y, exact.y) < 3e-5);  // gain/deviation magnifies the rounding of x to float
    CHECK(largestDifference(one.dx, exact.dx) < 3e-4);
    CHECK(largestDifference(one.gainGradient, exact.gainGradient) < 3e-5);
    CHECK(largestDifference(one.biasGradient, exact.biasGradient) < 3e-5);
    CHECK(one.y == three.y);
    CHECK(one.dx == three.dx);
    CHECK(one.gainGradient == three.gainGradient);
    CHECK(one.biasGradient == three.biasGradient);
  }
}
