// SPDX-License-Identifier: Apache-2.0
// Compares the fused head with logits and losses written out here, its gradients with central differences, float with
// double, and one thread with several. Also tests extreme values.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/nn/layers/cross_entropy.h"
#include "tests/engine/nn/gradient_check.h"

namespace {

using namespace sepx;
using namespace sepx::test;
using nn::Target;

std::vector<Target> targetsOf(std::size_t count, int tokens) {
  RandomStream random(12);
  std::vector<Target> targets;
  for (std::size_t i = 0; i < count; ++i)
    targets.push_back({static_cast<std::int32_t>(i),
                       static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(tokens))),
                       static_cast<float>(random.uniform(0.1, 1))});
  return targets;
}

/// The sum of weight * loss by the definitions at the top of cross_entropy.h.
double defined(std::size_t d, const std::vector<double>& h, const std::vector<Target>& targets,
               const std::vector<double>& U, const std::vector<double>& bias, int logits, double smoothing = 0) {
  double sum = 0;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    std::vector<double> z(static_cast<std::size_t>(logits));
    for (std::size_t v = 0; v < z.size(); ++v) {
      z[v] = bias.empty() ? 0 : bias[v];
      for (std::size_t i = 0; i < d; ++i)
        z[v] += h[r * d + i] * U[v * d + i];
    }
    double loss = 0;
    if (logits == 1) {
      loss = std::log(1 + std::exp(-(2 * targets[r].token - 1) * z[0]));
    } else {
      double all = 0;
      for (const double value : z)
        all += std::exp(value);
      for (std::size_t v = 0; v < z.size(); ++v) {
        const double right = v == static_cast<std::size_t>(targets[r].token) ? 1 - smoothing : 0;
        loss -= (right + smoothing / logits) * std::log(std::exp(z[v]) / all);
      }
    }
    sum += static_cast<double>(targets[r].weight) * loss;
  }
  return sum;
}

template <class T>
struct Outcome {
  double loss = 0;
  std::vector<double> losses;
  std::vector<T> U, bias, h;
};
template <class T>
Outcome<T> run(std::size_t d, const std::vector<T>& h, const std::vector<Target>& targets, const std::vector<T>& U,
               const std::vector<T>& bias, int logits, double scale = 1, int threads = 1, double smoothing = 0) {
  ThreadPool pool(threads);
  Outcome<T> o{0, std::vector<double>(targets.size()), std::vector<T>(U.size()), std::vector<T>(bias.size()),
               std::vector<T>(h.size(), T(NAN))};
  o.loss = nn::crossEntropy<T>(pool, d, h.data(), targets,
                               {U.data(), bias.empty() ? nullptr : bias.data(), logits, smoothing},
                               {o.U.data(), bias.empty() ? nullptr : o.bias.data(), o.h.data()}, o.losses, scale);
  return o;
}

struct Shape {
  std::size_t targets, d;
  int logits;
};

}  // namespace

TEST_CASE("cross entropy: loss and gradients agree with the definitions and central differences") {
  const bool withBias = GENERATE(false, true);
  for (const Shape s : {Shape{1, 1, 2}, Shape{5, 7, 3}, Shape{3, 8, 17}, Shape{4, 16, 65}, Shape{1, 1, 1},
                        Shape{6, 8, 1}, Shape{5, 3, 1}, Shape{3, 37, 1}}) {
    const std::size_t V = static_cast<std::size_t>(s.logits);
    std::vector<double> h = randomValues(s.targets * s.d, 1), U = randomValues(V * s.d, 2, 0.5);
    std::vector<double> bias = withBias ? randomValues(V, 3) : std::vector<double>{};
    const std::vector<Target> targets = targetsOf(s.targets, std::max(s.logits, 2));
    const auto f = [&] { return defined(s.d, h, targets, U, bias, s.logits); };
    const Outcome<double> o = run(s.d, h, targets, U, bias, s.logits);
    INFO("targets " << s.targets << " d " << s.d << " logits " << s.logits);
    CHECK(o.loss == Approx(f()).epsilon(1e-13));
    double sum = 0;
    for (std::size_t i = 0; i < targets.size(); ++i)
      sum += static_cast<double>(targets[i].weight) * o.losses[i];
    CHECK(sum == Approx(o.loss).epsilon(1e-14));
    const GradientCheck four{.step = 1e-3, .fourPoints = true};
    CHECK(gradientError(U, o.U, f, four) < kGradientTolerance);
    CHECK(gradientError(h, o.h, f, four) < kGradientTolerance);
    if (withBias) CHECK(gradientError(bias, o.bias, f, four) < kGradientTolerance);
  }
}

