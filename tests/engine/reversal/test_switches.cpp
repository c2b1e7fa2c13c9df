// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/reversal/switches.h"
#include "tests/engine/reversal/one_layer_models.h"

namespace sepx::reversal {
namespace {

struct Switched {
  explicit Switched(nn::ModelConfig wanted, std::uint64_t seed = 5) : config(wanted), model(wanted, pool) {
    theta = test::fillPairModel(model, seed, 0.6);
  }
  AccuracyReport answers(const Switches& switches = {}) {
    const auto report = measureSwitched(config, theta, pairs, switches);
    if (!report) FAIL(report.error().message);
    REQUIRE(report->has_value());
    return **report;
  }
  ThreadPool pool{1};
  nn::ModelConfig config;
  nn::Transformer<double> model;
  std::vector<float> theta;
  std::vector<Pair> pairs = allPairs(7);
};

nn::ModelConfig withPositions(nn::Positions positions) {
  nn::ModelConfig config = test::pairModel();
  config.positions = positions;
  config.alibiSlope = 0.4;
  config.alibiSigned = true;
  return config;
}

}  // namespace

TEST_CASE("Without a switch the answers are those that a run records", "[reversal]") {
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Learned}) {
    Switched of(withPositions(positions));
    nn::Transformer<float> model(of.config, of.pool);
    std::copy(of.theta.begin(), of.theta.end(), model.theta().begin());
    AccuracyRequest request;
    request.pairs = of.pairs;
    const auto recorded = measureAccuracy(model, request);
    const AccuracyReport opened = of.answers();
    for (const Direction direction : kDirections) {
      CHECK(opened.of(direction).probability == Approx(recorded->of(direction).probability).epsilon(1e-4));
      CHECK(opened.of(direction).accuracy == Approx(recorded->of(direction).accuracy).margin(0.003));
      CHECK(opened.of(direction).letters == Approx(recorded->of(direction).letters).margin(0.003));
      CHECK(opened.of(direction).zero == Approx(recorded->of(direction).zero).margin(0.003));
    }
  }
}

TEST_CASE("Attention of the other query is moved to the places of the same tokens", "[reversal]") {
  const Pair pair{3, 1, 4, 6};  // 0 [M] 0 0 D 0 and 0 D 0 0 [M] 0
  Vector alpha(6);
  alpha << 0.05, 0.1, 0.15, 0.2, 0.3, 0.2;
  Vector expected(6);
  expected << 0.05, 0.3, 0.15, 0.2, 0.1, 0.2;
  CHECK(transplanted(pair, Direction::Forward, alpha) == expected);
  CHECK(transplanted(pair, Direction::Reverse, expected) == alpha);
}

TEST_CASE("Under a relative encoding, transplanted attention exchanges the answers of the two directions",
          "[reversal]") {
  Switches transplant;
  transplant.transplant = true;
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Alibi}) {
    Switched of(withPositions(positions));
    const AccuracyReport own = of.answers(), exchanged = of.answers(transplant);
    CHECK(own.forward.probability != Approx(own.reverse.probability).epsilon(1e-6));
    CHECK(exchanged.reverse.probability == Approx(own.forward.probability).epsilon(1e-9));
    CHECK(exchanged.forward.probability == Approx(own.reverse.probability).epsilon(1e-9));
    CHECK(exchanged.reverse.accuracy == own.forward.accuracy);
  }
  Switched absolute(withPositions(nn::Positions::Learned));
  const AccuracyReport own = absolute.answers(), exchanged = absolute.answers(transplant);
  CHECK(exchanged.reverse.probability != Approx(own.forward.probability).epsilon(1e-6));
  CHECK(exchanged.reverse.probability != Approx(own.reverse.probability).epsilon(1e-6));
}

TEST_CASE("Without positions both directions give the same answers, and shuffled places change nothing", "[reversal]") {
  Switched of(withPositions(nn::Positions::Rope));
  Switches none;
  none.positions = nn::Positions::None;
  const AccuracyReport blind = of.answers(none);
  CHECK(blind.forward.probability == Approx(blind.reverse.probability).epsilon(1e-9));
  Switches shuffle = none;
  shuffle.shuffle = true;
  CHECK(of.answers(shuffle).forward.probability == Approx(blind.forward.probability).epsilon(1e-9));
  shuffle.positions.reset();
  const AccuracyReport shuffled = of.answers(shuffle), plain = of.answers();
  CHECK(shuffled.forward.probability != Approx(plain.forward.probability).epsilon(1e-6));
  CHECK(of.answers(shuffle) == shuffled);
  // Forward and reverse queries often have the same positions in a random order.
  CHECK(shuffled.forward.probability == Approx(shuffled.reverse.probability).epsilon(0.1));
}

TEST_CASE("Symmetric ALiBi gives the same answers in both directions", "[reversal]") {
  nn::ModelConfig config = withPositions(nn::Positions::Alibi);
  config.alibiSigned = false;
  const AccuracyReport symmetric = Switched(config).answers();
  CHECK(symmetric.forward.probability == Approx(symmetric.reverse.probability).epsilon(1e-9));
}

TEST_CASE("Switches that a model cannot have are refused, and a measurement can be cancelled", "[reversal]") {
  Switched of(withPositions(nn::Positions::Rope));
  Switches learned;
  learned.positions = nn::Positions::Learned;
  CHECK(measureSwitched(of.config, of.theta, of.pairs, learned).error().message ==
        "This model has no table of positions; choose rope, alibi, sinusoidal or none.");
  const auto cancelled = measureSwitched(of.config, of.theta, of.pairs, {}, [] { return true; });
  REQUIRE(cancelled);
  CHECK(!cancelled->has_value());
  nn::ModelConfig odd = withPositions(nn::Positions::Alibi);
  odd.headDim = 5;
  Switched narrow(odd);
  Switches rope;
  rope.positions = nn::Positions::Rope;
  CHECK(measureSwitched(odd, narrow.theta, narrow.pairs, rope).error().message.find("even") != std::string::npos);
}

}  // namespace sepx::reversal
