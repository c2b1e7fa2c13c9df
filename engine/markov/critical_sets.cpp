// SPDX-License-Identifier: Apache-2.0
// Critical sets and separatrix as polylines: branches whose two coordinates are monotonic in their parameter, clipped
// and flattened by plane_curves.h. Pure functions.
#include "engine/markov/critical_sets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/energy.h"
#include "engine/markov/plane_curves.h"

namespace sepx::markov {

namespace {

using dynamics::LimitKind;

/// The branch and its mirror image as curves of one kind.
void addCurves(std::vector<Curve>& curves, LimitKind kind, const PlaneBranch& branch, const PlaneWindow& window,
               int samples) {
  std::vector<std::vector<PlanePoint>> pieces;
  addMirrored(pieces, branch, window, samples);
  for (std::vector<PlanePoint>& piece : pieces)
    curves.push_back({kind, std::move(piece)});
}

/// e^2 v = S_star with t = log|v|: e = sqrt|S_star| exp(-t/2), w|w| = (v - 1)/2.
PlaneBranch thetaStar(double S_star) {
  const double sign = S_star > 0 ? 1 : -1, root = std::sqrt(std::abs(S_star));
  const auto at = [sign, root](double t) {
    const double ww = (sign * std::exp(t) - 1) / 2;
    return PlanePoint{root * std::exp(-t / 2), std::copysign(std::sqrt(std::abs(ww)), ww)};
  };
  constexpr double kReach = 600;  // exp(t) stays finite; every window is smaller
  return {at, -kReach, kReach};
}

/// e = g(w) with r = log(-w sqrt 2). Towards w = 0 the parameter is t = sqrt(-r), which is smooth there and close to e.
/// On the other side it is t = r.
PlaneBranch separatrix(bool towardsZero) {
  if (towardsZero) {
    const auto at = [](double t) {
      const double w = kSaddleW * std::exp(-t * t);
      return PlanePoint{std::sqrt(std::max(std::expm1(-2 * t * t) / 2 + t * t, 0.0)), w};
    };
    return {at, 0, 1e9};
  }
  const auto at = [](double t) {
    const double w = kSaddleW * std::exp(t);
    return PlanePoint{std::sqrt(std::max(separatrixSquared(w), 0.0)), w};
  };
  return {at, 0, 300};
}

void addAxis(std::vector<Curve>& curves, LimitKind kind, double from, double to) {
  if (from < to) curves.push_back({kind, {{0, from}, {0, to}}});
}

}  // namespace

CriticalSets criticalSets(const Chain& chain, double eMin, double eMax, double wMin, double wMax, int samples) {
  CriticalSets sets;
  sets.saddle = {0, kSaddleW};
  const PlaneWindow window{eMin, eMax, wMin, wMax};
  const double s = chain.switching();
  if (window.empty() || chain.degenerate() || s == 0) return sets;
  addCurves(sets.curves, LimitKind::GlobalMin, thetaStar(chain.S_star()), window, samples);
  if (eMin <= 0 && eMax >= 0) {
    addAxis(sets.curves, s > 0 ? LimitKind::LocalMin : LimitKind::LocalMax, std::max(wMin, kSaddleW), wMax);
    addAxis(sets.curves, s > 0 ? LimitKind::LocalMax : LimitKind::LocalMin, wMin, std::min(wMax, kSaddleW));
  }
  addCurves(sets.separatrix, LimitKind::Saddle, separatrix(s > 0), window, samples);
  return sets;
}

}  // namespace sepx::markov
