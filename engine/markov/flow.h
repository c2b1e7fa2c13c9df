// SPDX-License-Identifier: Apache-2.0
// Gradient flow d theta/dt = -grad L of the canonical models by integration. Any thread; deterministic.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "engine/dynamics/integrator.h"
#include "engine/markov/basin.h"

namespace sepx::markov {

struct FlowOptions {  ///< accuracy, limits and sampling of an orbit
  /// Tolerances of the orbit. With these defaults the energy from ordinary initial points drifts by less than 1e-9. The
  /// free-bias flows, which conserve no energy and are stiff, use at least 1e-10 and 1e-12.
  double relativeTolerance = 1e-12;
  double absoluteTolerance = 1e-14;
  double tMax = std::numeric_limits<double>::infinity();  ///< the path is cut at this time
  int maxSteps = 10000;                                   ///< accepted and rejected; beyond: status time-limit
  int points = 0;  ///< samples of the path to return, spaced evenly along it; 0: the integrator's own steps
  bool backward = false;
};

/// A path of the true flow. Sample i is theta[i] at time t[i]; the last sample is where integration stopped.
struct Path {
  std::vector<double> t;     ///< ascending, from 0; descending where the flow ran backward
  std::vector<State> theta;  ///< [dimension] each
};

struct FlowResult {                            ///< an orbit and its end
  Path path;                                   ///< theta0 to where integration stopped
  FlowStatus status = FlowStatus::TimeLimit;   ///< why it stopped
  LimitKind label = LimitKind::Undecided;      ///< what the orbit reaches
  bool exact = false;                          ///< label and limit in closed form (2-D), else from integration
  std::optional<Limit> limit;                  ///< no value if there is none or it was not found
  dynamics::IntegrationStatistics statistics;  ///< cost of the integration
  double tEnd = 0;                             ///< the last time of `path`
  std::optional<double>
      energyDrift;  ///< largest |E(t) - E(0)|/(1 + |E(0)|) on the path; none with a free bias or w = 0
};

/// The path from theta0 and its end. With optimal bias the orbit is integrated by arc length (the field -grad L/|grad
/// L| is not stiff and ends at finite length) until Theta*, e = 0, or far out; the flow's own time is a quadrature
/// along it. With a free bias it is integrated in time until it comes to rest. For (e,w) the closed form gives label
/// and limit. With p + q = 1 the status is Degenerate and there is no label, but a limit: a point of S = 0. A Usage
/// error if theta0 is not finite. Under 1 ms for one (e,w) point from a window of ordinary size (tests/bench).
Result<FlowResult> flowFrom(const Chain& chain, Model model, const State& theta0, const FlowOptions& options = {});

/// theta(t) of the true flow at given increasing times, to the integrator's tolerance (fixtures: 1e-12).
Result<Path> flowAt(const Chain& chain, Model model, const State& theta0, const std::vector<double>& times);

}  // namespace sepx::markov
