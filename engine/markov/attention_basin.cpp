// SPDX-License-Identifier: Apache-2.0
// Follows the Airy curve down to e = 0. With f = e^2 the curve is f' = 1 + 2 a f, a' = f/4 in s, and D' = 1 + a f
// accumulates the decrease of h(w). Where f decreases on the way, f itself is the variable of integration, so the end
// is met exactly and a large a is not stiff; elsewhere an arc length is. The method is Dormand-Prince 5(4) with a
// bounded number of steps. Pure functions.
#include "engine/markov/attention_basin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/markov/energy.h"
#include "engine/markov/unbounded_surface.h"

namespace sepx::markov {

namespace {

struct Place {
  double f, a, D;
};

Place moved(const Place& x, double h, const Place& k) {
  return {x.f + h * k.f, x.a + h * k.a, x.D + h * k.D};
}

/// d(f, a, D) along the curve towards smaller s, per unit of -f (`byF`) or of arc length in (f, a, D).
Place slope(const Place& x, bool byF) {
  const double f = 1 + 2 * x.a * x.f, a = 0.25 * x.f, D = 1 + x.a * x.f;
  const double unit = byF ? f : std::abs(f) + a + std::abs(D);
  // D increases: it is the integral from the landing to the start
  return {-f / unit, -a / unit, D / unit};
}

struct Tried {
  Place to;
  double error;  ///< in units of the tolerance
};

/// One step of the Dormand-Prince pair.
Tried step(const Place& x, double h, bool byF) {
  const Place k1 = slope(x, byF);
  const auto at = [&](std::array<double, 6> c, const std::array<Place, 6>& k, int n) {
    Place y = x;
    for (int i = 0; i < n; ++i)
      y = moved(y, h * c[static_cast<std::size_t>(i)], k[static_cast<std::size_t>(i)]);
    return y;
  };
  std::array<Place, 6> k{k1, {}, {}, {}, {}, {}};
  k[1] = slope(at({1.0 / 5}, k, 1), byF);
  k[2] = slope(at({3.0 / 40, 9.0 / 40}, k, 2), byF);
  k[3] = slope(at({44.0 / 45, -56.0 / 15, 32.0 / 9}, k, 3), byF);
  k[4] = slope(at({19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}, k, 4), byF);
  k[5] = slope(at({9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}, k, 5), byF);
  const Place to = at({35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}, k, 6);
  const Place k7 = slope(to, byF);
  constexpr std::array kError{71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525};
  Place error{0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i)
    error = moved(error, h * kError[i], k[i]);
  error = moved(error, h * -1.0 / 40, k7);
  constexpr double kRelative = 1e-11, kAbsolute = 1e-13;
  const auto size = [&](double e, double a, double b) {
    return std::abs(e) / (kAbsolute + kRelative * std::max(std::abs(a), std::abs(b)));
  };
  return {to, std::max({size(error.f, x.f, to.f), size(error.a, x.a, to.a), size(error.D, x.D, to.D)})};
}

/// For w < 0: the sign of g(w)^2 - D, or 0 if doubles cannot tell them apart.
int climbs(double w, double D) {
  const double g2 = separatrixSquared(w);
  constexpr double kDigits = 1e-10;
  if (std::abs(g2 - D) <= kDigits * (g2 + D)) return 0;
  return g2 > D ? 1 : -1;
}

}  // namespace

std::optional<Landing> landing(double e, double a) {
  constexpr double kLargest = 1e100;
  if (!(std::abs(e) < kLargest) || !(std::abs(a) < kLargest)) return std::nullopt;
  Eigen::Vector3d theta(e, 0, a);
  if (e != 0 && (1 + a * e * e <= 0 || sideOfUnboundedSurface(theta) >= 0)) return std::nullopt;
  Place x{e * e, a, 0};
  constexpr int kMostSteps = 2000;
  constexpr double kEnter = 0.5, kLeave = 0.25;  // 1 + 2 a f at which f becomes the variable, and stops being it
  bool byF = false;
  double h = 0;
  for (int i = 0; i < kMostSteps && x.f > 0; ++i) {
    const double fall = 1 + 2 * x.a * x.f;
    const bool next = byF ? fall > kLeave : fall > kEnter;
    if (next != byF || h == 0) h = next ? 0.25 * x.f : 0.01;
    byF = next;
    if (byF) h = std::min(h, x.f);
    const Tried tried = step(x, h, byF);
    const double ratio = std::isfinite(tried.error) ? std::max(tried.error, 1e-10) : 1e10;
    const bool keep = ratio <= 1 && (byF || tried.to.f > 0);
    const bool last = byF && h == x.f;
    if (keep) x = tried.to;
    if (keep && last) x.f = 0;
    h *= ratio <= 1 && !keep ? 0.25 : std::clamp(0.9 * std::pow(ratio, -0.2), 0.1, 5.0);
    if (!(std::abs(x.a) < kLargest) || !(h > 0)) return std::nullopt;
  }
  if (x.f > 0) return std::nullopt;
  return Landing{x.a, std::max(x.D, 0.0)};
}

LimitKind basinLabel3(const Chain& chain, double e, double w, double a) {
  constexpr double kLargest = 1e100;
  const bool fits = std::abs(e) < kLargest && std::abs(w) < kLargest && std::abs(a) < kLargest;
  const double sign = chain.switching();
  if (chain.degenerate() || sign == 0 || !fits) return LimitKind::Undecided;
  const double v = 1 + 2 * w * std::abs(w), u = 1 + a * e * e;
  const bool atSaddle = std::abs(w + 1 / std::numbers::sqrt2) <= std::numeric_limits<double>::epsilon();
  if (e == 0) return atSaddle ? LimitKind::Saddle : sign * v > 0 ? LimitKind::LocalMin : LimitKind::LocalMax;
  if (!(sign * v > 0) || u <= 0) {
    // S has the sign of S_star or leaves zero towards it, so the limit is the global minimum. With both factors zero
    // the point is stationary.
    return atSaddle && std::abs(u) <= 1e-15 ? LimitKind::Saddle : LimitKind::GlobalMin;
  }
  Eigen::Vector3d theta(e, w, a);
  const int side = sideOfUnboundedSurface(theta);
  if (side > 0) return LimitKind::GlobalMin;
  if (side == 0) return w >= 0 ? LimitKind::Undecided : LimitKind::GlobalMin;
  if (w >= 0) return LimitKind::LocalMin;
  const std::optional<Landing> end = landing(e, a);
  if (!end) return LimitKind::Undecided;
  const int answer = climbs(w, end->D);
  return answer > 0 ? LimitKind::LocalMin : answer < 0 ? LimitKind::GlobalMin : LimitKind::Saddle;
}

}  // namespace sepx::markov
