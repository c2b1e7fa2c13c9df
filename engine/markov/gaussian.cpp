// SPDX-License-Identifier: Apache-2.0
// P(I_min) of a Gaussian initialisation by tanh-sinh quadrature, which bears the logarithm of g at w = 0.
// Pure function.
#include "engine/markov/gaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/quadrature/tanh_sinh.hpp>

#include "engine/markov/energy.h"

namespace sepx::markov {

double probabilityLocalMinimum(double sigma, bool switchingAboveOne) {
  if (!(sigma > 0) || !std::isfinite(sigma)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double kSaddle = 1 / std::numbers::sqrt2;
  constexpr double kReach = 40;  // standard deviations; beyond, the density is below 1e-300
  const double first = switchingAboveOne ? 0.0 : kSaddle;
  const double last = switchingAboveOne ? std::min(kSaddle, kReach * sigma) : kSaddle + kReach * sigma;
  const double scale = 1 / (sigma * std::sqrt(2 * std::numbers::pi));
  const auto integrand = [sigma, scale](double x) {  // x = -w
    if (x <= 0) return scale;
    const double g = std::sqrt(std::max(separatrixSquared(-x), 0.0));
    return scale * std::exp(-0.5 * (x / sigma) * (x / sigma)) * std::erf(g / (sigma * std::numbers::sqrt2));
  };
  static thread_local boost::math::quadrature::tanh_sinh<double> rule;  // holds its abscissas
  // The density fills only part of a long interval: pieces of a few standard deviations each keep the rule exact.
  constexpr int kPieces = 10;
  double sum = switchingAboveOne ? 0.5 : 0.0;
  for (int i = 0; i < kPieces; ++i) {
    const double a = first + (last - first) * i / kPieces;
    // from zero, where the rule's points crowd and doubles are dense enough to tell them apart
    sum += rule.integrate([&integrand, a](double x) { return integrand(a + x); }, 0.0, (last - first) / kPieces, 1e-14);
  }
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace sepx::markov
