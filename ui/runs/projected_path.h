// SPDX-License-Identifier: Apache-2.0
// A run of the transformer of Section 2 projected onto the canonical model at its recorded steps, as plain vectors
// (engine/nn/canonical_projection.h), and the flow time that its optimiser's steps add up to. Pure; frame thread.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/runs/run.h"

namespace sepx::ui {

/// All vectors have the same length, and the steps ascend. Empty for a run without a projection.
struct ProjectedPath {
  std::vector<double> steps, e, w;
  std::vector<double> residual;  ///< distance of the parameters to the projection, relative to their norm
  bool empty() const { return steps.empty(); }
  /// residual * |(e, w)| of each step: the part that the projection leaves out, as a distance in the plane.
  std::vector<double> halo() const;
  /// Number of entries at or before a step.
  std::size_t until(std::int64_t step) const;
};

ProjectedPath projectedPathOf(const Run& run);

/// Sum of the learning rates of the steps up to `step`: the time of the gradient flow that plain SGD approximates.
double flowTimeAt(const Run& run, std::int64_t step);

}  // namespace sepx::ui
