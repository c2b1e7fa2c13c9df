// SPDX-License-Identifier: Apache-2.0
// The race, entrant by entrant: each repeats theta <- rule(theta, gradient), and b after it. One thread; no allocation
// per step but for the path.
#include "engine/markov/optimisers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/optimisers_orbit.h"
#include "engine/markov/sampled_loss.h"

namespace sepx::markov {

namespace {

constexpr double kSettled = 1e-4;     // |grad L| of an iterate that has arrived
constexpr double kLost = 1e6;         // a coordinate beyond it has diverged
constexpr double kStiffest = 1e5;     // horizon times curvature that the true clock is followed through
constexpr std::size_t kBlock = 1024;  // times of the flow between two reports
constexpr int kReportEvery = 64;      // steps between two reports of progress
constexpr int kMostSteps = 1000000;   // of a race
constexpr int kMostBatch = 65536;     // B
constexpr int kMostLength = 1048576;  // N
constexpr std::int64_t kMostDrawn = std::int64_t{1} << 33;  // symbols of a race
constexpr int kMostBiasSteps = 1000;

struct Named {
  Racer racer;
  std::string_view name;
};
constexpr std::array<Named, kRacers> kNames{{{Racer::Flow, "flow"},
                                             {Racer::GradientDescent, "gd"},
                                             {Racer::Sgd, "sgd"},
                                             {Racer::Momentum, "momentum"},
                                             {Racer::AdamW, "adamw"}}};

State planePoint(double e, double w) {
  State theta(2);
  theta << e, w;
  return theta;
}

/// What all entrants share.
struct Course {
  const Chain& chain;
  const State& start;
  const RaceOptions& options;
  const Orbit& orbit;
  LimitKind basin;
};

/// Writes the point after one more step down; false when it has diverged and nothing was written.
bool note(const Course& course, RacePath& path, const State& theta, double bias) {
  if (!theta.allFinite() || !std::isfinite(bias) || theta.cwiseAbs().maxCoeff() > kLost) return false;
  State full(3);
  full << theta[0], theta[1], bias;
  const double loss = markov::loss(course.chain, Model::EWB, full);
  if (!std::isfinite(loss)) return false;
  const int k = static_cast<int>(path.theta.size());
  path.theta.push_back(theta);
  path.bias.push_back(bias);
  path.loss.push_back(loss);
  path.energy.push_back(energy(Model::EW, theta).value_or(std::numeric_limits<double>::quiet_NaN()));
  path.label.push_back(basinLabel(course.chain, theta[0], theta[1]));
  // A start on the border of basins, or where there are none, has no basin to leave.
  const bool inBasin = course.basin == LimitKind::GlobalMin || course.basin == LimitKind::LocalMin;
  if (inBasin && !path.leftAt && path.label.back() != course.basin) path.leftAt = k;
  if (path.leftAt && !path.backAt && path.label.back() == course.basin) path.backAt = k;
  path.farthest = std::max(path.farthest, course.orbit.distance(theta));
  return true;
}

/// By the true clock, in blocks between which it may be told to stop; empty when the flow could not be followed.
std::vector<State> flowByClock(const Course& course, const std::vector<double>& times,
                               const std::function<bool(double)>& goOn) {
  std::vector<State> places{course.start};
  while (places.size() < times.size() && goOn(static_cast<double>(places.size()) / static_cast<double>(times.size()))) {
    const std::size_t first = places.size(), last = std::min(first + kBlock, times.size());
    std::vector<double> ahead;
    for (std::size_t i = first; i < last; ++i)
      ahead.push_back(times[i] - times[first - 1]);
    const Result<Path> path = flowAt(course.chain, Model::EW, places.back(), ahead);
    if (!path) return {};
    places.insert(places.end(), path->theta.begin(), path->theta.end());
  }
  return places;
}

/// Positions of the flow at the times k eta. The true clock where it can be afforded; far out, where the field is too
/// stiff for it, the clock of the orbit's own samples.
std::vector<State> flowByStep(const Course& course, double rate, const std::function<bool(double)>& goOn) {
  const int steps = course.options.steps;
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k)
    times.push_back(k * rate);
  double curvature = 0;
  for (const State* theta : {&course.start, &course.orbit.points().back()}) {
    const State values = hessianEigenvalues(evaluate(course.chain, Model::EW, *theta).hessian);
    curvature = std::max(curvature, values.cwiseAbs().maxCoeff());
  }
  if (std::isfinite(curvature) && curvature * times.back() < kStiffest)
    if (std::vector<State> places = flowByClock(course, times, goOn); !places.empty()) return places;
  FlowOptions options;
  options.points = 4000;
  const Result<FlowResult> flow = flowFrom(course.chain, Model::EW, course.start, options);
  std::vector<State> places;
  std::size_t i = 0;
  for (const double t : times) {
    const Path& path = flow->path;
    while (i + 1 < path.t.size() && path.t[i + 1] <= t)
      ++i;
    const bool between = i + 1 < path.t.size() && path.t[i + 1] > path.t[i];
    const double share = between ? std::clamp((t - path.t[i]) / (path.t[i + 1] - path.t[i]), 0.0, 1.0) : 0.0;
    places.push_back(between ? State(path.theta[i] + share * (path.theta[i + 1] - path.theta[i])) : path.theta[i]);
  }
  return places;
}

RacePath runFlow(const Course& course, const Entrant& entrant, const std::vector<State>& places) {
  RacePath path;
  path.entrant = entrant;
  for (const State& theta : places)
    if (!note(course, path, theta, optimalBias(course.chain, Model::EW, theta))) break;
  // The flow never leaves the basin of its start; what rounding makes of one on the separatrix is no fact about it.
  std::fill(path.label.begin(), path.label.end(), course.basin);
  path.leftAt.reset();
  path.backAt.reset();
  path.behind = 0;
  return path;
}

/// One rule at work on (e, w) and, with bias steps, on b.
class Walker {
 public:
  Walker(const Course& course, const Entrant& entrant)
      : course_(course), entrant_(entrant), biasRule_(entrant.rule), theta_(course.start) {
    biasRule_.weightDecay = 0;
    bias_ = optimalBias(course.chain, Model::EW, theta_);
  }

