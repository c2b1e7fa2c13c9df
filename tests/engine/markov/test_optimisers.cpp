// SPDX-License-Identifier: Apache-2.0
// The race: gradient descent tends to the flow at first order, every label is the theorem's, leaving the basin is
// noticed where it happens, and nothing that a person can type makes it crash or run on.
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

Entrant only(Racer racer, double rate) {
  for (Entrant entrant : usualEntrants())
    if (entrant.racer == racer) {
      entrant.rule.learningRate = rate;
      return entrant;
    }
  return {};
}

RacePath run(const Chain& chain, const State& theta0, const Entrant& entrant, int steps) {
  RaceOptions options;
  options.entrants = {entrant};
  options.steps = steps;
  const Result<Race> race = raceOptimisers(chain, theta0, options);
  REQUIRE(race);
  REQUIRE(race->paths.size() == 1);
  return race->paths[0];
}

}  // namespace

TEST_CASE("gradient descent tends to the flow at first order") {
  // The same stretch of time 0..8 with the step halved each time: the error halves with it.
  for (const auto& [chain, theta0] : {std::pair{Chain{0.5, 0.8}, at(0.6, -0.9)}, {Chain{0.2, 0.3}, at(0.4, 0.3)}}) {
    double before = 0;
    for (int halvings = 0; halvings < 5; ++halvings) {
      const double eta = 0.4 / (1 << halvings);
      const RacePath path =
          run(chain, theta0, only(Racer::GradientDescent, eta), static_cast<int>(std::lround(8 / eta)));
      REQUIRE(path.behind);
      if (halvings > 1) CHECK(before / *path.behind == Approx(2).epsilon(0.03));
      before = *path.behind;
    }
    CHECK(before < 2e-3);
  }
}

TEST_CASE("labels and leaving are those of the theorems") {
  const Chain chain{0.5, 0.8};
  RaceOptions options;
  options.steps = 300;
  // Just above the separatrix: what jumps, or averages over samples, may end on the other side.
  const Result<Race> race = raceOptimisers(chain, at(0.35, -0.42), options);
  REQUIRE(race);
  REQUIRE(race->paths.size() == kRacers);
  for (const RacePath& path : race->paths) {
    INFO(racerName(path.entrant.racer));
    REQUIRE(path.theta.size() == 301);
    std::optional<int> left;
    for (std::size_t k = 0; k < path.theta.size(); ++k) {
      CHECK(path.label[k] == basinLabel(chain, path.theta[k][0], path.theta[k][1]));
      if (!left && path.label[k] != race->basin) left = static_cast<int>(k);
    }
    CHECK(path.leftAt == left);
    CHECK(path.theta[0] == at(0.35, -0.42));
  }
  // The flow itself never leaves its basin or its orbit.
  CHECK_FALSE(race->paths[0].leftAt);
  CHECK(race->paths[0].farthest < 1e-5);
}

TEST_CASE("momentum carries over the separatrix, the flow does not") {
  const Chain chain{0.5, 0.8};
  // From the local basin close to the saddle's orbit a long-memory rule swings across it.
  RaceOptions options;
  options.steps = 400;
  options.entrants = {only(Racer::Flow, 0.1), only(Racer::AdamW, 0.2)};
  const Result<Race> race = raceOptimisers(chain, at(0.3, -0.4), options);
  REQUIRE(race);
  CHECK(race->basin == LimitKind::LocalMin);
  CHECK_FALSE(race->paths[0].leftAt);
  REQUIRE(race->paths[1].leftAt);
  const int k = *race->paths[1].leftAt;
  CHECK(basinLabel(chain, race->paths[1].theta[static_cast<std::size_t>(k)][0],
                   race->paths[1].theta[static_cast<std::size_t>(k)][1]) == LimitKind::GlobalMin);
}

TEST_CASE("every entrant ends where its last label says, with the loss of the paper") {
  for (const auto& [chain, theta0, end] : {std::tuple{Chain{0.5, 0.8}, at(0.6, -0.9), LimitKind::GlobalMin},
                                           {Chain{0.5, 0.8}, at(0.3, 0.4), LimitKind::LocalMin},
                                           {Chain{0.2, 0.3}, at(0.3, 0.4), LimitKind::GlobalMin}}) {
    RaceOptions options;
    options.steps = 3000;
    options.entrants = {only(Racer::Flow, 0.1), only(Racer::GradientDescent, 0.1), only(Racer::Momentum, 0.05)};
    const Result<Race> race = raceOptimisers(chain, theta0, options);
    REQUIRE(race);
    for (const RacePath& path : race->paths) {
      INFO(racerName(path.entrant.racer));
      CHECK(path.end == RaceEnd::Settled);
      CHECK(path.label.back() == end);
      CHECK(path.loss.back() ==
            Approx(end == LimitKind::GlobalMin ? chain.entropyRate() : chain.marginalEntropy()).margin(1e-5));
    }
    const RacePath& flow = race->paths[0];
    for (std::size_t k = 1; k < flow.energy.size(); ++k)
      CHECK(flow.energy[k] == Approx(flow.energy[0]).margin(1e-8));
  }
}

