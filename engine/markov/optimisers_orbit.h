// SPDX-License-Identifier: Apache-2.0
// Distance of a point from an orbit. The orbit is a polyline in the first two or three coordinates; the distance is
// Euclidean. Any thread.
#pragma once

#include <vector>

#include "engine/markov/canonical_model.h"

namespace sepx::markov {

class TheoryOrbit {  ///< distance to the orbit of the theory
 public:
  /// `points` must not be empty; each has at least `coordinates` components.
  TheoryOrbit(std::vector<State> points, int coordinates);

  /// Smallest distance from `x` to the orbit, its ends included; infinity when `x` is not finite.
  double distance(const State& x) const;
  const std::vector<State>& points() const { return points_; }

 private:
  std::vector<State> points_;
  Eigen::Index coordinates_;
};

/// The forward orbit of the flow with optimal bias from theta0 (model EW or EWA) up to its limit, sampled finely enough
/// that a distance from it is accurate to about 1e-6 of its length. A single point if theta0 is stationary.
Result<TheoryOrbit> theoryOrbit(const Chain& chain, Model model, const State& theta0);

}  // namespace sepx::markov