TEST_CASE("cross entropy: label smoothing agrees with the definition and central differences") {
  for (const Shape s : {Shape{5, 7, 2}, Shape{4, 8, 17}, Shape{3, 5, 10}})
    for (const double smoothing : {0.01, 0.5}) {
      const std::size_t V = static_cast<std::size_t>(s.logits);
      std::vector<double> h = randomValues(s.targets * s.d, 1), U = randomValues(V * s.d, 2, 0.5);
      std::vector<double> bias = randomValues(V, 3);
      const std::vector<Target> targets = targetsOf(s.targets, s.logits);
      const auto f = [&] { return defined(s.d, h, targets, U, bias, s.logits, smoothing); };
      const Outcome<double> o = run(s.d, h, targets, U, bias, s.logits, 1, 1, smoothing);
      CHECK(o.loss == Approx(f()).epsilon(1e-13));
      CHECK(o.loss != Approx(run(s.d, h, targets, U, bias, s.logits).loss).epsilon(1e-6));
      const GradientCheck four{.step = 1e-3, .fourPoints = true};
      CHECK(gradientError(U, o.U, f, four) < kGradientTolerance);
      CHECK(gradientError(h, o.h, f, four) < kGradientTolerance);
      CHECK(gradientError(bias, o.bias, f, four) < kGradientTolerance);
      const auto small = run(s.d, converted<float>(h), targets, converted<float>(U), converted<float>(bias), s.logits,
                             1, 1, smoothing);
      CHECK(small.loss == Approx(o.loss).epsilon(1e-5));
      CHECK(largestDifference(small.h, o.h) < 1e-5);
    }
}

TEST_CASE("cross entropy: the scale applies only to the gradients, which are added, and the loss needs no gradients") {
  for (const int logits : {1, 9}) {
    const std::size_t d = 6, V = static_cast<std::size_t>(logits);
    const std::vector<double> h = randomValues(4 * d, 1), U = randomValues(V * d, 2), bias = randomValues(V, 3);
    const std::vector<Target> targets = targetsOf(4, 2);
    const Outcome<double> one = run(d, h, targets, U, bias, logits), half = run(d, h, targets, U, bias, logits, 0.5);
    CHECK(half.loss == one.loss);
    ThreadPool pool(1);
    std::vector<double> dU(V * d, 2.0);
    nn::crossEntropy<double>(pool, d, h.data(), targets, {U.data(), bias.data(), logits}, {dU.data(), nullptr, nullptr},
                             {}, 1);
    for (std::size_t i = 0; i < V * d; ++i) {
      CHECK(half.U[i] == Approx(one.U[i] / 2).margin(1e-15));
      CHECK(dU[i] == Approx(one.U[i] + 2).margin(1e-14));
    }
    for (std::size_t i = 0; i < 4 * d; ++i)
      CHECK(half.h[i] == Approx(one.h[i] / 2).margin(1e-15));
    const double alone = nn::crossEntropy<double>(pool, d, h.data(), targets, {U.data(), bias.data(), logits},
                                                  {nullptr, nullptr, nullptr}, {}, 1);
    CHECK(alone == one.loss);
    CHECK(nn::crossEntropy<double>(pool, d, h.data(), {}, {U.data(), bias.data(), logits},
                                   {dU.data(), nullptr, nullptr}, {}, 1) == 0);
  }
}