TEST_CASE("the same seed gives the same race, another seed another, and longer races begin alike") {
  const Chain chain{0.5, 0.8};
  const State theta0 = at(0.5, -0.6);
  RaceOptions options;
  options.steps = 50;
  options.batch = 4;
  options.length = 32;
  options.entrants = {only(Racer::Sgd, 0.2)};
  const Result<Race> one = raceOptimisers(chain, theta0, options), same = raceOptimisers(chain, theta0, options);
  options.steps = 80;
  const Result<Race> longer = raceOptimisers(chain, theta0, options);
  options.seed = 1;
  const Result<Race> other = raceOptimisers(chain, theta0, options);
  REQUIRE((one && same && longer && other));
  CHECK(one->paths[0].theta == same->paths[0].theta);
  CHECK(one->paths[0].theta[50] == longer->paths[0].theta[50]);
  CHECK(one->paths[0].theta[50] != other->paths[0].theta[50]);
}

TEST_CASE("with many samples SGD is gradient descent") {
  const Chain chain{0.5, 0.8};
  RaceOptions options;
  options.steps = 40;
  options.batch = 256;
  options.length = 1024;
  options.entrants = {only(Racer::GradientDescent, 0.1), only(Racer::Sgd, 0.1)};
  const Result<Race> race = raceOptimisers(chain, at(0.6, -0.9), options);
  REQUIRE(race);
  CHECK((race->paths[0].last() - race->paths[1].last()).norm() < 0.01);
  CHECK((race->paths[0].last() - race->paths[1].last()).norm() > 1e-7);
}

TEST_CASE("with bias steps the bias has a path of its own and many steps are the exact one") {
  const Chain chain{0.5, 0.8};
  RaceOptions options;
  options.steps = 100;
  options.entrants = {only(Racer::GradientDescent, 0.1)};
  const Result<Race> exact = raceOptimisers(chain, at(0.6, -0.9), options);
  options.biasSteps = 1;
  const Result<Race> once = raceOptimisers(chain, at(0.6, -0.9), options);
  options.biasSteps = 500;
  const Result<Race> often = raceOptimisers(chain, at(0.6, -0.9), options);
  REQUIRE((exact && once && often));
  CHECK((exact->paths[0].last() - once->paths[0].last()).norm() > 0.05);
  CHECK((exact->paths[0].last() - often->paths[0].last()).norm() < 1e-3);
}

TEST_CASE("bad input is refused or diverges, and never hangs") {
  const Chain chain{0.5, 0.8};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(raceOptimisers(chain, at(nan, 0)));
  CHECK_FALSE(raceOptimisers(chain, State::Zero(3)));
  RaceOptions options;
  options.steps = 0;
  CHECK_FALSE(raceOptimisers(chain, at(1, 1), options));
  options = {};
  options.length = 0;
  CHECK_FALSE(raceOptimisers(chain, at(1, 1), options));
  options = {};
  options.steps = 1000000, options.batch = 60000, options.length = 1000000;
  CHECK_FALSE(raceOptimisers(chain, at(1, 1), options));
  options = {};
  options.entrants[1].rule.learningRate = nan;
  CHECK_FALSE(raceOptimisers(chain, at(1, 1), options));
  options = {};
  options.steps = 60, options.batch = 2, options.length = 16;
  for (const State& start : {at(1e300, -1e300), at(1e150, 1), at(50, -50), at(0, 0), at(0.5, 0),
                             at(0, -1 / std::sqrt(2)), at(1e-300, -1e-300), at(-3, 4)})
    for (const Chain& c : {chain, Chain{0.5, 0.5}, Chain{1e-12, 0.5}, Chain{0.5, 0.5 + 1e-15}}) {
      INFO(start[0] << ", " << start[1] << " p " << c.p << " q " << c.q);
      const Result<Race> race = raceOptimisers(c, start, options);
      REQUIRE(race);
      for (const RacePath& path : race->paths) {
        REQUIRE_FALSE(path.theta.empty());
        for (const State& theta : path.theta)
          CHECK(theta.allFinite());
      }
    }
}

TEST_CASE("a race that is told to stop stops") {
  RaceOptions options;
  options.steps = 100000;
  int asked = 0;
  const Result<Race> race =
      raceOptimisers({0.5, 0.8}, at(0.5, -0.6), options, [&](double share) { return share <= 1 && ++asked < 3; });
  REQUIRE(race);
  CHECK(race->cancelled);
  CHECK(asked == 3);
}

TEST_CASE("names of entrants read back") {
  for (const Entrant& entrant : usualEntrants())
    CHECK(racerFromName(racerName(entrant.racer)) == entrant.racer);
  CHECK_FALSE(racerFromName("rmsprop"));
}

TEST_CASE("A start on the separatrix has no basin that anything leaves") {
  const Chain chain{0.5, 0.8};
  State start(2);
  start << 0.6688790728120916, -0.3;
  RaceOptions options;
  options.steps = 120;
  const auto race = raceOptimisers(chain, start, options);
  REQUIRE(race);
  if (race->basin == LimitKind::Saddle)
    for (const RacePath& path : race->paths)
      CHECK_FALSE(path.leftAt);
  for (const LimitKind label : race->paths.front().label)  // of the flow: theory, not what rounding makes of it
    CHECK(label == race->basin);
}
