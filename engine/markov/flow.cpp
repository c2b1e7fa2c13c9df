// SPDX-License-Identifier: Apache-2.0
// Integrates an orbit in the coordinates of flow_chart.h, recognises its end and recovers its time. With optimal bias
// the orbit is followed by arc length up to S = S_star or e = 0, which it crosses smoothly. With a free bias it is
// followed in time until it comes to rest, by an implicit method once the explicit one needs too many steps. For (e,w)
// label and limit come from the closed form. Any thread. Ends for every input, because the number of steps is bounded.
#include "engine/markov/flow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "engine/core/try.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow_chart.h"
#include "engine/markov/flow_path.h"
#include "engine/markov/stiff_flow.h"
#include "engine/markov/unbounded_surface.h"

namespace sepx::markov {

namespace {

using dynamics::Event;
using dynamics::IntegrationEnd;

constexpr double kSquareable = 1e150;               // beyond, S overflows
constexpr double kFarFactor = 10, kFarLeast = 1e3;  // an orbit this far out counts as unbounded
constexpr double kSaddleRadius = 1e-4;              // an orbit on the separatrix is followed up to here
constexpr double kFlat = 1e-5;                      // largest |S| of a free-bias orbit at rest, if p + q = 1
constexpr double kAtRest = 1e-10;                   // |dX/dt| at which a free-bias orbit has arrived
constexpr int kExplicitSteps = 1000;                // steps of a free-bias orbit before the implicit method takes over
enum EventIndex { kAxis, kThetaStar, kFar, kRest, kNearSaddle };

State saddlePoint() {
  return Eigen::Vector2d(0, -1 / std::numbers::sqrt2);
}

/// An absolute tolerance that still resolves a tiny e, which may have to grow over hundreds of powers of ten.
double absoluteFor(double wanted, double relative, double e) {
  return e == 0 ? wanted : std::clamp(relative * std::abs(e), 1e-300, wanted);
}

/// One call of flowFrom.
class Flow {
 public:
  Flow(const Chain& chain, Model model, const State& theta0, const FlowOptions& options)
      : chain_(chain),
        model_(model),
        theta0_(theta0),
        options_(options),
        chart_(chain, model, theta0),
        freeBias_(hasFreeBias(model)) {}

  FlowResult run() {
    if (theta0_.cwiseAbs().maxCoeff() > kSquareable) return standing();
    if (model_ == Model::EW && !options_.backward) decideExactly();
    if (!stationary()) {
      follow(options_.relativeTolerance, options_.absoluteTolerance);
      if (result_.exact && !endsAtLimit()) followOnExactSide();
    } else {
      orbit_.solution.x = chart_.start();
    }
    makePath();
    if (!result_.exact) decideByEnd();
    if (chain_.degenerate()) result_.status = FlowStatus::Degenerate;
    appendLimit();
    finishTimes();
    return std::move(result_);
  }

 private:
  FlowResult standing() {
    result_.path = {{0.0}, {theta0_}};
    if (chain_.degenerate()) result_.status = FlowStatus::Degenerate;
    return std::move(result_);
  }

  void decideExactly() {
    result_.limit = exactLimit(chain_, theta0_[0], theta0_[1]);
    result_.exact = result_.limit.has_value();
    if (!result_.exact) return;
    result_.label = result_.limit->kind;
    result_.status = result_.label == LimitKind::Saddle ? FlowStatus::OnSeparatrix : FlowStatus::Reached;
  }

  bool stationary() const {
    if (freeBias_) return chart_.velocity(chart_.start()).norm() <= kAtRest;
    return theta0_[0] == 0 || missing(chart_.start()) == 0 || chart_.direction(chart_.start()).isZero(0);
  }

  /// S - S_star
  double missing(const State& X) const { return chart_.S(X) - S_star_; }

  double farRadius() const { return std::max(kFarLeast, kFarFactor * theta0_.cwiseAbs().maxCoeff()); }

  std::vector<Event> events() const {
    std::vector<Event> events(result_.label == LimitKind::Saddle ? 5 : 4);
    const double far = farRadius();
    events[kAxis].g = [](double, const State& X) { return X[0]; };
    events[kThetaStar].g = [this](double, const State& X) { return missing(X); };
    events[kFar].g = [this, far](double, const State& X) { return far - chart_.theta(X).cwiseAbs().maxCoeff(); };
    events[kRest].g = [this](double, const State& X) { return chart_.velocity(X).norm() - kAtRest; };
    events[kRest].direction = -1;
    if (freeBias_)
      events[kThetaStar].g = [](double, const State&) { return 1.0; };
    else
      events[kRest].g = [](double, const State&) { return 1.0; };
    if (events.size() > kNearSaddle) {
      events[kNearSaddle].direction = -1;
      events[kNearSaddle].g = [this](double, const State& X) {
        return (chart_.theta(X) - saddlePoint()).norm() - kSaddleRadius;
      };
    }
    return events;
  }

