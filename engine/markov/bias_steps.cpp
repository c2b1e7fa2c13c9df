// SPDX-License-Identifier: Apache-2.0
// Compares bias steps and the free flow with the theory's orbit. Pure functions; the survey distributes its starts over
// the given thread pool.
#include "engine/markov/bias_steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/core/random.h"
#include "engine/markov/energy.h"
#include "engine/markov/optimisers_orbit.h"

namespace sepx::markov {

namespace {

constexpr double kLost = 1e6;
constexpr double kPathSettled = 1e-4;  // |grad L| at which a path has arrived, as in a race of optimisers
constexpr double kSettled = 1e-7;      // |grad L(theta, b)| at which a survey's start has arrived
constexpr int kMostSteps = 1000000, kMostBiasSteps = 1000, kMostStarts = 1000000;
constexpr int kReportEvery = 64;
constexpr int kSamples = 400;      // samples of the free flow along its path
constexpr int kTimes = 200;        // samples of it in time
constexpr double kStiffest = 1e5;  // largest time times curvature that is integrated for them
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Model freeModel(Model model) {
  return model == Model::EW ? Model::EWB : Model::EWAB;
}

State withBias(const State& theta, double bias) {
  State full(theta.size() + 1);
  full.head(theta.size()) = theta;
  full[theta.size()] = bias;
  return full;
}

/// The state (theta, b) and its step.
struct Stepper {
  const Chain& chain;
  Model model;  ///< with a free bias
  double eta;
  int m;
  State full;

  bool lost() const { return !full.allFinite() || full.cwiseAbs().maxCoeff() > kLost; }

  void advance() {
    const Eigen::Index n = full.size() - 1;
    const State slope = gradient(chain, model, full);
    full.head(n) -= eta * slope.head(n);
    if (m == 0) full[n] = optimalBias(chain, model, full);
    for (int i = 0; i < m && !lost(); ++i)
      full[n] -= eta * gradient(chain, model, full)[n];
  }
};

class Comparison {
 public:
  Comparison(const Chain& chain, Model model, const BiasOptions& options, const TheoryOrbit& orbit,
             const std::optional<Limit>& limit)
      : chain_(chain), model_(model), options_(options), orbit_(orbit), limit_(limit) {}

  Result<BiasPath> freeFlow(const State& theta0) const {
    BiasPath path;
    path.run = BiasRun::FreeFlow;
    path.biasSteps = 1;
    FlowOptions options;
    options.points = kSamples;
    options.tMax = options_.tMax;
    const State start = withBias(theta0, optimalBias(chain_, model_, theta0));
    if (!start.allFinite()) {
      path.diverged = true;
      return path;
    }
    const Result<FlowResult> flow = flowFrom(chain_, freeModel(model_), start, options);
    if (!flow) return tl::unexpected(flow.error());
    const Path timed = byTime(start, flow->path.theta.back());
    for (std::size_t i = 0, j = 0; i < flow->path.t.size(); ++i) {
      for (; j < timed.t.size() && timed.t[j] < flow->path.t[i]; ++j)
        note(path, timed.t[j], timed.theta[j]);
      note(path, flow->path.t[i], flow->path.theta[i]);
    }
    finish(path, *flow);
    path.settled = flow->status == FlowStatus::Reached;
    return path;
  }

  Result<BiasPath> steps(const State& theta0, int m, const std::function<bool(double)>& goOn) const {
    BiasPath path;
    path.biasSteps = m;
    Stepper stepper{chain_, freeModel(model_), options_.learningRate, m,
                    withBias(theta0, optimalBias(chain_, model_, theta0))};
    path.diverged = stepper.lost();
    if (path.diverged) return path;
    note(path, 0, stepper.full);
    for (int k = 1; k <= options_.steps; ++k) {
      if (k % kReportEvery == 0 && !goOn(static_cast<double>(k) / options_.steps)) return path;
      stepper.advance();
      path.diverged = stepper.lost();
      if (path.diverged) break;
      note(path, k * options_.learningRate, stepper.full);
    }
    if (!path.diverged) {
      const State last = m == 0 ? State(stepper.full.head(theta0.size())) : stepper.full;
      const Result<FlowResult> flow = flowFrom(chain_, m == 0 ? model_ : freeModel(model_), last);
      if (!flow) return tl::unexpected(flow.error());
      finish(path, *flow);
      const State slope = gradient(chain_, m == 0 ? model_ : freeModel(model_), last);
      path.settled = slope.norm() <= kPathSettled;
    }
    return path;
  }

