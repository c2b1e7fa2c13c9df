// SPDX-License-Identifier: Apache-2.0
// Runs one optimiser after the other. Each repeats theta <- rule(theta, gradient) and then updates b. Single-threaded;
// a step allocates only for the path.
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
constexpr double kStiffest = 1e5;     // largest horizon times curvature for which the flow is integrated in time
constexpr std::size_t kBlock = 1024;  // times of the flow between two reports
constexpr int kReportEvery = 64;      // steps between two reports of progress
constexpr int kMostSteps = 1000000;   // of a run
constexpr int kMostBatch = 65536;     // B
constexpr int kMostLength = 1048576;  // N
constexpr std::int64_t kMostDrawn = std::int64_t{1} << 33;  // symbols of a run
constexpr int kMostBiasSteps = 1000;

struct Named {
  OptimiserKind kind;
  std::string_view name;
};
constexpr std::array<Named, kOptimiserKinds> kNames{{{OptimiserKind::Flow, "flow"},
                                                     {OptimiserKind::GradientDescent, "gd"},
                                                     {OptimiserKind::Sgd, "sgd"},
                                                     {OptimiserKind::Momentum, "momentum"},
                                                     {OptimiserKind::AdamW, "adamw"}}};

State planePoint(double e, double w) {
  State theta(2);
  theta << e, w;
  return theta;
}

/// The input that all optimisers share.
struct Course {
  const Chain& chain;
  const State& start;
  const OptimiserRunOptions& options;
  const TheoryOrbit& orbit;
  LimitKind basin;
};