  /// Integrates the orbit from `from`.
  void followFrom(const State& from, double relative, double absolute) {
    dynamics::IntegratorOptions options;
    constexpr double kStiffRelative = 1e-10, kStiffAbsolute = 1e-12;
    options.relativeTolerance = freeBias_ ? std::max(relative, kStiffRelative) : relative;
    options.absoluteTolerance =
        freeBias_ ? absoluteFor(std::max(absolute, kStiffAbsolute), options.relativeTolerance, from[0]) : absolute;
    options.maxSteps = options_.maxSteps;
    options.tEnd = 1e15;  // arc length or time; the events end it
    const double way = options_.backward ? -1 : 1;
    const double sign = way * (missing(chart_.start()) > 0 ? -1 : 1) * (theta0_[0] < 0 ? -1 : 1);
    const auto byArc = [this, sign](double, const State& X) -> State { return sign * chart_.direction(X); };
    const auto byTime = [this, way](double, const State& X) -> State { return way * chart_.velocity(X); };
    if (freeBias_) {
      options.tEnd = std::min(options.tEnd, options_.tMax);
      if (!options_.backward) options.maxSteps = std::min(options.maxSteps, kExplicitSteps);
      orbit_.solution = dynamics::integrate(byTime, 0, from, options, events());
      if (!options_.backward) finishStiff(options);
    } else {
      orbit_.solution = dynamics::integrate(byArc, 0, from, options, events());
      cutAtThetaStar();
      orbit_.clock = [this](const State& X) { return 1 / std::max(chart_.speed(X), 1e-300); };
    }
    const auto& solution = orbit_.solution;
    orbit_.arrives = !freeBias_ && solution.end == IntegrationEnd::EventHit && solution.event != kFar;
    result_.statistics.steps += solution.statistics.steps;
    result_.statistics.rejected += solution.statistics.rejected;
    result_.statistics.evaluations += solution.statistics.evaluations;
  }

  /// Continues with the implicit method if the explicit one, whose step is limited by stability, used up its share of
  /// steps.
  void finishStiff(dynamics::IntegratorOptions options) {
    constexpr double kRelative = 1e-8, kAbsolute = 1e-10;  // for its order, far above the rounding of its stages
    dynamics::Solution& solution = orbit_.solution;
    if (solution.end != IntegrationEnd::TooManySteps && solution.end != IntegrationEnd::StepTooSmall) return;
    options.maxSteps = options_.maxSteps - solution.statistics.steps - solution.statistics.rejected;
    options.relativeTolerance = std::max(options.relativeTolerance, kRelative);
    options.absoluteTolerance = absoluteFor(kAbsolute, options.relativeTolerance, theta0_[0]);
    const double far = farRadius();
    bool left = false;
    const StiffProblem problem{[this](const State& X) { return chart_.velocity(X); },
                               [this](const State& X) { return chart_.jacobian(X); },
                               [this, far, &left](const State& X) {
                                 left = chart_.theta(X).cwiseAbs().maxCoeff() >= far;
                                 return left || chart_.velocity(X).norm() <= kAtRest || atBottom(X);
                               }};
    continueStiff(problem, options, solution);
    if (solution.end == IntegrationEnd::EventHit) solution.event = left ? kFar : kRest;
  }

  /// Whether the loss equals that of the global minimum to within rounding. There steep curvature can keep the rounding
  /// error of the gradient above kAtRest.
  bool atBottom(const State& X) const {
    constexpr double kDigits = 2e-15, kShare = 1e-6;
    const double excess = loss(chain_, model_, chart_.theta(X)) - chain_.entropyRate();
    return excess <= std::min(kDigits, kShare * chain_.mutualInformation());
  }