  void advance(int k) {
    if (entrant_.sampled) {
      RandomStream stream(course_.options.seed, static_cast<std::uint64_t>(k));
      counts_ = sampleTransitions(course_.chain, course_.options.batch, course_.options.length, stream);
    }
    const State slope = slopeAt();
    nn::step<double>(entrant_.rule, {theta_.data(), 2}, {slope.data(), 2}, memory_);
    if (course_.options.biasSteps == 0) {
      bias_ = optimalBias(course_.chain, Model::EW, theta_);
      return;
    }
    for (int i = 0; i < course_.options.biasSteps; ++i) {
      const State here = slopeAt();
      nn::step<double>(biasRule_, {&bias_, 1}, {here.data() + 2, 1}, biasMemory_);
    }
  }

  const State& theta() const { return theta_; }
  double bias() const { return bias_; }

 private:
  /// d L/d(e, w, b), of the population or of the present batch. At b = b* its first two are the gradient of L(theta).
  State slopeAt() const {
    State full(3);
    full << theta_[0], theta_[1], bias_;
    return entrant_.sampled ? evaluateSampled(course_.chain, Model::EWB, full, counts_).gradient
                            : gradient(course_.chain, Model::EWB, full);
  }

  const Course& course_;
  const Entrant& entrant_;
  nn::OptimiserOptions biasRule_;
  State theta_;
  double bias_ = 0;
  nn::OptimiserState<double> memory_, biasMemory_;
  TransitionCounts counts_;
};

RacePath runRule(const Course& course, const Entrant& entrant, const std::function<bool(double)>& goOn) {
  RacePath path;
  path.entrant = entrant;
  const int steps = course.options.steps;
  Walker walker(course, entrant);
  if (!note(course, path, walker.theta(), walker.bias())) path.end = RaceEnd::Diverged;
  for (int k = 0; k < steps && path.end != RaceEnd::Diverged; ++k) {
    if (k % kReportEvery == 0 && !goOn(static_cast<double>(k) / steps)) break;
    walker.advance(k);
    if (!note(course, path, walker.theta(), walker.bias())) path.end = RaceEnd::Diverged;
  }
  return path;
}

void finish(const Course& course, RacePath& path) {
  if (path.theta.empty()) {  // a start so far out that the loss has no double: the path is the start alone
    path.theta.push_back(course.start);
    path.bias.push_back(std::numeric_limits<double>::quiet_NaN());
    path.loss.push_back(std::numeric_limits<double>::quiet_NaN());
    path.energy.push_back(std::numeric_limits<double>::quiet_NaN());
    path.label.push_back(course.basin);
    path.end = RaceEnd::Diverged;
  }
  path.endGradient = gradient(course.chain, Model::EW, path.last()).norm();
  if (path.end != RaceEnd::Diverged && path.endGradient <= kSettled) path.end = RaceEnd::Settled;
}

void compareWithFlow(const std::vector<State>& flow, RacePath& path) {
  double behind = 0;
  for (std::size_t k = 0; k < path.theta.size() && k < flow.size(); ++k)
    behind = std::max(behind, (path.theta[k] - flow[k]).norm());
  path.behind = behind;
}

RacePath runEntrant(const Course& course, const Entrant& entrant, const std::function<bool(double)>& goOn) {
  const bool followsClock =
      entrant.racer == Racer::Flow || entrant.racer == Racer::GradientDescent || entrant.racer == Racer::Sgd;
  std::vector<State> flow;
  if (followsClock) flow = flowByStep(course, entrant.rule.learningRate, goOn);
  RacePath path = entrant.racer == Racer::Flow ? runFlow(course, entrant, flow) : runRule(course, entrant, goOn);
  finish(course, path);
  if (followsClock) compareWithFlow(flow, path);
  return path;
}

}  // namespace

