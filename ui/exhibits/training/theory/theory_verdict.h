// SPDX-License-Identifier: Apache-2.0
// Describes in words where a real transformer ended in the plane of the canonical model: the distance of its projection
// from the nearest stationary curve, and its loss compared with the theory. Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "engine/markov/chain.h"
#include "engine/markov/critical_sets.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// Whether a run has a projection onto the canonical model.
bool projects(const RacingRun& racing);
/// The chain that a projected run was trained on.
markov::Chain chainOf(const Run& run);

struct NearestCurve {
  double distance = std::numeric_limits<double>::infinity();  ///< in the plane (e, w)
  dynamics::LimitKind kind = dynamics::LimitKind::Undecided;
};
/// The stationary curve of the canonical model (Local-to-Global, Theorem 1) that is nearest to a point of the plane.
NearestCurve nearestCurve(const markov::Chain& chain, double e, double w);

/// "(1.17, −0.77): ended 0.07 from the curve of global minima, residual 0.31; loss 0.6231, 0.0041 above the entropy
/// rate H(x′|x). Gradient flow from the same point ends in a global minimum." Empty for a run without a projection.
/// `parts`: 3: everything; 2: without the gradient flow; 1: also without the loss.
inline constexpr int kVerdictParts = 3;
std::string verdictOf(const RacingRun& racing, std::int64_t step, int parts = kVerdictParts);

}  // namespace sepx::ui
