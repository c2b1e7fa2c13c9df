// SPDX-License-Identifier: Apache-2.0
// The rate at which a path converges to its limit on e = 0: |e(t)| decays as exp(-r t), r = 2 pi0 pi1 (p+q-1)(1+2w|w|),
// the Hessian's entry in e at the limit (36). The paper's (110) prints half of it (remark l2g-18). Pure; any thread.
#pragma once

#include <optional>

#include "engine/markov/flow.h"

namespace sepx::markov {

/// r at the limit (0, w): positive where e = 0 attracts, negative where it repels, 0 at w = -1/sqrt(2).
double decayRate(const Chain& chain, double w);

/// The same rate measured on the flow: from the last sample of `path` with e != 0 the flow is followed in time until
/// |e| is small, and then over one e-fold. Relative error about 1e-6. `path` must end at an attracting limit on e = 0.
/// No value for a path without such a sample, where e = 0 does not attract, or for |e| below 1e-250, where the flow
/// loses digits.
std::optional<double> measuredDecayRate(const Chain& chain, Model model, const Path& path);

}  // namespace sepx::markov