 private:
  /// Samples of the free flow at evenly spaced times, up to the time that the steps cover. The flow's own samples are
  /// evenly spaced along the path and therefore far apart in time where it slows down. Empty where the field is too
  /// stiff for this.
  Path byTime(const State& start, const State& end) const {
    const Model model = freeModel(model_);
    const double horizon = std::min(options_.steps * options_.learningRate, options_.tMax);
    double curvature = 0;
    for (const State* full : {&start, &end}) {
      const State values = hessianEigenvalues(evaluate(chain_, model, *full).hessian);
      curvature = std::max(curvature, values.allFinite() ? values.cwiseAbs().maxCoeff() : kLost * kLost);
    }
    if (!(curvature * horizon < kStiffest)) return {};
    std::vector<double> times;
    for (int i = 1; i <= kTimes; ++i)
      times.push_back(horizon * i / kTimes);
    Result<Path> path = flowAt(chain_, model, start, times);
    return path ? std::move(*path) : Path{};
  }

  void note(BiasPath& path, double t, const State& full) const {
    const State theta = full.head(full.size() - 1);
    const double bias = full[full.size() - 1];
    path.t.push_back(t);
    path.bias.push_back(bias);
    path.offset.push_back(bias - optimalBias(chain_, model_, theta));
    path.energy.push_back(energy(model_, theta).value_or(kNothing));
    path.distance.push_back(orbit_.distance(theta));
    path.farthest = std::max(path.farthest, path.distance.back());
    path.largestOffset = std::max(path.largestOffset, std::abs(path.offset.back()));
    path.theta.push_back(theta);
  }

  void finish(BiasPath& path, const FlowResult& flow) const {
    path.kind = flow.label;
    if (flow.limit) {
      path.limit = flow.limit;
      path.limit->theta = State(flow.limit->theta.head(dimension(model_)));
    }
    path.energyChange = path.energy.empty() ? kNothing : path.energy.back() - path.energy.front();
    if (limit_ && !path.theta.empty()) path.endDistance = (path.theta.back() - limit_->theta).norm();
  }

