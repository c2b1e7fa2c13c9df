// SPDX-License-Identifier: Apache-2.0
// Compares the free bias with the theory: the numbers of erratum 16, the limit of m steps, and the energy, which is not
// conserved.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "engine/markov/bias_steps.h"

namespace {

using namespace sepx;
using namespace sepx::markov;

State at(double e, double w) {
  State theta(2);
  theta << e, w;
  return theta;
}

const Chain kChain{0.5, 0.8};

}  // namespace

TEST_CASE("Erratum 16: the free flow ends elsewhere and changes the energy") {
  const Result<BiasComparison> result = compareBias(kChain, Model::EW, at(0.6, -0.9), {0, 1});
  REQUIRE(result);
  REQUIRE(result->limit);
  CHECK(result->kind == LimitKind::GlobalMin);
  CHECK(result->limit->theta[0] == Approx(0.848).margin(5e-4));
  CHECK(result->limit->theta[1] == Approx(-1.210).margin(5e-4));
  REQUIRE(result->paths.size() == 3);
  const BiasPath& free = result->paths[0];
  CHECK(free.run == BiasRun::FreeFlow);
  CHECK(free.energy.front() == Approx(-0.555).margin(5e-4));
  CHECK(free.energy.back() == Approx(-1.024).margin(5e-4));
  CHECK(free.theta.back()[0] == Approx(0.718).margin(5e-4));
  CHECK(free.theta.back()[1] == Approx(-1.358).margin(5e-4));
  CHECK(free.kind == LimitKind::GlobalMin);
  CHECK(free.energyChange == Approx(-0.469).margin(1e-3));
  CHECK(free.farthest > 0.1);
  // With the exact bias the steps stay near the orbit, and b - b* is zero.
  const BiasPath& exact = result->paths[1];
  CHECK(exact.largestOffset == 0);
  CHECK(exact.farthest < 0.01);
  CHECK(std::abs(exact.energyChange) < 0.02);
}

TEST_CASE("One bias step per step follows the free flow, and more bias steps approach the theory") {
  BiasOptions options;
  options.learningRate = 0.02;
  options.steps = 3000;
  const Result<BiasComparison> result = compareBias(kChain, Model::EW, at(0.6, -0.9), {1, 2, 5, 50}, options);
  REQUIRE(result);
  const BiasPath& free = result->paths[0];
  const BiasPath& once = result->paths[1];
  CHECK((once.theta.back() - free.theta.back()).norm() < 0.01);
  CHECK(once.energyChange == Approx(free.energyChange).margin(0.02));
  for (std::size_t i = 2; i < result->paths.size(); ++i) {
    CHECK(result->paths[i].farthest < result->paths[i - 1].farthest);
    CHECK(std::abs(result->paths[i].energyChange) < std::abs(result->paths[i - 1].energyChange));
    CHECK(result->paths[i].largestOffset < result->paths[i - 1].largestOffset);
  }
  CHECK(result->paths.back().farthest < 0.1 * once.farthest);
}

TEST_CASE("With one bias step a run can end at another kind of limit than the theory predicts") {
  BiasOptions options;
  options.steps = 4000;
  struct Start {
    Chain chain;
    State theta0;
    LimitKind theory, one;
  };
  for (const Start& start : {Start{{0.2, 0.3}, at(0.686047, -1.3), LimitKind::LocalMin, LimitKind::GlobalMin},
                             Start{{0.9, 0.3}, at(0.940828, -0.2), LimitKind::GlobalMin, LimitKind::LocalMin}}) {
    const Result<BiasComparison> result = compareBias(start.chain, Model::EW, start.theta0, {0, 1}, options);
    REQUIRE(result);
    CHECK(result->kind == start.theory);
    CHECK(result->paths[0].kind == start.one);
    CHECK(result->paths[1].kind == start.theory);
    CHECK(result->paths[2].kind == start.one);
  }
}

TEST_CASE("The comparison of bias steps also holds with attention") {
  State theta0(3);
  theta0 << 0.6, -0.9, 0.1;
  BiasOptions options;
  options.steps = 600;
  const Result<BiasComparison> result = compareBias(kChain, Model::EWA, theta0, {0, 1, 5}, options);
  REQUIRE(result);
  REQUIRE(result->paths.size() == 4);
  for (const BiasPath& path : result->paths) {
    CHECK_FALSE(path.diverged);
    CHECK(path.theta.back().size() == 3);
    REQUIRE(path.limit);
    CHECK(path.limit->theta.size() == 3);
    CHECK(reducedS(Model::EWA, path.limit->theta) == Approx(kChain.S_star()).margin(1e-6));
  }
  CHECK(result->paths[3].farthest < result->paths[2].farthest);
  CHECK(std::abs(result->paths[0].energyChange) > 0.05);
}

TEST_CASE("The survey counts every start once, with the same result on any number of threads") {
  BiasOptions options;
  options.learningRate = 0.2;
  options.steps = 1500;
  ThreadPool one(1), two(2);
  const Result<BiasSurvey> survey = surveyBias(kChain, 0.5, 60, 1, 3, options, one);
  const Result<BiasSurvey> again = surveyBias(kChain, 0.5, 60, 1, 3, options, two);
  const Result<BiasSurvey> exact = surveyBias(kChain, 0.5, 60, 0, 3, options, two);
  REQUIRE((survey && again && exact));
  CHECK(survey->starts == 60);
  CHECK(survey->otherEnd + survey->unsettled <= 60);
  CHECK(survey->otherEnd == again->otherEnd);
  CHECK(survey->medianDistance == again->medianDistance);
  CHECK(exact->otherEnd <= survey->otherEnd);
  CHECK(exact->medianDistance < survey->medianDistance);
}

TEST_CASE("Invalid input of bias steps is refused, and extreme input ends") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(compareBias(kChain, Model::EW, at(nan, 1), {1}));
  CHECK_FALSE(compareBias(kChain, Model::EWB, State::Zero(3), {1}));
  CHECK_FALSE(compareBias(kChain, Model::EW, at(1, 1), {-1}));
  BiasOptions options;
  options.learningRate = nan;
  CHECK_FALSE(compareBias(kChain, Model::EW, at(1, 1), {1}, options));
  options = {};
  options.steps = 50;
  for (const State& start : {at(1e300, -1e300), at(30, -30), at(0, 0), at(0.5, 0), at(1e-300, -1), at(0, -1)})
    for (const Chain& chain : {kChain, Chain{0.5, 0.5}, Chain{1e-9, 1e-9}}) {
      INFO(start[0] << ", " << start[1] << " p " << chain.p << " q " << chain.q);
      const Result<BiasComparison> result = compareBias(chain, Model::EW, start, {0, 1, 5}, options);
      REQUIRE(result);
      CHECK(result->paths.size() == 4);
    }
  ThreadPool pool(1);
  CHECK_FALSE(surveyBias(kChain, nan, 10, 1, 0, {}, pool));
  CHECK_FALSE(surveyBias(kChain, 1, 0, 1, 0, {}, pool));
}
