// SPDX-License-Identifier: Apache-2.0
// Optimiser runs: gradient descent converges to the flow at first order, every label is that of the theorems, leaving
// the basin is detected at the right step, and no input causes a crash or an endless run.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "engine/markov/optimisers.h"

namespace {

using namespace sepx;
using namespace sepx::markov;

State at(double e, double w) {
  State theta(2);
  theta << e, w;
  return theta;
}

OptimiserSettings only(OptimiserKind kind, double rate) {
  for (OptimiserSettings settings : usualOptimisers())
    if (settings.kind == kind) {
      settings.rule.learningRate = rate;
      return settings;
    }
  return {};
}

OptimiserPath run(const Chain& chain, const State& theta0, const OptimiserSettings& settings, int steps) {
  OptimiserRunOptions options;
  options.optimisers = {settings};
  options.steps = steps;
  const Result<OptimiserRun> run = runOptimisers(chain, theta0, options);
  REQUIRE(run);
  REQUIRE(run->paths.size() == 1);
  return run->paths[0];
}

}  // namespace

TEST_CASE("Gradient descent converges to the flow at first order") {
  // The same time interval 0..8 with the step halved each time: the error is halved as well.
  for (const auto& [chain, theta0] : {std::pair{Chain{0.5, 0.8}, at(0.6, -0.9)}, {Chain{0.2, 0.3}, at(0.4, 0.3)}}) {
    double before = 0;
    for (int halvings = 0; halvings < 5; ++halvings) {
      const double eta = 0.4 / (1 << halvings);
      const OptimiserPath path =
          run(chain, theta0, only(OptimiserKind::GradientDescent, eta), static_cast<int>(std::lround(8 / eta)));
      REQUIRE(path.behind);
      if (halvings > 1) CHECK(before / *path.behind == Approx(2).epsilon(0.03));
      before = *path.behind;
    }
    CHECK(before < 2e-3);
  }
}

TEST_CASE("Labels and the step of leaving the basin agree with the theorems") {
  const Chain chain{0.5, 0.8};
  OptimiserRunOptions options;
  options.steps = 300;
  // The start is just above the separatrix. Optimisers with large steps or sampled gradients may end on the other side.
  const Result<OptimiserRun> run = runOptimisers(chain, at(0.35, -0.42), options);
  REQUIRE(run);
  REQUIRE(run->paths.size() == kOptimiserKinds);
  for (const OptimiserPath& path : run->paths) {
    INFO(optimiserName(path.settings.kind));
    REQUIRE(path.theta.size() == 301);
    std::optional<int> left;
    for (std::size_t k = 0; k < path.theta.size(); ++k) {
      CHECK(path.label[k] == basinLabel(chain, path.theta[k][0], path.theta[k][1]));
      if (!left && path.label[k] != run->basin) left = static_cast<int>(k);
    }
    CHECK(path.leftAt == left);
    CHECK(path.theta[0] == at(0.35, -0.42));
  }
  // The flow itself never leaves its basin or its orbit.
  CHECK_FALSE(run->paths[0].leftAt);
  CHECK(run->paths[0].farthest < 1e-5);
}

TEST_CASE("AdamW crosses the separatrix, and the flow does not") {
  const Chain chain{0.5, 0.8};
  // From the local basin, close to the orbit of the saddle, an optimiser with a long memory overshoots the separatrix.
  OptimiserRunOptions options;
  options.steps = 400;
  options.optimisers = {only(OptimiserKind::Flow, 0.1), only(OptimiserKind::AdamW, 0.2)};
  const Result<OptimiserRun> run = runOptimisers(chain, at(0.3, -0.4), options);
  REQUIRE(run);
  CHECK(run->basin == LimitKind::LocalMin);
  CHECK_FALSE(run->paths[0].leftAt);
  REQUIRE(run->paths[1].leftAt);
  const int k = *run->paths[1].leftAt;
  CHECK(basinLabel(chain, run->paths[1].theta[static_cast<std::size_t>(k)][0],
                   run->paths[1].theta[static_cast<std::size_t>(k)][1]) == LimitKind::GlobalMin);
}

TEST_CASE("Every optimiser ends as its last label says, with the loss of the paper") {
  for (const auto& [chain, theta0, end] : {std::tuple{Chain{0.5, 0.8}, at(0.6, -0.9), LimitKind::GlobalMin},
                                           {Chain{0.5, 0.8}, at(0.3, 0.4), LimitKind::LocalMin},
                                           {Chain{0.2, 0.3}, at(0.3, 0.4), LimitKind::GlobalMin}}) {
    OptimiserRunOptions options;
    options.steps = 3000;
    options.optimisers = {only(OptimiserKind::Flow, 0.1), only(OptimiserKind::GradientDescent, 0.1),
                          only(OptimiserKind::Momentum, 0.05)};
    const Result<OptimiserRun> run = runOptimisers(chain, theta0, options);
    REQUIRE(run);
    for (const OptimiserPath& path : run->paths) {
      INFO(optimiserName(path.settings.kind));
      CHECK(path.end == OptimiserEnd::Settled);
      CHECK(path.label.back() == end);
      CHECK(path.loss.back() ==
            Approx(end == LimitKind::GlobalMin ? chain.entropyRate() : chain.marginalEntropy()).margin(1e-5));
    }
    const OptimiserPath& flow = run->paths[0];
    for (std::size_t k = 1; k < flow.energy.size(); ++k)
      CHECK(flow.energy[k] == Approx(flow.energy[0]).margin(1e-8));
  }
}

