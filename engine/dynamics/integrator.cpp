// SPDX-License-Identifier: Apache-2.0
// Dormand and Prince's 5(4) pair (1980) with Hairer's and Wanner's continuous extension and PI step control (Solving
// ODEs I, II.4-II.6). Pure computation; any thread. It always terminates: every attempt counts against maxSteps, and a
// step that becomes too small ends the integration.
#include "engine/dynamics/integrator.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sepx::dynamics {

namespace {

constexpr double kC2 = 1 / 5.0, kC3 = 3 / 10.0, kC4 = 4 / 5.0, kC5 = 8 / 9.0;
constexpr double kA21 = 1 / 5.0;
constexpr double kA31 = 3 / 40.0, kA32 = 9 / 40.0;
constexpr double kA41 = 44 / 45.0, kA42 = -56 / 15.0, kA43 = 32 / 9.0;
constexpr double kA51 = 19372 / 6561.0, kA52 = -25360 / 2187.0, kA53 = 64448 / 6561.0, kA54 = -212 / 729.0;
constexpr double kA61 = 9017 / 3168.0, kA62 = -355 / 33.0, kA63 = 46732 / 5247.0, kA64 = 49 / 176.0,
                 kA65 = -5103 / 18656.0;
constexpr double kA71 = 35 / 384.0, kA73 = 500 / 1113.0, kA74 = 125 / 192.0, kA75 = -2187 / 6784.0, kA76 = 11 / 84.0;
constexpr double kE1 = 71 / 57600.0, kE3 = -71 / 16695.0, kE4 = 71 / 1920.0, kE5 = -17253 / 339200.0, kE6 = 22 / 525.0,
                 kE7 = -1 / 40.0;
constexpr double kD1 = -12715105075 / 11282082432.0, kD3 = 87487479700 / 32700410799.0,
                 kD4 = -10690763975 / 1880347072.0, kD5 = 701980252875 / 199316789632.0,
                 kD6 = -1453857185 / 822651844.0, kD7 = 69997945 / 29380423.0;

/// The seven slopes of one attempt and the point they lead to.
struct Attempt {
  State k1, k2, k3, k4, k5, k6, k7, x1;
};

void evaluateStages(const RightHandSide& f, double t, const State& x, double h, Attempt& s) {
  s.k2 = f(t + kC2 * h, x + h * (kA21 * s.k1));
  s.k3 = f(t + kC3 * h, x + h * (kA31 * s.k1 + kA32 * s.k2));
  s.k4 = f(t + kC4 * h, x + h * (kA41 * s.k1 + kA42 * s.k2 + kA43 * s.k3));
  s.k5 = f(t + kC5 * h, x + h * (kA51 * s.k1 + kA52 * s.k2 + kA53 * s.k3 + kA54 * s.k4));
  s.k6 = f(t + h, x + h * (kA61 * s.k1 + kA62 * s.k2 + kA63 * s.k3 + kA64 * s.k4 + kA65 * s.k5));
  s.x1 = x + h * (kA71 * s.k1 + kA73 * s.k3 + kA74 * s.k4 + kA75 * s.k5 + kA76 * s.k6);
  s.k7 = f(t + h, s.x1);
}

/// Root mean square of v in units of the tolerance at x and y.
double scaledNorm(const State& v, const State& x, const State& y, const IntegratorOptions& options) {
  double sum = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const double scale =
        options.absoluteTolerance + options.relativeTolerance * std::max(std::abs(x[i]), std::abs(y[i]));
    sum += (v[i] / scale) * (v[i] / scale);
  }
  return std::sqrt(sum / static_cast<double>(v.size()));
}

double errorOf(const Attempt& s, const State& x, double h, const IntegratorOptions& options) {
  const State error = h * (kE1 * s.k1 + kE3 * s.k3 + kE4 * s.k4 + kE5 * s.k5 + kE6 * s.k6 + kE7 * s.k7);
  return scaledNorm(error, x, s.x1, options);
}

Segment makeSegment(double t, const State& x, double h, const Attempt& s) {
  Segment segment;
  segment.t0 = t;
  segment.t1 = t + h;
  segment.h = h;
  segment.x0 = x;
  segment.x1 = s.x1;
  const Eigen::Index n = x.size();
  const State difference = s.x1 - x;
  const State bend = h * s.k1 - difference;
  segment.dense.col(0).head(n) = x;
  segment.dense.col(1).head(n) = difference;
  segment.dense.col(2).head(n) = bend;
  segment.dense.col(3).head(n) = difference - h * s.k7 - bend;
  segment.dense.col(4).head(n) = h * (kD1 * s.k1 + kD3 * s.k3 + kD4 * s.k4 + kD5 * s.k5 + kD6 * s.k6 + kD7 * s.k7);
  return segment;
}