  /// Where S = S_star lies next to the axis, one step may cross it, the axis, and S = S_star again beyond the axis.
  /// Only the axis is detected then. S takes every value between its initial value and 0 on the way, so the first
  /// crossing of S = S_star is used.
  void cutAtThetaStar() {
    dynamics::Solution& solution = orbit_.solution;
    if (solution.event != kAxis || solution.segments.empty() || options_.backward) return;
    dynamics::Segment& segment = solution.segments.back();
    const bool below = missing(chart_.start()) < 0;
    if ((missing(segment.x0) < 0) != below || (missing(solution.x) < 0) == below) return;
    double before = segment.t0, after = segment.t1;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (before + after);
      if (middle == before || middle == after) break;
      ((missing(segment.at(middle)) < 0) == below ? before : after) = middle;
    }
    solution.x = segment.at(after);
    const State theta = chart_.theta(solution.x);  // recompute e from S = S_star: x (1 + a x) v = S_star, x = e^2
    const double a = hasAttention(model_) ? theta[2] : 0, level = S_star_ / chart_.v(solution.x);
    const double x = 2 * level / (1 + std::sqrt(1 + 4 * a * level));
    if (x > 0) solution.x[0] = std::copysign(std::sqrt(x), theta0_[0]);
    segment.t1 = solution.t = after;
    segment.x1 = solution.x;
    solution.event = kThetaStar;
  }

  void follow(double relative, double absolute) { followFrom(chart_.start(), relative, absolute); }

  bool endsAtLimit() const {
    if (result_.label == LimitKind::Saddle) return true;
    const int wanted = result_.label == LimitKind::GlobalMin ? kThetaStar : kAxis;
    return orbit_.solution.event == wanted;
  }

  /// For an orbit so close to the separatrix that integration took the wrong side of the saddle: keeps the path up to
  /// its point nearest to the saddle, puts it back on the exact orbit at v = 0 and continues from there.
  void followOnExactSide() {
    const State from = chart_.start();
    dynamics::Solution first = orbit_.solution;
    std::size_t nearest = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < first.segments.size(); ++i) {
      const double d = (chart_.theta(first.segments[i].x1) - saddlePoint()).norm();
      if (d < distance) distance = d, nearest = i;
    }
    if (first.segments.empty() || !(distance < 0.1)) return;
    first.segments.resize(nearest + 1);
    const double joint = first.segments.back().t1;
    if (result_.label == LimitKind::LocalMin || nearest == 0) {
      first.t = joint;
      first.x = first.segments.back().x1;
      first.event = kAxis;
      first.end = IntegrationEnd::EventHit;
      orbit_.solution = std::move(first);
      orbit_.arrives = true;
      return;
    }
    State beyond = saddlePoint();
    beyond[1] = std::log(std::abs(saddlePoint()[1])) - std::log(std::abs(theta0_[1]));
    const double level = chart_.energy(from) - saddleEnergy();
    beyond[0] = std::copysign(std::sqrt(std::max(level, 1e-24)), theta0_[0]);
    followFrom(beyond, options_.relativeTolerance, options_.absoluteTolerance);
    for (auto& segment : orbit_.solution.segments) {
      segment.t0 += joint;
      segment.t1 += joint;
      first.segments.push_back(segment);
    }
    orbit_.solution.t += joint;
    orbit_.solution.segments = std::move(first.segments);
  }

  void makePath() {
    orbit_.chart = &chart_;
    samples_ = samplesOf(orbit_, options_.points, options_.tMax);
    const bool cutByIntegrator =
        freeBias_ && orbit_.solution.end == IntegrationEnd::ReachedEnd && !orbit_.solution.segments.empty();
    cut_ = samples_.cut || cutByIntegrator;
    if (samples_.cut) samples_.t.back() = options_.tMax;  // the search finds it only to within rounding
    result_.path = {std::move(samples_.t), std::move(samples_.theta)};
    if (cut_) result_.status = FlowStatus::TimeLimit;
    if (!freeBias_ && chart_.offAxis()) measureEnergy();
  }

  void measureEnergy() {
    const double before = chart_.energy(chart_.start());
    double drift = 0;
    for (const double sigma : samples_.sigma)
      drift = std::max(drift, std::abs(chart_.energy(orbit_.solution.at(sigma)) - before) / (1 + std::abs(before)));
    result_.energyDrift = drift;
  }

  /// Label, limit and status where there is no closed form.
  void decideByEnd() {
    if (cut_) return;
    if (chain_.degenerate()) return endOnFlatSet();
    if (model_ == Model::EWA && !options_.backward && onUnboundedSurface(chain_, theta0_)) {
      result_.status = FlowStatus::Unbounded;
      return;
    }
    const auto& solution = orbit_.solution;
    const bool stood = solution.segments.empty();
    if (!stood && solution.event == kFar) {
      result_.status = FlowStatus::Unbounded;
      return;
    }
    if (!stood && solution.end != IntegrationEnd::EventHit) return;  // time-limit, undecided
    State theta = chart_.theta(solution.x);
    result_.label = kindAt(theta, stood ? -1 : solution.event);
    // no orbit from off the axis ends at a maximum: this one is nearer to it than doubles resolve
    if (result_.label == LimitKind::LocalMax && theta0_[0] != 0 && !options_.backward)
      result_.label = LimitKind::Undecided;
    if (result_.label == LimitKind::Undecided) return;
    settle(theta);
    result_.status = FlowStatus::Reached;
    const bool global = result_.label == LimitKind::GlobalMin;
    result_.limit = Limit{theta, global ? chain_.entropyRate() : chain_.marginalEntropy(), result_.label};
  }

