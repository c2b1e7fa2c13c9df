// SPDX-License-Identifier: Apache-2.0
// Turns an integrated orbit into the path that is displayed: samples dense enough to look smooth, each with the flow's
// own time, and the approach to the limit resolved down to its last e-folds. Any thread.
#pragma once

#include <functional>

#include "engine/dynamics/integrator.h"
#include "engine/markov/flow.h"
#include "engine/markov/flow_chart.h"

namespace sepx::markov {

/// An orbit in chart coordinates as a function of its integration variable sigma, and the meaning of sigma.
struct Orbit {
  const FlowChart* chart = nullptr;
  dynamics::Solution solution;
  /// dt/dsigma; empty: sigma is the time.
  std::function<double(const State& X)> clock;
  bool arrives = false;  ///< ends at finite sigma where dt/dsigma is infinite
};

/// Samples of the orbit: sigma, time, theta.
struct Samples {
  std::vector<double> sigma, t;
  std::vector<State> theta;
  bool cut = false;  ///< ended at tMax before the orbit did
};

/// `points` > 0: that many samples, evenly spaced in theta; 0: as many as its curvature needs. Time runs forward from 0
/// and stops at tMax.
Samples samplesOf(const Orbit& orbit, int points, double tMax);

}  // namespace sepx::markov
