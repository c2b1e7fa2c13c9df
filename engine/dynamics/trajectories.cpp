// SPDX-License-Identifier: Apache-2.0
// Orbits sampled evenly by arc length: f/(eps+|f|) with classical Runge-Kutta 4. At unit speed an orbit would jitter
// around a sink and creep along a line of sinks, so it stops when its direction reverses within one step. Worker
// threads only.
#include "engine/dynamics/trajectories.h"

#include <algorithm>

#include "engine/dynamics/basin_map.h"

namespace sepx::dynamics {

TrajectoryBatch integrateTrajectories(const VectorField& field, std::span<const double> parameters,
                                      const std::vector<State>& starts, const TrajectoryOptions& options,
                                      ThreadPool& pool) {
  TrajectoryBatch batch;
  batch.points = static_cast<int>(starts.size());
  batch.samples = std::max(options.samples, 1);
  batch.dimension = field.dimension();
  const auto samples = static_cast<std::size_t>(batch.samples), dimension = static_cast<std::size_t>(batch.dimension);
  const int substeps = std::max(options.substeps, 1);
  batch.states.resize(starts.size() * samples * dimension);
  const double h = (options.backward ? -1 : 1) * options.length / (std::max(batch.samples - 1, 1) * substeps);
  const auto direction = [&field, parameters](const State& x) -> State {
    const State f = field.evaluate(x, parameters);
    return f / (kSpeedFloor + f.norm());
  };
  pool.parallelFor(0, starts.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t point = first; point < last; ++point) {
      State x = starts[point];
      State k1 = direction(x);
      bool arrived = k1.isZero(0);
      for (std::size_t sample = 0; sample < samples; ++sample) {
        for (std::size_t i = 0; i < dimension; ++i)
          batch.states[(point * samples + sample) * dimension + i] =
              static_cast<float>(x[static_cast<Eigen::Index>(i)]);
        for (int step = 0; step < substeps && !arrived; ++step) {
          const State k2 = direction(x + 0.5 * h * k1);
          const State k3 = direction(x + 0.5 * h * k2);
          const State k4 = direction(x + h * k3);
          const State y = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
          const State next = direction(y);
          arrived = !y.allFinite() || !next.allFinite() || next.dot(k1) <= 0;
          if (arrived && !next.isZero(0)) break;
          x = y;
          k1 = next;
        }
      }
    }
  });
  return batch;
}

}  // namespace sepx::dynamics
