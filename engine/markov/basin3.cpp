// SPDX-License-Identifier: Apache-2.0
// Labels of the three-dimensional flow by SCIENCE's second invariant, and the drift of both invariants. Pure.
#include "engine/markov/basin3.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/markov/energy.h"
#include "engine/markov/unbounded_surface.h"

namespace sepx::markov {

namespace {

constexpr double kDigits = 1e-14;

/// The critical set that the point itself is on, if it is.
std::optional<LimitKind> stationaryKind(const Chain& chain, const Place3& at) {
  const auto [e, w, a] = at;
  const double v = 1 + 2 * w * std::abs(w), u = 1 + a * e * e;
  if (e == 0) {
    if (std::abs(v) < kDigits) return LimitKind::Saddle;
    return chain.switching() * v > 0 ? LimitKind::LocalMin : LimitKind::LocalMax;
  }
  if (std::abs(v) < kDigits && std::abs(u) < kDigits * (1 + std::abs(a) * e * e)) return LimitKind::Saddle;
  const double S = e * e * u * v, S_star = chain.S_star();
  if (std::abs(S - S_star) <= kDigits * (e * e * (1 + std::abs(a) * e * e) * (1 + 2 * w * w)))
    return LimitKind::GlobalMin;
  return std::nullopt;
}

}  // namespace

std::optional<Label3> exactLabel3(const Chain& chain, const Place3& at) {
  if (chain.degenerate() || !std::isfinite(at[0]) || !std::isfinite(at[1]) || !std::isfinite(at[2]))
    return std::nullopt;
  if (const auto kind = stationaryKind(chain, at)) return Label3{*kind, Known3::Stationary};
  if (at[1] < 0) return std::nullopt;
  if (chain.switching() < 0) return Label3{LimitKind::GlobalMin, Known3::Above};
  const int side = sideOfUnboundedSurface(stateOf(at));
  return Label3{side > 0 ? LimitKind::GlobalMin : side < 0 ? LimitKind::LocalMin : LimitKind::Undecided, Known3::Airy};
}

LimitKind label3(const Chain& chain, const Place3& at, double relativeTolerance) {
  if (const auto exact = exactLabel3(chain, at)) return exact->kind;
  FlowOptions options;
  options.relativeTolerance = relativeTolerance;
  options.absoluteTolerance = 0.01 * relativeTolerance;
  options.maxSteps = 2000;
  const auto result = flowFrom(chain, Model::EWA, stateOf(at), options);
  return result ? result->label : LimitKind::Undecided;
}

Drift3 driftOf(const Path& path) {
  Drift3 drift;
  if (path.theta.empty()) return drift;
  const std::optional<double> energy0 = energy(Model::EWA, path.theta.front());
  const double angle0 = airyAngle(path.theta.front());
  if (energy0) drift.energy = 0;
  for (const State& theta : path.theta) {
    if (drift.energy)
      if (const auto now = energy(Model::EWA, theta))
        drift.energy = std::max(*drift.energy, std::abs(*now - *energy0) / (1 + std::abs(*energy0)));
    const double turned = std::abs(airyAngle(theta) - angle0);
    const double apart = std::min(turned, std::abs(std::numbers::pi - turned));
    if (std::isfinite(apart)) drift.angle = std::max(drift.angle, apart);
  }
  return drift;
}

}  // namespace sepx::markov
