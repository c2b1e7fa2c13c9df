// SPDX-License-Identifier: Apache-2.0
// The last part of a stiff flow dX/dt = velocity(X) in chart coordinates: a linearly implicit method that needs the
// Jacobian, for where stability and not accuracy holds an explicit step down (free bias: curvatures of 1e5 and more
// beside a direction that hardly moves). Any thread; deterministic; it must end: attempts are counted.
#pragma once

#include <functional>

#include "engine/dynamics/integrator.h"

namespace sepx::markov {

struct StiffProblem {  ///< what is integrated, by an implicit rule
  std::function<dynamics::State(const dynamics::State& X)> velocity;
  std::function<dynamics::Jacobian(const dynamics::State& X)> jacobian;
  std::function<bool(const dynamics::State& X)> rest;  ///< asked after each accepted step; true ends the integration
};

/// Goes on where `solution` stopped, to options.tEnd (forward) or to rest: the end is EventHit then, solution.event is
/// left alone. The new segments have cubic dense output (straight where a step is far longer than the fast decay).
/// At most options.maxSteps attempts; the tolerances are those of `options`.
void continueStiff(const StiffProblem& problem, const dynamics::IntegratorOptions& options,
                   dynamics::Solution& solution);

}  // namespace sepx::markov