/// The first step size, from the norms of f and of a difference of f (Hairer, Norsett, Wanner, II.4).
double firstStep(const RightHandSide& f, double t, const State& x, const State& slope, double span,
                 const IntegratorOptions& options, IntegrationStatistics& statistics) {
  const double sizeX = scaledNorm(x, x, x, options), sizeF = scaledNorm(slope, x, x, options);
  double h = sizeX < 1e-5 || sizeF < 1e-5 ? 1e-6 : 0.01 * sizeX / sizeF;
  h = std::min({h, std::abs(span), options.maxStep});
  const double sign = span < 0 ? -1 : 1;
  const State next = f(t + sign * h, x + sign * h * slope);
  ++statistics.evaluations;
  const double sizeD = scaledNorm(next - slope, x, x, options) / h;
  const double largest = std::max(sizeF, sizeD);
  const double h1 = largest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / largest, 0.2);
  const double chosen = std::min({100 * h, h1, std::abs(span), options.maxStep});
  return std::isfinite(chosen) && chosen > 0 ? chosen : 1e-6 * std::min(1.0, std::abs(span));
}

/// Finds the first zero of an event in each segment. Keeps the value of the event at the start of the next segment.
class EventWatch {
 public:
  EventWatch(const Event& event, double t, const State& x) : event_(event), value_(event.g(t, x)) {}

  /// Checks the ends and three points between them, so that a step across two zeros is less likely to be missed.
  std::optional<double> zeroIn(const Segment& segment) {
    constexpr int kLooks = 4;
    double t0 = segment.t0, g0 = value_;
    std::optional<double> found;
    for (int i = 1; i <= kLooks; ++i) {
      const double t1 = i == kLooks ? segment.t1 : segment.t0 + (segment.t1 - segment.t0) * i / kLooks;
      const double g1 = event_.g(t1, i == kLooks ? segment.x1 : segment.at(t1));
      const bool crossed = g0 != 0 && ((g0 < 0) != (g1 < 0) || g1 == 0);
      const bool wanted = event_.direction == 0 || (event_.direction > 0) == (g0 < 0);
      if (!found && crossed && wanted) found = locate(segment, t0, g0, t1, g1);
      t0 = t1;
      g0 = g1;
    }
    value_ = g0;
    return found;
  }

 private:
  /// The Illinois variant of regula falsi, with a bisection in every fourth step, to the last digits of t.
  double locate(const Segment& segment, double t0, double g0, double t1, double g1) const {
    const bool negativeFirst = g0 < 0;
    for (int i = 0; i < 100 && g1 != 0; ++i) {
      double t = i % 4 == 3 ? 0.5 * (t0 + t1) : (t0 * g1 - t1 * g0) / (g1 - g0);
      if (!(std::min(t0, t1) < t && t < std::max(t0, t1))) t = 0.5 * (t0 + t1);
      if (t == t0 || t == t1) break;
      const double g = event_.g(t, segment.at(t));
      if ((g < 0) == negativeFirst && g != 0) {
        t0 = t;
        g0 = g;
        g1 *= 0.5;
      } else {
        t1 = t;
        g1 = g;
        g0 *= 0.5;
      }
    }
    return t1;  // on the far side of the zero, or on it
  }

  const Event& event_;
  double value_;
};

/// The state of one integration.
class Run {
 public:
  Run(const RightHandSide& f, double t0, const State& x0, const IntegratorOptions& options,
      const std::vector<Event>& events)
      : f_(f), options_(options), sign_(options.tEnd < t0 ? -1 : 1) {
    solution_.t = t0;
    solution_.x = x0;
    watches_.reserve(events.size());
    for (const Event& event : events) {
      watches_.emplace_back(event, t0, x0);
      terminal_.push_back(event.terminal);
    }
  }

  Solution run() {
    if (solution_.t == options_.tEnd) return std::move(solution_);
    stages_.k1 = f_(solution_.t, solution_.x);
    ++solution_.statistics.evaluations;
    if (!stages_.k1.allFinite() || !solution_.x.allFinite()) return ended(IntegrationEnd::NotFinite);
    h_ = options_.firstStep > 0 ? options_.firstStep
                                : firstStep(f_, solution_.t, solution_.x, stages_.k1, options_.tEnd - solution_.t,
                                            options_, solution_.statistics);
    for (int attempt = 0; attempt < options_.maxSteps; ++attempt)
      if (!step()) return std::move(solution_);
    return ended(IntegrationEnd::TooManySteps);
  }

