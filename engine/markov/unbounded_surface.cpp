// SPDX-License-Identifier: Apache-2.0
// Which side of the unbounded orbits a point lies on, by the Airy functions of its second invariant. Pure functions;
// nothing is thrown.
#include "engine/markov/unbounded_surface.h"

#include <cmath>
#include <limits>

#include "engine/markov/airy.h"

namespace sepx::markov {

namespace {

/// Ai'(x)/Ai(x) for x right of the largest zero of Ai.
double logSlopeOfAi(double x) {
  constexpr double kAsymptotic = 60;  // Ai underflows soon after
  if (x > kAsymptotic) return -std::sqrt(x) - 0.25 / x + 5.0 / 32 * std::pow(x, -2.5);
  return boost::math::airy_ai_prime(x, Quiet()) / boost::math::airy_ai(x, Quiet());
}

}  // namespace

int sideOfUnboundedSurface(const State& theta) {
  const double k = kAiry, e = theta[0], a = theta[2];
  const double x = -k * (e * e - 4 * a * a);
  constexpr double kLargestZero = -2.33810741045976703849;
  if (x <= kLargestZero) return 1;
  const double surface = k * logSlopeOfAi(x);
  constexpr double kDigits = 1e-12;
  if (std::abs(a - surface) <= kDigits * (std::abs(a) + std::abs(surface))) return 0;
  return a < surface ? 1 : -1;
}

bool onUnboundedSurface(const Chain& chain, const State& theta) {
  return chain.switching() > 0 && theta[1] >= 0 && theta[0] != 0 && sideOfUnboundedSurface(theta) == 0;
}

}  // namespace sepx::markov
