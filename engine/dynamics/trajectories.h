// SPDX-License-Identifier: Apache-2.0
// Many orbits of one field at once, sampled evenly by arc length: the double-precision twin of
// shaders/compute/trajectories.comp. Both integrate f/(eps+|f|) with classical Runge-Kutta 4, `substeps` steps between
// samples. Deterministic on any thread count.
#pragma once

#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

struct TrajectoryOptions {  ///< options of every orbit
  int samples = 64;         ///< per orbit, the first is the initial point
  double length = 4;        ///< arc length
  int substeps = 8;
  bool backward = false;
};

struct TrajectoryBatch {  ///< samples of all orbits
  int points = 0, samples = 0, dimension = 2;
  std::vector<float> states;  ///< [points, samples, dimension]
};
/// Integrates the orbits in parallel; any thread.
TrajectoryBatch integrateTrajectories(const VectorField& field, std::span<const double> parameters,
                                      const std::vector<State>& starts, const TrajectoryOptions& options,
                                      ThreadPool& pool);

}  // namespace sepx::dynamics
