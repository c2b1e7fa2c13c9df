// SPDX-License-Identifier: Apache-2.0
// Compares a gradient derived by hand with central differences in double precision. A test makes a scalar f of its
// tensors (a weighted sum of outputs, or a loss) and asks for the error of each tensor's gradient g relative to the
// differences g':
//   |g - g'| / (|g| + |g'|),  Euclidean norms over the tensor; where both are below kTiny, |g - g'| / kTiny * 1e-6
//   CHECK(gradientError(x, dx, f) < kGradientTolerance);      f: double() reads x, which is changed and restored
// Uses one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/random.h"

namespace sepx::test {

constexpr double kGradientTolerance = 1e-6;
/// Norms below this value are compared absolutely: differences of f near 1 have an accuracy of about 1e-11 per entry.
constexpr double kTiny = 1e-7;

struct GradientCheck {
  double step = 1e-5;       ///< multiplied by max(1, |x_i|)
  bool fourPoints = false;  ///< error of order step^4: use with step 1e-3 if f is large or strongly curved
  std::size_t entries = 0;  ///< number of entries of a large tensor to compare, evenly spaced; 0: all
  bool leaveKinksOut =
      false;  ///< skip entries whose differences at step and step/8 disagree, because they lie at a kink (ReLU)
  std::size_t* kinks = nullptr;  ///< number of skipped entries; more than 1 in 20 makes the error infinite
};

/// Normal numbers times `scale`.
inline std::vector<double> randomValues(std::size_t count, std::uint64_t seed, double scale = 1) {
  RandomStream random(seed, 77);
  std::vector<double> values(count);
  for (double& value : values)
    value = scale * random.normal();
  return values;
}

/// The same, with no number nearer than `gap` to `kink`.
inline std::vector<double> randomValuesAwayFrom(double kink, std::size_t count, std::uint64_t seed, double scale = 1,
                                                double gap = 0.01) {
  std::vector<double> values = randomValues(count, seed, scale);
  for (double& value : values)
    if (std::abs(value - kink) < gap) value = kink + (value < kink ? -gap : gap) * 2;
  return values;
}

/// sum_i weights_i out_i: with random weights a scalar whose gradient with respect to `out` is `weights`.
template <class T>
double weightedSum(const std::vector<T>& out, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * static_cast<double>(out[i]);
  return sum;
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  std::vector<To> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [](From value) { return static_cast<To>(value); });
  return result;
}

/// The largest |a_i - b_i| / max(1, |b_i|), or infinity if one of the numbers is NaN.
template <class A, class B>
double largestDifference(const std::vector<A>& a, const std::vector<B>& b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    const double difference = std::abs(x - y) / std::max(1.0, std::abs(y));
    worst = std::isfinite(difference) ? std::max(worst, difference) : INFINITY;
  }
  return worst;
}

/// df/dx by central differences. x is restored.
template <class F>
double centralDifference(double& x, const F& f, double step, bool fourPoints) {
  const double at = x;
  const auto around = [&](double width) {
    // Divide by the actual step after rounding, not by the requested one.
    const double high = at + width, low = at - width;
    x = high;
    const double above = f();
    x = low;
    const double below = f();
    x = at;
    return (above - below) / (high - low);
  };
  const double h = step * std::max(1.0, std::abs(at));
  return fourPoints ? (4 * around(h) - around(2 * h)) / 3 : around(h);
}

/// The error of `gradient` = df/dx as defined at the top of this file.
template <class F>
double gradientError(std::span<double> x, std::span<const double> gradient, const F& f,
                     const GradientCheck& options = {}) {
  if (x.size() != gradient.size()) return INFINITY;
  const std::size_t count = options.entries == 0 ? x.size() : std::min(options.entries, x.size());
  double difference = 0, mine = 0, theirs = 0;
  std::size_t kinks = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = k * x.size() / count;
    const double numeric = centralDifference(x[i], f, options.step, options.fourPoints);
    if (options.leaveKinksOut) {
      const double nearer = centralDifference(x[i], f, options.step / 8, options.fourPoints);
      if (std::abs(numeric - nearer) > 1e-4 * (std::abs(numeric) + std::abs(nearer)) + 1e-7) {
        ++kinks;
        continue;
      }
    }
    difference += (gradient[i] - numeric) * (gradient[i] - numeric);
    mine += gradient[i] * gradient[i];
    theirs += numeric * numeric;
  }
  if (options.kinks != nullptr) *options.kinks = kinks;
  if (kinks * 20 > count) return INFINITY;
  const double scale = std::sqrt(mine) + std::sqrt(theirs);
  if (!std::isfinite(scale)) return INFINITY;
  return scale < 2 * kTiny ? std::sqrt(difference) / kTiny * 1e-6 : std::sqrt(difference) / scale;
}
template <class F>
double gradientError(std::vector<double>& x, const std::vector<double>& gradient, const F& f,
                     const GradientCheck& options = {}) {
  return gradientError(std::span<double>(x), std::span<const double>(gradient), f, options);
}

}  // namespace sepx::test
