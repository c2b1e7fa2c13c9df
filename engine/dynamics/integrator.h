// SPDX-License-Identifier: Apache-2.0
// Adaptive Dormand-Prince 5(4) with dense output (4th order) and events located on the dense output. Deterministic: the
// same input gives the same numbers on every thread count. Any thread.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

using RightHandSide = std::function<State(double t, const State& x)>;  ///< f of dx/dt = f(t, x)

struct IntegratorOptions {  ///< accuracy and bounds
  double relativeTolerance = 1e-10;
  double absoluteTolerance = 1e-12;
  double tEnd = 1.0;       ///< end of the integration; smaller than the start: backward
  double firstStep = 0.0;  ///< 0: chosen from the right-hand side
  double maxStep = std::numeric_limits<double>::infinity();
  int maxSteps = 100000;  ///< accepted and rejected together
};

/// A zero of g(t, x) along the solution.
struct Event {
  std::function<double(double t, const State& x)> g;
  bool terminal = true;
  int direction = 0;  ///< +1: only rising, -1: only falling, 0: both
};

enum class IntegrationEnd { ReachedEnd, EventHit, TooManySteps, StepTooSmall, NotFinite };  ///< why integration ended

struct IntegrationStatistics {  ///< cost of the integration
  int steps = 0, rejected = 0, evaluations = 0;
};

/// One accepted step with the coefficients of its dense output.
struct Segment {
  double t0 = 0, t1 = 0;
  double h = 0;  ///< the step the coefficients belong to; t1 - t0 unless an event cut the segment short
  State x0, x1;
  Eigen::Matrix<double, 4, 5> dense = Eigen::Matrix<double, 4, 5>::Zero();  ///< rows: components, columns: coefficients
  State at(double t) const;                                                 ///< dense output, t between t0 and t1
};

/// A zero of events[event] that was passed, terminal or not.
struct EventHit {
  int event = -1;
  double t = 0;
  State x;
};

struct Solution {  ///< an orbit with its events
  std::vector<Segment> segments;
  std::vector<EventHit> hits;
  IntegrationEnd end = IntegrationEnd::ReachedEnd;
  int event = -1;  ///< index of the terminal event that was hit
  double t = 0;    ///< time at which it ended
  State x;
  IntegrationStatistics statistics;
  /// Dense output at any t inside the integrated interval.
  State at(double t) const;
};
/// Integrates from (t0, x0) to options.tEnd, with events and step control; any thread.
Solution integrate(const RightHandSide& f, double t0, const State& x0, const IntegratorOptions& options,
                   const std::vector<Event>& events = {});

}  // namespace sepx::dynamics
