// SPDX-License-Identifier: Apache-2.0
// From an integrated orbit to the path a person sees: samples dense enough to look smooth, each with the flow's own
// time, the approach to the limit resolved down to its last e-folds. Any thread.
#pragma once

#include <functional>

#include "engine/dynamics/integrator.h"
#include "engine/markov/flow.h"
#include "engine/markov/flow_chart.h"

namespace sepx::markov {

/// An orbit in chart coordinates over its integration variable sigma, and what sigma means.
struct Orbit {
  const FlowChart* chart = nullptr;
  dynamics::Solution solution;
  /// dt/dsigma; empty: sigma is the time.
  std::function<double(const State& X)> clock;
  bool arrives = false;  ///< ends where the clock stands still, in finite sigma
};

/// Samples of the orbit: sigma, time, theta.
struct Samples {
  std::vector<double> sigma, t;
  std::vector<State> theta;
  bool cut = false;  ///< ended at tMax before the orbit did
};

/// `points` > 0: that many samples, evenly spaced in theta; 0: by bend. Time runs forward from 0 and stops at tMax.
Samples samplesOf(const Orbit& orbit, int points, double tMax);

}  // namespace sepx::markov
