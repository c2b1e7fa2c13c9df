// SPDX-License-Identifier: Apache-2.0
// How long the gradient flow takes: the first time t with L(theta_t) - L_lim < share (L(theta_0) - L_lim). With optimal
// bias L = Lambda(S) and S runs monotonically, so the orbit is followed by its arc length sigma in (log|e|, log(w/w0)[,
// a]), together with dt = d sigma / (|Lambda'(S)| |G|), up to the S at which the loss is that small. Any thread;
// deterministic; the number of steps is bounded for every input.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/basin_map.h"
#include "engine/markov/canonical_model.h"

namespace sepx::markov {

/// Time to converge, in the flow's own clock; 0 for a point at rest. No value where the limit cannot be determined (a
/// coordinate that is not finite or beyond 1e150, an unbounded path, an initial point so near the separatrix that
/// doubles cannot tell its side). `tolerance`: relative, per step; 1e-9 gives eight digits of the time.
std::optional<double> convergenceTime(const Chain& chain, Model model, const State& theta0, double share = 0.01,
                                      double tolerance = 1e-9);

/// convergenceTime of (e,w) at the pixel centres of `window`, row 0 at the top; NaN where there is no value and in
/// pixels that a cancelled map did not reach. `cancelled` is called once per row.
std::vector<float> convergenceTimeMap(const Chain& chain, const dynamics::BasinWindow& window, ThreadPool& pool,
                                      const std::function<bool()>& cancelled = {}, double share = 0.01);

}  // namespace sepx::markov
