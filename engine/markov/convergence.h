// SPDX-License-Identifier: Apache-2.0
// How fast a path comes to its limit on e = 0: |e(t)| falls as exp(-r t), r = 2 pi0 pi1 (p+q-1)(1+2w|w|), the Hessian's
// entry in e at the limit (36). The paper's (110) prints half of it (SCIENCE 1.18). Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/markov/chain.h"

namespace sepx::markov {

/// r at the limit (0, w): above 0 where e = 0 attracts, below 0 where it repels, 0 at w = -1/sqrt(2).
double decayRate(const Chain& chain, double w);

/// The same as it is in a path: the slope of -log|e| over its last e-folds. `t`, `e`: samples in order of time; those
/// with e = 0 (the limit itself) say nothing. No value where e falls by less than an e-fold, or not at all.
std::optional<double> measuredDecayRate(const std::vector<double>& t, const std::vector<double>& e);

}  // namespace sepx::markov