/// Appends the point after one more step to the path. Returns false, and appends nothing, if it has diverged.
bool note(const Course& course, OptimiserPath& path, const State& theta, double bias) {
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

/// Positions integrated in the flow's time, in blocks between which `goOn` can stop it; empty if the flow could not be
/// followed.
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

/// Positions of the flow at the times k eta. They are integrated in time where that is affordable. Far out, where the
/// field is too stiff for it, they are interpolated between the orbit's own samples.
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

OptimiserPath runFlow(const Course& course, const OptimiserSettings& settings, const std::vector<State>& places) {
  OptimiserPath path;
  path.settings = settings;
  for (const State& theta : places)
    if (!note(course, path, theta, optimalBias(course.chain, Model::EW, theta))) break;
  // The flow never leaves the basin of its start. Rounding may label points from the separatrix otherwise, so labels
  // are reset.
  std::fill(path.label.begin(), path.label.end(), course.basin);
  path.leftAt.reset();
  path.backAt.reset();
  path.behind = 0;
  return path;
}

/// One rule applied to (e, w) and, with bias steps, to b.
class Walker {
 public:
  Walker(const Course& course, const OptimiserSettings& settings)
      : course_(course), settings_(settings), biasRule_(settings.rule), theta_(course.start) {
    biasRule_.weightDecay = 0;
    bias_ = optimalBias(course.chain, Model::EW, theta_);
  }

  void advance(int k) {
    if (settings_.sampled) {
      RandomStream stream(course_.options.seed, static_cast<std::uint64_t>(k));
      counts_ = sampleTransitions(course_.chain, course_.options.batch, course_.options.length, stream);
    }
    const State slope = slopeAt();
    nn::step<double>(settings_.rule, {theta_.data(), 2}, {slope.data(), 2}, memory_);
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
  /// d L/d(e, w, b), of the population or of the current batch. At b = b* the first two are the gradient of L(theta).
  State slopeAt() const {
    State full(3);
    full << theta_[0], theta_[1], bias_;
    return settings_.sampled ? evaluateSampled(course_.chain, Model::EWB, full, counts_).gradient
                             : gradient(course_.chain, Model::EWB, full);
  }

  const Course& course_;
  const OptimiserSettings& settings_;
  nn::OptimiserOptions biasRule_;
  State theta_;
  double bias_ = 0;
  nn::OptimiserState<double> memory_, biasMemory_;
  TransitionCounts counts_;
};

OptimiserPath runRule(const Course& course, const OptimiserSettings& settings,
                      const std::function<bool(double)>& goOn) {
  OptimiserPath path;
  path.settings = settings;
  const int steps = course.options.steps;
  Walker walker(course, settings);
  if (!note(course, path, walker.theta(), walker.bias())) path.end = OptimiserEnd::Diverged;
  for (int k = 0; k < steps && path.end != OptimiserEnd::Diverged; ++k) {
    if (k % kReportEvery == 0 && !goOn(static_cast<double>(k) / steps)) break;
    walker.advance(k);
    if (!note(course, path, walker.theta(), walker.bias())) path.end = OptimiserEnd::Diverged;
  }
  return path;
}

void finish(const Course& course, OptimiserPath& path) {
  if (path.theta.empty()) {  // the loss overflows at the start: the path is the start alone
    path.theta.push_back(course.start);
    path.bias.push_back(std::numeric_limits<double>::quiet_NaN());
    path.loss.push_back(std::numeric_limits<double>::quiet_NaN());
    path.energy.push_back(std::numeric_limits<double>::quiet_NaN());
    path.label.push_back(course.basin);
    path.end = OptimiserEnd::Diverged;
  }
  path.endGradient = gradient(course.chain, Model::EW, path.last()).norm();
  if (path.end != OptimiserEnd::Diverged && path.endGradient <= kSettled) path.end = OptimiserEnd::Settled;
}

void compareWithFlow(const std::vector<State>& flow, OptimiserPath& path) {
  double behind = 0;
  for (std::size_t k = 0; k < path.theta.size() && k < flow.size(); ++k)
    behind = std::max(behind, (path.theta[k] - flow[k]).norm());
  path.behind = behind;
}

OptimiserPath runOptimiser(const Course& course, const OptimiserSettings& settings,
                           const std::function<bool(double)>& goOn) {
  const bool followsClock = settings.kind == OptimiserKind::Flow || settings.kind == OptimiserKind::GradientDescent ||
                            settings.kind == OptimiserKind::Sgd;
  std::vector<State> flow;
  if (followsClock) flow = flowByStep(course, settings.rule.learningRate, goOn);
  OptimiserPath path =
      settings.kind == OptimiserKind::Flow ? runFlow(course, settings, flow) : runRule(course, settings, goOn);
  finish(course, path);
  if (followsClock) compareWithFlow(flow, path);
  return path;
}

}  // namespace

std::string_view optimiserName(OptimiserKind kind) {
  for (const Named& named : kNames)
    if (named.kind == kind) return named.name;
  return "";
}

std::optional<OptimiserKind> optimiserFromName(std::string_view name) {
  for (const Named& named : kNames)
    if (named.name == name) return named.kind;
  return std::nullopt;
}

std::string_view optimiserEndName(OptimiserEnd end) {
  return end == OptimiserEnd::Settled ? "settled" : end == OptimiserEnd::Moving ? "moving" : "diverged";
}

std::vector<OptimiserSettings> usualOptimisers() {
  std::vector<OptimiserSettings> optimisers(kOptimiserKinds);
  for (std::size_t i = 0; i < optimisers.size(); ++i)
    optimisers[i].kind = kNames[i].kind;
  optimisers[2].sampled = true;
  optimisers[3].rule.momentum = 0.9;
  optimisers[4].rule.rule = nn::Rule::AdamW;
  optimisers[4].rule.learningRate = 0.02;
  return optimisers;
}

Result<void> check(const OptimiserRunOptions& options) {
  if (options.steps < 1 || options.steps > kMostSteps)
    return fail(ErrorKind::Usage, fmt::format("the number of steps must be from 1 to {}", kMostSteps));
  if (options.batch < 1 || options.batch > kMostBatch)
    return fail(ErrorKind::Usage, fmt::format("the batch must be from 1 to {} sequences", kMostBatch));
  if (options.length < 1 || options.length > kMostLength)
    return fail(ErrorKind::Usage, fmt::format("the length must be from 1 to {} predictions", kMostLength));
  if (std::int64_t{options.batch} * options.length > kMostDrawn / options.steps)
    return fail(ErrorKind::Usage, "steps x batch x length is more than 8 billion symbols; reduce one of them");
  if (options.biasSteps < 0 || options.biasSteps > kMostBiasSteps)
    return fail(ErrorKind::Usage, fmt::format("the number of bias steps must be from 0 to {}", kMostBiasSteps));
  for (const OptimiserSettings& settings : options.optimisers)
    if (const Result<void> checked = nn::check(settings.rule); !checked)
      return fail(ErrorKind::Usage, fmt::format("{}: {}", optimiserName(settings.kind), checked.error().message));
  return {};
}

Result<OptimiserRun> runOptimisers(const Chain& chain, const State& theta0, const OptimiserRunOptions& options,
                                   const std::function<bool(double)>& goOn) {
  if (const Result<void> checked = check(options); !checked) return tl::unexpected(checked.error());
  if (theta0.size() != 2 || !theta0.allFinite())
    return fail(ErrorKind::Usage, "the optimisers start at a point (e, w) of two finite numbers");
  const State start = planePoint(theta0[0], theta0[1]);
  const Result<TheoryOrbit> orbit = theoryOrbit(chain, Model::EW, start);
  if (!orbit) return tl::unexpected(orbit.error());
  OptimiserRun run;
  run.basin = basinLabel(chain, start[0], start[1]);
  const Course course{chain, start, options, *orbit, run.basin};
  const double count = static_cast<double>(options.optimisers.size());
  for (const OptimiserSettings& settings : options.optimisers) {
    const double done = static_cast<double>(run.paths.size());
    const auto report = [&](double share) {
      if (goOn && !run.cancelled && !goOn((done + share) / count)) run.cancelled = true;
      return !run.cancelled;
    };
    if (!report(0)) break;
    run.paths.push_back(runOptimiser(course, settings, report));
  }
  return run;
}

}  // namespace sepx::markov
