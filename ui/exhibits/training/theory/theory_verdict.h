// SPDX-License-Identifier: Apache-2.0
// What became of a real transformer in the plane of the canonical model, in words: how far its projection is from the
// nearest stationary curve, and its loss beside what theory says. Pure.
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
/// That a projected run was trained on.
markov::Chain chainOf(const Run& run);

struct NearestCurve {
  double distance = std::numeric_limits<double>::infinity();  ///< in the plane (e, w)
  dynamics::LimitKind kind = dynamics::LimitKind::Undecided;
};
/// The stationary curve of the canonical model (Local-to-Global, Theorem 1) that a place of the plane is nearest to.
NearestCurve nearestCurve(const markov::Chain& chain, double e, double w);

/// "(1.17, −0.77): ended 0.07 from the curve of global minima, residual 0.31; loss 0.6231, 0.0041 above the entropy
/// rate H(x′|x). Gradient flow from the same point ends in a global minimum." Empty for a run without a projection.
/// `parts`: 3, 2 without the gradient flow, 1 without the loss as well.
inline constexpr int kVerdictParts = 3;
std::string verdictOf(const RacingRun& racing, std::int64_t step, int parts = kVerdictParts);

}  // namespace sepx::ui