  /// For p + q = 1: S_star = 0 and every orbit comes to rest on S = 0, that is on e = 0, on w = -1/sqrt 2, or on 1 + a
  /// e^2 = 0. All points of S = 0 are global minima with the loss H(pi), so the start has no basin (erratum 17).
  void endOnFlatSet() {
    const auto& solution = orbit_.solution;
    const bool stood = solution.segments.empty();
    if (options_.backward || (!stood && (solution.end != IntegrationEnd::EventHit || solution.event == kFar))) return;
    State theta = chart_.theta(solution.x);
    const double v = 1 + 2 * theta[1] * std::abs(theta[1]);
    const double u = hasAttention(model_) ? 1 + theta[2] * theta[0] * theta[0] : 1;
    if (freeBias_) return endOnFlatSetByBestBias(theta);
    // Move the end exactly onto the set.
    if (!stood && solution.event == kAxis) theta[0] = 0;
    if (!stood && solution.event != kAxis && std::abs(v) <= std::abs(u)) theta[1] = saddlePoint()[1];
    result_.limit = Limit{theta, chain_.marginalEntropy(), LimitKind::GlobalMin};
  }

  /// The same with a free bias. S decays there as a power of time and b has long relaxed to b*, so the rest is an orbit
  /// of the model with the best bias.
  void endOnFlatSetByBestBias(const State& theta) {
    if (std::abs(reducedS(model_, theta)) > kFlat) return;
    const Model reduced = hasAttention(model_) ? Model::EWA : Model::EW;
    const FlowResult rest = Flow(chain_, reduced, theta.head(dimension(reduced)), {}).run();
    if (!rest.limit) return;
    State end = theta;
    end.head(dimension(reduced)) = rest.limit->theta;
    end[end.size() - 1] = optimalBias(chain_, model_, end);
    result_.limit = Limit{end, chain_.marginalEntropy(), LimitKind::GlobalMin};
  }

  /// Moves theta over the last small distance to the critical set, because a free-bias orbit is stopped just before it.
  void settle(State& theta) const {
    if (result_.label == LimitKind::GlobalMin) {
      if (!freeBias_) return;
      for (int i = 0; i < 3; ++i) {  // Newton steps across the set of minima, none along it
        const Evaluation at = evaluate(chain_, model_, theta);
        const Eigen::MatrixXd hessian = at.hessian;
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(hessian);
        const double least = 1e-6 * spectrum.eigenvalues().cwiseAbs().maxCoeff();
        for (Eigen::Index k = 0; k < theta.size(); ++k)
          if (const double value = spectrum.eigenvalues()[k]; value > least)
            theta -= spectrum.eigenvectors().col(k) * (spectrum.eigenvectors().col(k).dot(at.gradient) / value);
      }
    } else if (!atStation(theta)) {
      theta[0] = 0;
      if (freeBias_) theta[theta.size() - 1] = optimalBias(chain_, model_, theta);
    }
  }

  /// 1 + a e^2 = 0 = v off the axis: strict saddles of the models with attention (erratum 3).
  bool atStation(const State& theta) const {
    return hasAttention(model_) && std::abs(1 + theta[2] * theta[0] * theta[0]) < 1e-6 && theta[0] != 0;
  }

  LimitKind kindAt(const State& theta, int event) const {
    constexpr double kClose = 1e-5;
    const double distance = std::abs(reducedS(model_, theta) - S_star_);
    if (event == kThetaStar ||
        (event != kAxis && distance < kClose * (1 + std::abs(S_star_)) && std::abs(theta[0]) > 0))
      return LimitKind::GlobalMin;
    const double v = 1 + 2 * theta[1] * std::abs(theta[1]);
    if (atStation(theta) && std::abs(v) < kClose) return LimitKind::Saddle;
    if (event != kAxis && std::abs(theta[0]) > 1e-3) return LimitKind::Undecided;
    if (std::abs(v) < 1e-9) return LimitKind::Saddle;
    return chain_.switching() * v > 0 ? LimitKind::LocalMin : LimitKind::LocalMax;
  }