TEST_CASE("cross entropy: float agrees with double, and the number of threads changes no bit") {
  for (const Shape s : {Shape{1000, 8, 1}, Shape{300, 13, 2}, Shape{700, 16, 65}, Shape{300, 8, 5000}}) {
    const std::size_t V = static_cast<std::size_t>(s.logits);
    const std::vector<double> h = randomValues(s.targets * s.d, 1), U = randomValues(V * s.d, 2);
    const std::vector<double> bias = randomValues(V, 3);
    std::vector<Target> targets = targetsOf(s.targets, std::max(s.logits, 2));
    for (Target& target : targets)
      target.weight /= static_cast<float>(s.targets);
    const auto exact = run(s.d, h, targets, U, bias, s.logits);
    const auto hf = converted<float>(h), Uf = converted<float>(U), bf = converted<float>(bias);
    const auto one = run(s.d, hf, targets, Uf, bf, s.logits), three = run(s.d, hf, targets, Uf, bf, s.logits, 1, 3);
    INFO("targets " << s.targets << " d " << s.d << " logits " << s.logits);
    CHECK(one.loss == Approx(exact.loss).epsilon(2e-6));
    CHECK(largestDifference(one.losses, exact.losses) < 1e-5);
    CHECK(largestDifference(one.U, exact.U) < 1e-6);
    CHECK(largestDifference(one.h, exact.h) < 1e-6);
    CHECK(largestDifference(one.bias, exact.bias) < 1e-6);
    CHECK(one.loss == three.loss);
    CHECK(one.U == three.U);
    CHECK(one.h == three.h);
    CHECK(one.bias == three.bias);
  }
}

TEMPLATE_TEST_CASE("cross entropy: huge logits are handled, and NaN gives NaN", "", float, double) {
  // With d = 1 and h = 1 the rows of U are the logits.
  const std::vector<TestType> one{TestType(1)};
  const std::vector<Target> first{{0, 0, 1.0f}}, last{{0, 1, 1.0f}};
  const TestType huge = TestType(1e30), nan = std::numeric_limits<TestType>::quiet_NaN();
  for (const std::size_t more : {0, 15, 40}) {
    std::vector<TestType> U(2 + more, -huge);
    U[0] = huge;
    const int V = static_cast<int>(U.size());
    const auto right = run<TestType>(1, one, first, U, {}, V), wrong = run<TestType>(1, one, last, U, {}, V);
    CHECK(right.loss == 0);
    CHECK(right.U[0] == 0);
    CHECK(wrong.loss == Approx(2e30));
    CHECK(wrong.U[0] == 1);
    CHECK(wrong.U[1] == -1);
    const std::vector<TestType> same(U.size(), huge);
    CHECK(run<TestType>(1, one, first, same, {}, V).loss == Approx(std::log(static_cast<double>(V))));
    for (const std::size_t place : {std::size_t(0), std::size_t(1), U.size() - 1}) {
      std::vector<TestType> bad = U;
      bad[place] = nan;
      CHECK(std::isnan(run<TestType>(1, one, first, bad, {}, V).loss));
      bad.assign(U.size(), std::numeric_limits<TestType>::infinity());
      CHECK(std::isnan(run<TestType>(1, one, first, bad, {}, V).loss));
    }
  }
  CHECK(run<TestType>(1, one, last, {huge}, {}, 1).loss == 0);
  CHECK(run<TestType>(1, one, first, {huge}, {}, 1).loss == Approx(1e30));
  CHECK(run<TestType>(1, one, first, {huge}, {}, 1).U[0] == 1);
  CHECK(run<TestType>(1, one, last, {-huge}, {}, 1).U[0] == -1);
  CHECK(std::isnan(run<TestType>(1, one, last, {nan}, {}, 1).loss));
  CHECK(run<TestType>(1, one, last, {TestType(40)}, {}, 1).loss == Approx(std::exp(-40.0)));
}

TEST_CASE("cross entropy: the scratch block holds only a part of the logits, also for large vocabularies") {
  CHECK(nn::crossEntropyScratch(0, 50) == 0);
  CHECK(nn::crossEntropyScratch(1000, 2) == 0);
  CHECK(nn::crossEntropyScratch(100, 65) == 6500);
  CHECK(nn::crossEntropyScratch(16384, 50257) == 128 * 50257);
  for (const std::size_t targets : {614, 4096, 100000})
    CHECK(nn::crossEntropyScratch(targets, 4096) <= (1 << 20));
}
