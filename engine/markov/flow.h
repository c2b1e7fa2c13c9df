// SPDX-License-Identifier: Apache-2.0
// Gradient flow d theta/dt = -grad L of the canonical models by integration. Any thread; deterministic.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "engine/dynamics/integrator.h"
#include "engine/markov/basin.h"

namespace sepx::markov {

struct FlowOptions {  ///< accuracy, bounds and window of an orbit
  /// Of the orbit; the energy of ordinary starts drifts by less than 1e-9 then. The free-bias flows, which have no
  /// energy to keep and are stiff, are never followed more finely than 1e-10 and 1e-12.
  double relativeTolerance = 1e-12;
  double absoluteTolerance = 1e-14;
  double tMax = std::numeric_limits<double>::infinity();  ///< the path is cut there
  int maxSteps = 10000;                                   ///< accepted and rejected; the status is time-limit then
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
  std::optional<Limit> limit;                  ///< no value: it has none, or it was not found
  dynamics::IntegrationStatistics statistics;  ///< what it cost
  double tEnd = 0;                             ///< the last time of `path`
  std::optional<double>
      energyDrift;  ///< largest |E(t) - E(0)|/(1 + |E(0)|) on the path; none with a free bias or w = 0
};

/// The path from theta0 and where it ends. The orbit is integrated by arc length (the field -grad L/|grad L|, no
/// stiffness, ends in finite length), with the flow's own time carried along as one more component; it stops on Theta*,
/// on e = 0, or far out. For (e,w) the closed form supplies label and limit. With p + q = 1 the status is Degenerate
/// and there is no label, but a limit: a point of S = 0. Usage for non-finite theta0. Under 1 ms for one (e,w) point
/// from a window of ordinary size (tests/bench).
Result<FlowResult> flowFrom(const Chain& chain, Model model, const State& theta0, const FlowOptions& options = {});

/// theta(t) of the true flow at given increasing times, to the integrator's tolerance (fixtures: 1e-12).
Result<Path> flowAt(const Chain& chain, Model model, const State& theta0, const std::vector<double>& times);

}  // namespace sepx::markov