 private:
  Solution ended(IntegrationEnd end) {
    solution_.end = end;
    return std::move(solution_);
  }

  /// One attempt; false when the integration is over.
  bool step() {
    constexpr double kSafety = 0.9, kSmallest = 0.2, kLargest = 10, kBeta = 0.04, kExponent = 0.2 - kBeta * 0.75;
    const double t = solution_.t, left = std::abs(options_.tEnd - t);
    h_ = std::min({h_, options_.maxStep});
    const bool last = h_ >= left * (1 - 1e-12);
    const double h = sign_ * (last ? left : h_);
    if (std::abs(h) <= 4e-16 * std::abs(t) || h == 0)
      return stop(notFinite_ ? IntegrationEnd::NotFinite : IntegrationEnd::StepTooSmall);
    evaluateStages(f_, t, solution_.x, h, stages_);
    solution_.statistics.evaluations += 6;
    const double error = errorOf(stages_, solution_.x, h, options_);
    if (!std::isfinite(error) || !stages_.x1.allFinite()) {
      notFinite_ = true;
      return reject(std::abs(h) * 0.1);
    }
    const double factor = std::pow(std::max(error, 1e-10), kExponent) / kSafety;
    if (error > 1) return reject(std::abs(h) / std::min(1 / kSmallest, factor));
    notFinite_ = false;
    double grow = std::clamp(std::pow(previousError_, kBeta) / factor, kSmallest, kLargest);
    if (rejected_) grow = std::min(grow, 1.0);
    rejected_ = false;
    previousError_ = std::max(error, 1e-4);
    h_ = std::abs(h) * grow;
    return accept(h, last);
  }

  bool stop(IntegrationEnd end) {
    solution_.end = end;
    return false;
  }

  bool reject(double h) {
    ++solution_.statistics.rejected;
    rejected_ = true;
    h_ = h;
    return true;
  }

  bool accept(double h, bool last) {
    ++solution_.statistics.steps;
    Segment& segment = solution_.segments.emplace_back(makeSegment(solution_.t, solution_.x, h, stages_));
    if (last) segment.t1 = options_.tEnd;
    solution_.t = segment.t1;
    solution_.x = segment.x1;
    stages_.k1 = stages_.k7;
    if (!watches_.empty() && hitTerminal(segment)) return stop(IntegrationEnd::EventHit);
    if (last) return stop(IntegrationEnd::ReachedEnd);
    return true;
  }

  /// Records the events of the segment in the order in which they were passed; cuts it at the first terminal one.
  bool hitTerminal(Segment& segment) {
    std::vector<EventHit> hits;
    for (std::size_t i = 0; i < watches_.size(); ++i)
      if (const auto t = watches_[i].zeroIn(segment)) hits.push_back({static_cast<int>(i), *t, segment.at(*t)});
    std::stable_sort(hits.begin(), hits.end(),
                     [this](const auto& a, const auto& b) { return sign_ * a.t < sign_ * b.t; });
    for (EventHit& hit : hits) {
      solution_.hits.push_back(hit);
      if (!terminal_[static_cast<std::size_t>(hit.event)]) continue;
      solution_.event = hit.event;
      segment.t1 = solution_.t = hit.t;
      segment.x1 = solution_.x = hit.x;
      return true;
    }
    return false;
  }

  const RightHandSide& f_;
  const IntegratorOptions& options_;
  const double sign_;
  std::vector<EventWatch> watches_;
  std::vector<bool> terminal_;
  Solution solution_;
  Attempt stages_;
  double h_ = 0, previousError_ = 1e-4;
  bool rejected_ = false, notFinite_ = false;
};

}  // namespace

State Segment::at(double t) const {
  if (t == t0) return x0;
  const double a = (t - t0) / h, b = 1 - a;
  const Eigen::Vector4d y =
      dense.col(0) + a * (dense.col(1) + b * (dense.col(2) + a * (dense.col(3) + b * dense.col(4))));
  return y.head(x0.size());
}

State Solution::at(double when) const {
  if (segments.empty()) return x;
  const bool backward = segments.front().h < 0;
  const auto before = [backward](const Segment& segment, double value) {
    return backward ? segment.t1 > value : segment.t1 < value;
  };
  auto segment = std::lower_bound(segments.begin(), segments.end(), when, before);
  if (segment == segments.end()) --segment;
  return when == segment->t1 ? segment->x1 : segment->at(when);
}

Solution integrate(const RightHandSide& f, double t0, const State& x0, const IntegratorOptions& options,
                   const std::vector<Event>& events) {
  return Run(f, t0, x0, options, events).run();
}

}  // namespace sepx::dynamics
