// SPDX-License-Identifier: Apache-2.0
// Integrates the last part of a stiff flow dX/dt = velocity(X) in chart coordinates by a linearly implicit method,
// which needs the Jacobian. It is for orbits on which stability, not accuracy, limits an explicit step (free bias:
// curvatures of 1e5 and more beside a direction that hardly moves). Any thread; deterministic; always ends, because
// attempts are counted.
#pragma once

#include <functional>

#include "engine/dynamics/integrator.h"

namespace sepx::markov {

struct StiffProblem {  ///< what is integrated, and when it is at rest
  std::function<dynamics::State(const dynamics::State& X)> velocity;
  std::function<dynamics::Jacobian(const dynamics::State& X)> jacobian;
  std::function<bool(const dynamics::State& X)> rest;  ///< called after each accepted step; true ends the integration
};

/// Continues where `solution` stopped, forward to options.tEnd or until `rest` returns true. In that case the end is
/// EventHit, and solution.event is left unchanged. The new segments have cubic dense output (straight where a step is
/// far longer than the fast decay). At most options.maxSteps attempts; the tolerances are those of `options`.
void continueStiff(const StiffProblem& problem, const dynamics::IntegratorOptions& options,
                   dynamics::Solution& solution);

}  // namespace sepx::markov
