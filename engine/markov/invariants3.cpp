// SPDX-License-Identifier: Apache-2.0
// The drift of energy and Airy angle along a path. Pure.
#include "engine/markov/invariants3.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/markov/energy.h"

namespace sepx::markov {

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