std::string_view racerName(Racer racer) {
  for (const Named& named : kNames)
    if (named.racer == racer) return named.name;
  return "";
}

std::optional<Racer> racerFromName(std::string_view name) {
  for (const Named& named : kNames)
    if (named.name == name) return named.racer;
  return std::nullopt;
}

std::string_view raceEndName(RaceEnd end) {
  return end == RaceEnd::Settled ? "settled" : end == RaceEnd::Moving ? "moving" : "diverged";
}

std::vector<Entrant> usualEntrants() {
  std::vector<Entrant> entrants(kRacers);
  for (std::size_t i = 0; i < entrants.size(); ++i)
    entrants[i].racer = kNames[i].racer;
  entrants[2].sampled = true;
  entrants[3].rule.momentum = 0.9;
  entrants[4].rule.rule = nn::Rule::AdamW;
  entrants[4].rule.learningRate = 0.02;
  return entrants;
}

Result<void> check(const RaceOptions& options) {
  if (options.steps < 1 || options.steps > kMostSteps)
    return fail(ErrorKind::Usage, fmt::format("the number of steps must be from 1 to {}", kMostSteps));
  if (options.batch < 1 || options.batch > kMostBatch)
    return fail(ErrorKind::Usage, fmt::format("the batch must be from 1 to {} sequences", kMostBatch));
  if (options.length < 1 || options.length > kMostLength)
    return fail(ErrorKind::Usage, fmt::format("the length must be from 1 to {} predictions", kMostLength));
  if (std::int64_t{options.batch} * options.length > kMostDrawn / options.steps)
    return fail(ErrorKind::Usage, "steps x batch x length is beyond 8 thousand million symbols; make one of them less");
  if (options.biasSteps < 0 || options.biasSteps > kMostBiasSteps)
    return fail(ErrorKind::Usage, fmt::format("the number of bias steps must be from 0 to {}", kMostBiasSteps));
  for (const Entrant& entrant : options.entrants)
    if (const Result<void> checked = nn::check(entrant.rule); !checked)
      return fail(ErrorKind::Usage, fmt::format("{}: {}", racerName(entrant.racer), checked.error().sentence));
  return {};
}

Result<Race> raceOptimisers(const Chain& chain, const State& theta0, const RaceOptions& options,
                            const std::function<bool(double)>& goOn) {
  if (const Result<void> checked = check(options); !checked) return tl::unexpected(checked.error());
  if (theta0.size() != 2 || !theta0.allFinite())
    return fail(ErrorKind::Usage, "the race starts at a point (e, w) of two finite numbers");
  const State start = planePoint(theta0[0], theta0[1]);
  const Result<Orbit> orbit = theoryOrbit(chain, Model::EW, start);
  if (!orbit) return tl::unexpected(orbit.error());
  Race race;
  race.basin = basinLabel(chain, start[0], start[1]);
  const Course course{chain, start, options, *orbit, race.basin};
  const double count = static_cast<double>(options.entrants.size());
  for (const Entrant& entrant : options.entrants) {
    const double done = static_cast<double>(race.paths.size());
    const auto report = [&](double share) {
      if (goOn && !race.cancelled && !goOn((done + share) / count)) race.cancelled = true;
      return !race.cancelled;
    };
    if (!report(0)) break;
    race.paths.push_back(runEntrant(course, entrant, report));
  }
  return race;
}

}  // namespace sepx::markov
