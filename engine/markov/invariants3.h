// SPDX-License-Identifier: Apache-2.0
// How well a computed path of (e, w, a) conserves the two invariants of the flow with optimal bias: the energy (10) and
// the Airy angle (remark l2g-2). Pure.
#pragma once

#include <optional>

#include "engine/markov/flow.h"

namespace sepx::markov {

/// Largest deviation of the two invariants from their initial values along a path.
struct Drift3 {
  std::optional<double> energy;  ///< |E - E0| / (1 + |E0|); none for w = 0
  double angle = 0;              ///< of the Airy angle, radians, modulo pi
};
Drift3 driftOf(const Path& path);

}  // namespace sepx::markov