TEST_CASE("The same seed gives the same run, another seed another run, and a longer run begins with the shorter one") {
  const Chain chain{0.5, 0.8};
  const State theta0 = at(0.5, -0.6);
  OptimiserRunOptions options;
  options.steps = 50;
  options.batch = 4;
  options.length = 32;
  options.optimisers = {only(OptimiserKind::Sgd, 0.2)};
  const Result<OptimiserRun> one = runOptimisers(chain, theta0, options), same = runOptimisers(chain, theta0, options);
  options.steps = 80;
  const Result<OptimiserRun> longer = runOptimisers(chain, theta0, options);
  options.seed = 1;
  const Result<OptimiserRun> other = runOptimisers(chain, theta0, options);
  REQUIRE((one && same && longer && other));
  CHECK(one->paths[0].theta == same->paths[0].theta);
  CHECK(one->paths[0].theta[50] == longer->paths[0].theta[50]);
  CHECK(one->paths[0].theta[50] != other->paths[0].theta[50]);
}

TEST_CASE("With many samples SGD approaches gradient descent") {
  const Chain chain{0.5, 0.8};
  OptimiserRunOptions options;
  options.steps = 40;
  options.batch = 256;
  options.length = 1024;
  options.optimisers = {only(OptimiserKind::GradientDescent, 0.1), only(OptimiserKind::Sgd, 0.1)};
  const Result<OptimiserRun> run = runOptimisers(chain, at(0.6, -0.9), options);
  REQUIRE(run);
  CHECK((run->paths[0].last() - run->paths[1].last()).norm() < 0.01);
  CHECK((run->paths[0].last() - run->paths[1].last()).norm() > 1e-7);
}

TEST_CASE("Bias steps change the path, and many of them approach the exact bias") {
  const Chain chain{0.5, 0.8};
  OptimiserRunOptions options;
  options.steps = 100;
  options.optimisers = {only(OptimiserKind::GradientDescent, 0.1)};
  const Result<OptimiserRun> exact = runOptimisers(chain, at(0.6, -0.9), options);
  options.biasSteps = 1;
  const Result<OptimiserRun> once = runOptimisers(chain, at(0.6, -0.9), options);
  options.biasSteps = 500;
  const Result<OptimiserRun> often = runOptimisers(chain, at(0.6, -0.9), options);
  REQUIRE((exact && once && often));
  CHECK((exact->paths[0].last() - once->paths[0].last()).norm() > 0.05);
  CHECK((exact->paths[0].last() - often->paths[0].last()).norm() < 1e-3);
}

TEST_CASE("Invalid input is refused, and extreme input ends with finite parameters") {
  const Chain chain{0.5, 0.8};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(runOptimisers(chain, at(nan, 0)));
  CHECK_FALSE(runOptimisers(chain, State::Zero(3)));
  OptimiserRunOptions options;
  options.steps = 0;
  CHECK_FALSE(runOptimisers(chain, at(1, 1), options));
  options = {};
  options.length = 0;
  CHECK_FALSE(runOptimisers(chain, at(1, 1), options));
  options = {};
  options.steps = 1000000, options.batch = 60000, options.length = 1000000;
  CHECK_FALSE(runOptimisers(chain, at(1, 1), options));
  options = {};
  options.optimisers[1].rule.learningRate = nan;
  CHECK_FALSE(runOptimisers(chain, at(1, 1), options));
  options = {};
  options.steps = 60, options.batch = 2, options.length = 16;
  for (const State& start : {at(1e300, -1e300), at(1e150, 1), at(50, -50), at(0, 0), at(0.5, 0),
                             at(0, -1 / std::sqrt(2)), at(1e-300, -1e-300), at(-3, 4)})
    for (const Chain& c : {chain, Chain{0.5, 0.5}, Chain{1e-12, 0.5}, Chain{0.5, 0.5 + 1e-15}}) {
      INFO(start[0] << ", " << start[1] << " p " << c.p << " q " << c.q);
      const Result<OptimiserRun> run = runOptimisers(c, start, options);
      REQUIRE(run);
      for (const OptimiserPath& path : run->paths) {
        REQUIRE_FALSE(path.theta.empty());
        for (const State& theta : path.theta)
          CHECK(theta.allFinite());
      }
    }
}

TEST_CASE("A cancelled run stops") {
  OptimiserRunOptions options;
  options.steps = 100000;
  int asked = 0;
  const Result<OptimiserRun> run =
      runOptimisers({0.5, 0.8}, at(0.5, -0.6), options, [&](double share) { return share <= 1 && ++asked < 3; });
  REQUIRE(run);
  CHECK(run->cancelled);
  CHECK(asked == 3);
}

TEST_CASE("The names of optimisers read back") {
  for (const OptimiserSettings& settings : usualOptimisers())
    CHECK(optimiserFromName(optimiserName(settings.kind)) == settings.kind);
  CHECK_FALSE(optimiserFromName("rmsprop"));
}

TEST_CASE("No optimiser leaves the basin of a start on the separatrix") {
  const Chain chain{0.5, 0.8};
  State start(2);
  start << 0.6688790728120916, -0.3;
  OptimiserRunOptions options;
  options.steps = 120;
  const auto run = runOptimisers(chain, start, options);
  REQUIRE(run);
  REQUIRE(run->basin == LimitKind::Saddle);
  for (const OptimiserPath& path : run->paths)
    CHECK_FALSE(path.leftAt);
  for (const LimitKind label : run->paths.front().label)  // labels of the flow come from the theory, not from rounding
    CHECK(label == run->basin);
}
