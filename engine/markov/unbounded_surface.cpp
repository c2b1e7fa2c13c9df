// SPDX-License-Identifier: Apache-2.0
// Which side of the unbounded orbits a point lies on, by the Airy functions of its second invariant. Pure functions;
// nothing is thrown.
#include "engine/markov/unbounded_surface.h"

#include <cmath>
#include <limits>

#include "engine/markov/airy.h"

namespace sepx::markov {

namespace {

constexpr double kLargestZero = -2.33810741045976703849;  // of Ai

/// -Ai'(x)/Ai(x) - y for large x = y^2, accurate to rounding for y >= 7.
double beyondRoot(double y) {
  const double small = 1 / (y * y * y);
  return y * small *
         (0.25 - small * (5.0 / 32 - small * (15.0 / 64 - small * (1105.0 / 2048 - small * 1695.0 / 1024))));
}

/// Ai'(x)/Ai(x) for x right of the largest zero of Ai.
double logSlopeOfAi(double x) {
  constexpr double kAsymptotic = 60;  // Ai underflows soon after
  if (x > kAsymptotic) return -std::sqrt(x) - beyondRoot(std::sqrt(x));
  return boost::math::airy_ai_prime(x, Quiet()) / boost::math::airy_ai(x, Quiet());
}

}  // namespace

int sideOfUnboundedSurface(const State& theta) {
  const double k = kAiry, e = theta[0], a = theta[2];
  const double x = -k * (e * e - 4 * a * a);
  if (x <= kLargestZero) return 1;
  const double surface = k * logSlopeOfAi(x);
  constexpr double kDigits = 1e-12;
  if (std::abs(a - surface) <= kDigits * (std::abs(a) + std::abs(surface))) return 0;
  return a < surface ? 1 : -1;
}

bool onUnboundedSurface(const Chain& chain, const State& theta) {
  return chain.switching() > 0 && theta[1] >= 0 && theta[0] != 0 && sideOfUnboundedSurface(theta) == 0;
}

double unboundedSurfaceA(double s) {
  const double x = -kAiry * s;
  return x > kLargestZero ? kAiry * logSlopeOfAi(x) : std::numeric_limits<double>::quiet_NaN();
}

double unboundedSurfaceE(double a) {
  constexpr double kLargeY = 8;
  const double Y = -a / kAiry;
  if (Y > kLargeY) {
    // y + beyondRoot(y) = Y; e^2 = s + 4a^2 = (Y^2 - y^2)/k, without subtracting the two
    double less = 0;
    for (int i = 0; i < 40; ++i)
      less = beyondRoot(Y - less);
    return std::sqrt(less * (2 * Y - less) / kAiry);
  }
  // da/ds = e^2/4 > 0 on the surface, so there is one root, between e = 0 and the end of the branch. For large a it is
  // next to the end, a pole of the Riccati equation, where e = 2a to within rounding.
  double low = -4 * a * a, high = -kLargestZero / kAiry;
  double s = 0.5 * (low + high);
  for (int i = 0; i < 200 && low < high; ++i) {
    const double there = unboundedSurfaceA(s);
    (there < a ? low : high) = s;
    // Newton's step with da/ds = a^2 + s/4, or the midpoint if the step leaves the bracket
    double next = s - (there - a) / (there * there + 0.25 * s);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == s || std::abs(next - s) <= 1e-16 * (std::abs(s) + 4 * a * a)) break;
    s = next;
  }
  return std::sqrt(s + 4 * a * a);
}

}  // namespace sepx::markov