  const Chain& chain_;
  const Model model_;
  const BiasOptions& options_;
  const TheoryOrbit& orbit_;
  const std::optional<Limit>& limit_;
};

struct SurveyedStart {
  bool settled = false, alike = false;
  double distance = 0, energy = 0;
};

SurveyedStart surveyOne(const Chain& chain, const State& theta0, int m, const BiasOptions& options) {
  SurveyedStart result;
  const std::optional<Limit> limit = exactLimit(chain, theta0[0], theta0[1]);
  if (!limit) return result;
  Stepper stepper{chain, Model::EWB, options.learningRate, m, withBias(theta0, optimalBias(chain, Model::EW, theta0))};
  for (int k = 0; k < options.steps && !stepper.lost(); ++k) {
    stepper.advance();
    if (stepper.lost() || gradient(chain, Model::EWB, stepper.full).norm() > kSettled) continue;
    result.settled = true;
    break;
  }
  if (!result.settled) return result;
  const State end = stepper.full.head(2);
  // A point at rest has e = 0 or S = S_star. The one that is nearer in terms of S is taken.
  const double S = reducedS(Model::EW, end);
  const bool global = std::abs(S - chain.S_star()) < std::abs(S);
  const double v = 1 + 2 * end[1] * std::abs(end[1]);
  const LimitKind kind = global                      ? LimitKind::GlobalMin
                         : chain.switching() * v > 0 ? LimitKind::LocalMin
                                                     : LimitKind::LocalMax;
  result.alike = kind == limit->kind;
  result.distance = (end - limit->theta).norm();
  const std::optional<double> before = energy(Model::EW, theta0), after = energy(Model::EW, end);
  result.energy = before && after ? std::abs(*after - *before) : 0.0;
  return result;
}

double medianOf(std::vector<double> values) {
  if (values.empty()) return kNothing;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Result<void> checkStart(Model model, const State& theta0) {
  if (hasFreeBias(model)) return fail(ErrorKind::Usage, "the model must be given without its bias: ew or ewa");
  if (theta0.size() != dimension(model) || !theta0.allFinite())
    return fail(ErrorKind::Usage, fmt::format("the initial point needs {} finite numbers", dimension(model)));
  return {};
}

Result<void> checkCount(int m) {
  if (m < 0 || m > kMostBiasSteps)
    return fail(ErrorKind::Usage, fmt::format("the number of bias steps must be from 0 to {}", kMostBiasSteps));
  return {};
}

}  // namespace

Result<void> check(const BiasOptions& options) {
  if (!std::isfinite(options.learningRate) || options.learningRate <= 0)
    return fail(ErrorKind::Usage, "the learning rate must be above 0");
  if (options.steps < 1 || options.steps > kMostSteps)
    return fail(ErrorKind::Usage, fmt::format("the number of steps must be from 1 to {}", kMostSteps));
  if (!(options.tMax > 0)) return fail(ErrorKind::Usage, "the longest time must be above 0");
  return {};
}

Result<BiasComparison> compareBias(const Chain& chain, Model model, const State& theta0, const std::vector<int>& m,
                                   const BiasOptions& options, const std::function<bool(double)>& goOn) {
  for (const Result<void>& checked : {check(options), checkStart(model, theta0)})
    if (!checked) return tl::unexpected(checked.error());
  for (const int count : m)
    if (const Result<void> checked = checkCount(count); !checked) return tl::unexpected(checked.error());
  const Result<FlowResult> theory = flowFrom(chain, model, theta0);
  if (!theory) return tl::unexpected(theory.error());
  const Result<TheoryOrbit> orbit = theoryOrbit(chain, model, theta0);
  if (!orbit) return tl::unexpected(orbit.error());
  BiasComparison result;
  result.orbit = orbit->points();
  result.kind = theory->label;
  result.limit = theory->limit;
  const Comparison comparison(chain, model, options, *orbit, result.limit);
  const double parts = static_cast<double>(m.size()) + 1;
  const auto report = [&](double share) {
    if (goOn && !result.cancelled && !goOn((static_cast<double>(result.paths.size()) + share) / parts))
      result.cancelled = true;
    return !result.cancelled;
  };
  if (!report(0)) return result;
  Result<BiasPath> free = comparison.freeFlow(theta0);
  if (!free) return tl::unexpected(free.error());
  result.paths.push_back(std::move(*free));
  for (const int count : m) {
    if (!report(0)) return result;
    Result<BiasPath> path = comparison.steps(theta0, count, report);
    if (!path) return tl::unexpected(path.error());
    result.paths.push_back(std::move(*path));
  }
  return result;
}

Result<BiasSurvey> surveyBias(const Chain& chain, double sigma, int starts, int m, std::uint64_t seed,
                              const BiasOptions& options, ThreadPool& pool, const std::function<bool()>& goOn) {
  for (const Result<void>& checked : {check(options), checkCount(m)})
    if (!checked) return tl::unexpected(checked.error());
  if (!std::isfinite(sigma) || sigma <= 0) return fail(ErrorKind::Usage, "sigma must be above 0");
  if (starts < 1 || starts > kMostStarts)
    return fail(ErrorKind::Usage, fmt::format("the number of initial points must be from 1 to {}", kMostStarts));
  std::vector<SurveyedStart> each(static_cast<std::size_t>(starts));
  std::atomic<bool> cancelled = false;
  pool.parallelFor(0, each.size(), 8, [&](std::size_t first, std::size_t last) {
    if (cancelled || (goOn && !goOn())) cancelled = true;
    for (std::size_t i = first; i < last && !cancelled; ++i) {
      RandomStream stream(seed, i);
      State theta0(2);
      theta0[0] = sigma * stream.normal();
      theta0[1] = sigma * stream.normal();
      each[i] = surveyOne(chain, theta0, m, options);
    }
  });
  BiasSurvey survey;
  survey.cancelled = cancelled;
  survey.starts = starts;
  std::vector<double> distances, energies;
  for (const SurveyedStart& start : each) {
    if (!start.settled) {
      ++survey.unsettled;
    } else if (!start.alike) {
      ++survey.otherEnd;
    } else {
      distances.push_back(start.distance);
      energies.push_back(start.energy);
    }
  }
  survey.medianDistance = medianOf(std::move(distances));
  survey.medianEnergy = medianOf(std::move(energies));
  return survey;
}

}  // namespace sepx::markov