  /// Makes the limit itself the last sample. It is reached only after infinite time, so its time is that of the sample
  /// before it plus one e-fold.
  void appendLimit() {
    Path& path = result_.path;
    if (cut_ || !result_.limit || orbit_.solution.segments.empty()) return;
    double more = 0;
    if (orbit_.clock) {
      const double sigma = samples_.sigma.back();
      more = orbit_.clock(orbit_.solution.at(sigma)) * std::max(orbit_.solution.t - sigma, 0.0);
    }
    if (options_.points > 0 && path.t.size() > 1) {
      path.theta.back() = result_.limit->theta;
      path.t.back() += more;
      return;
    }
    path.t.push_back(path.t.back() + more);
    path.theta.push_back(result_.limit->theta);
  }

  void finishTimes() {
    if (options_.backward)
      for (double& t : result_.path.t)
        t = t == 0 ? 0 : -t;
    result_.tEnd = result_.path.t.back();
  }

  const Chain chain_;
  const Model model_;
  const State theta0_;
  const FlowOptions options_;
  const FlowChart chart_;
  const bool freeBias_;
  const double S_star_ = chain_.S_star();
  bool cut_ = false;
  Orbit orbit_;
  Samples samples_;
  FlowResult result_;
};

Result<void> checkPoint(Model model, const State& theta) {
  if (theta.size() != dimension(model))
    return fail(ErrorKind::Usage, fmt::format("the point has {} coordinates, the model {} needs {}", theta.size(),
                                              modelName(model), dimension(model)));
  if (!theta.allFinite())
    return fail(ErrorKind::Usage, "a coordinate of the point is not a finite number; give finite numbers");
  return {};
}

}  // namespace

Result<FlowResult> flowFrom(const Chain& chain, Model model, const State& theta0, const FlowOptions& options) {
  SEPX_TRY(checkPoint(model, theta0));
  return Flow(chain, model, theta0, options).run();
}

namespace {

/// Whether the orbit has arrived: it did not move in a time interval in which its velocity should have moved it, so the
/// velocity is only the rounding error that an explicit method sustains. A tiny e that grows, or a slow flow, does not
/// count.
bool arrived(const State& before, const State& after, const State& velocity, double stretch) {
  constexpr double kNothing = 1e-12, kIdle = 10;
  const State moved = after - before;
  const double e = after[0];
  const bool decays = velocity[0] == 0 || std::signbit(velocity[0]) != std::signbit(e);
  const bool eSettled = std::abs(moved[0]) <= kNothing * std::abs(e) || (std::abs(e) < kNothing && decays);
  const bool otherSettled =
      (moved.tail(moved.size() - 1).array().abs() <= kNothing * (1 + after.tail(after.size() - 1).array().abs())).all();
  return eSettled && otherSettled && moved.norm() * kIdle <= velocity.norm() * std::abs(stretch);
}

/// X at time `wanted`, integrated over intervals that double, so that an orbit that has arrived costs nothing more.
Result<State> advance(const FlowChart& chart, double t, const State& from, double wanted) {
  dynamics::IntegratorOptions options;
  options.relativeTolerance = 1e-13;
  options.absoluteTolerance = absoluteFor(1e-15, options.relativeTolerance, from[0]);
  options.maxSteps = 500000;
  const auto velocity = [&chart](double, const State& X) -> State { return chart.velocity(X); };
  const double way = wanted < t ? -1 : 1;
  constexpr double kFirstStretch = 20;
  State X = from;
  for (double stretch = kFirstStretch; t != wanted; stretch *= 2) {
    options.tEnd = std::abs(wanted - t) <= stretch ? wanted : t + way * stretch;
    const dynamics::Solution solution = dynamics::integrate(velocity, t, X, options);
    if (solution.end != IntegrationEnd::ReachedEnd)
      return fail(ErrorKind::Usage,
                  fmt::format("the flow could be followed to t = {} only, not to {}; ask for earlier times", solution.t,
                              wanted));
    const State before = X;
    X = solution.x;
    if (arrived(before, X, way * chart.velocity(X), options.tEnd - t)) return X;
    t = options.tEnd;
  }
  return X;
}

}  // namespace

Result<Path> flowAt(const Chain& chain, Model model, const State& theta0, const std::vector<double>& times) {
  SEPX_TRY(checkPoint(model, theta0));
  const FlowChart chart(chain, model, theta0);
  Path path;
  State X = chart.start();
  double t = 0;
  for (const double wanted : times) {
    if (!std::isfinite(wanted)) return fail(ErrorKind::Usage, "a time is not a finite number; give finite times");
    SEPX_ASSIGN(X, advance(chart, t, X, wanted));
    t = wanted;
    path.t.push_back(t);
    path.theta.push_back(chart.theta(X));
  }
  return path;
}

}  // namespace sepx::markov
