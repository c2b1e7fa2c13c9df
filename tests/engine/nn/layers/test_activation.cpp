// SPDX-License-Identifier: Apache-2.0
// Compares activations with the functions of the C library, their gradients with central differences, float with double
// over the whole range, and one thread with several. Also tests extreme values.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/nn/layers/activation.h"
#include "tests/engine/nn/gradient_check.h"

namespace {

using namespace sepx;
using namespace sepx::test;
using nn::Activation;

const Activation kAll[] = {Activation::Relu, Activation::GeluErf, Activation::GeluTanh, Activation::SwiGlu};

/// Computed from the definitions at the top of activation.h.
double defined(Activation kind, double x) {
  switch (kind) {
    case Activation::Relu:
      return std::fmax(0.0, x);
    case Activation::GeluErf:
      return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
    case Activation::GeluTanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::SwiGlu:
      return x / (1 + std::exp(-x));
  }
  return NAN;
}

std::size_t width(Activation kind, std::size_t ff) {
  return kind == Activation::SwiGlu ? 2 * ff : ff;
}

template <class T>
std::vector<T> forward(Activation kind, std::size_t m, std::size_t ff, const std::vector<T>& pre, std::size_t ldp,
                       int threads = 1) {
  ThreadPool pool(threads);
  std::vector<T> h(m * ff);
  nn::activationForward<T>(pool, kind, m, ff, pre.data(), ldp, h.data());
  return h;
}
template <class T>
std::vector<T> backward(Activation kind, std::size_t m, std::size_t ff, const std::vector<T>& pre, std::size_t ldp,
                        const std::vector<T>& dh, int threads = 1) {
  ThreadPool pool(threads);
  std::vector<T> dpre(pre.size());
  nn::activationBackward<T>(pool, kind, m, ff, pre.data(), ldp, dh.data(), dpre.data());
  return dpre;
}

}  // namespace

TEST_CASE("activation: values agree with the definitions") {
  for (const Activation kind : kAll)
    for (const std::size_t ff : {1, 7, 8, 256}) {
      const std::size_t m = 3, ldp = width(kind, ff);
      const std::vector<double> pre = randomValues(m * ldp, ff, 2);
      const std::vector<double> h = forward(kind, m, ff, pre, ldp);
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t i = 0; i < ff; ++i) {
          const double x = pre[r * ldp + i];
          const double expected =
              kind == Activation::SwiGlu ? x * defined(kind, pre[r * ldp + ff + i]) : defined(kind, x);
          REQUIRE(h[r * ff + i] == Approx(expected).margin(1e-14));
        }
    }
}

TEST_CASE("activation: gradients agree with central differences") {
  for (const Activation kind : kAll)
    for (const std::size_t ff : {1, 7, 8, 256}) {
      const std::size_t m = 2, ldp = width(kind, ff);
      std::vector<double> pre = randomValuesAwayFrom(0, m * ldp, ff + 1, 2);
      const std::vector<double> dh = randomValues(m * ff, 9);
      const std::vector<double> dpre = backward(kind, m, ff, pre, ldp, dh);
      CHECK(gradientError(pre, dpre, [&] { return weightedSum(forward(kind, m, ff, pre, ldp), dh); }) <
            kGradientTolerance);
      std::vector<double> inPlace = pre;
      ThreadPool pool(1);
      nn::activationBackward<double>(pool, kind, m, ff, inPlace.data(), ldp, dh.data(), inPlace.data());
      CHECK(inPlace == dpre);
    }
}

TEST_CASE("activation: wider rows keep the values beside the used columns") {
  const std::size_t m = 3, ff = 5;
  for (const Activation kind : kAll) {
    const std::size_t used = width(kind, ff), ldp = used + 4;
    const std::vector<float> pre = converted<float>(randomValues(m * ldp, 4));
    std::vector<float> dpre(m * ldp, 42.0f);
    ThreadPool pool(2);
    nn::activationBackward<float>(pool, kind, m, ff, pre.data(), ldp, std::vector<float>(m * ff, 1.0f).data(),
                                  dpre.data());
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t i = 0; i < ldp; ++i)
        CHECK((dpre[r * ldp + i] == 42.0f) == (i >= used));
  }
}

TEST_CASE("activation: floats are within 4e-7 of the definitions over the whole range") {
  const std::size_t count = 60001;
  std::vector<float> x(count), ones(count, 1.0f);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = static_cast<float>(static_cast<double>(i) / 2000 - 15);
  for (const Activation kind : {Activation::Relu, Activation::GeluErf, Activation::GeluTanh}) {
    const std::vector<float> h = forward(kind, 1, count, x, count), dx = backward(kind, 1, count, x, count, ones);
    const std::vector<double> exact = backward(kind, 1, count, converted<double>(x), count, converted<double>(ones));
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double at = static_cast<double>(x[i]);
      worst = std::max(worst, std::abs(static_cast<double>(h[i]) - defined(kind, at)) / std::max(1.0, std::abs(at)));
    }
    INFO("kind " << static_cast<int>(kind));
    CHECK(worst < 4e-7);
    CHECK(largestDifference(dx, exact) < 2e-6);
  }
  std::vector<float> gated(2 * count);
  std::copy(x.begin(), x.end(), gated.begin() + static_cast<std::ptrdiff_t>(count));
  std::fill_n(gated.begin(), count, 1.0f);
  const std::vector<float> h = forward(Activation::SwiGlu, 1, count, gated, 2 * count);
  for (std::size_t i = 0; i < count; ++i)
    REQUIRE(std::abs(static_cast<double>(h[i]) - defined(Activation::SwiGlu, static_cast<double>(x[i]))) <=
            4e-7 * std::max(1.0, std::abs(static_cast<double>(x[i]))));
}

TEMPLATE_TEST_CASE("activation: extreme values stay finite, and NaN stays NaN", "", float, double) {
  const std::vector<TestType> x{-1e30, -1e4, -100, 0, 100, 1e4, 1e30, std::numeric_limits<TestType>::quiet_NaN()};
  const std::vector<TestType> ones(x.size(), TestType(1));
  for (const Activation kind : {Activation::Relu, Activation::GeluErf, Activation::GeluTanh}) {
    const auto h = forward(kind, 1, x.size(), x, x.size()), dx = backward(kind, 1, x.size(), x, x.size(), ones);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(std::abs(h[i]) < TestType(1e-30));
      if (i < 3) CHECK(std::abs(dx[i]) < TestType(1e-30));
    }
    for (std::size_t i = 4; i < 7; ++i) {
      CHECK(h[i] == x[i]);
      CHECK(dx[i] == TestType(1));
    }
    CHECK(std::isnan(h[7]));
    CHECK(std::isnan(dx[7]));
  }
}

TEST_CASE("activation: the number of threads changes no bit") {
  for (const Activation kind : kAll) {
    const std::size_t m = 301, ff = 77, ldp = width(kind, ff) + 3;
    const std::vector<float> pre = converted<float>(randomValues(m * ldp, 3)), dh(m * ff, 0.5f);
    CHECK(forward(kind, m, ff, pre, ldp, 1) == forward(kind, m, ff, pre, ldp, 3));
    CHECK(backward(kind, m, ff, pre, ldp, dh, 1) == backward(kind, m, ff, pre, ldp, dh, 3));
  }
}
