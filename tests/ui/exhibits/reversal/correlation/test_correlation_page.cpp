// SPDX-License-Identifier: Apache-2.0
// The page Correlation: scores and planes of the model at the step, bounds of RoPE with or without a run, and an odd
// number of dimensions, which is refused.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/reversal/rope_bounds.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "ui/exhibits/reversal/correlation/correlation_result.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("correlation: the numbers and planes are those of the model at the step", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig()}, "correlation");
  rig.set("reversal.step", 12.0);
  rig.settle();
  CHECK(rig.text("reversal.correlation.failure").empty());
  CHECK(rig.number("reversal.correlation.at") == 10);
  nn::ModelConfig model;
  const std::vector<float> theta = rig.thetaOf(0, 10, model);
  ThreadPool pool(1);
  const auto scores = *reversal::letterScores<float>(model, theta, 0, pool);
  const auto planes = *reversal::ropePlanes<float>(model, theta, 0, pool);
  CHECK(rig.number("reversal.correlation.mean") == Approx(reversal::scoreCorrelation(scores).whole));
  CHECK(rig.number("reversal.correlation.violating") == planes.violating);
  CHECK(rig.number("reversal.correlation.weight") == Approx(planes.violatingWeight));
  CHECK(rig.texts("reversal.correlation.title").find("of 8 planes violate") != std::string::npos);
  for (const char* const chart : {"sum", "far", "planes", "cantelli"})
    CHECK(rig.layer(std::string("reversal.correlation.") + chart) != nullptr);
}

TEST_CASE("correlation: the trace becomes negative beyond the distances of the paper, and an odd D is refused",
          "[reversal]") {
  SavedRunRig rig({}, "correlation");
  rig.set("reversal.setting", "full");  // no run ships for this setting
  rig.settle();
  CHECK(std::isfinite(rig.number("reversal.correlation.mean")));  // of the shipped model
  CHECK(rig.texts("reversal.correlation.title").find("ships with the program") != std::string::npos);
  CHECK(rig.number("reversal.correlation.bound.negative") == 482);  // its heads have 64 dimensions
  rig.set("reversal.correlation.dimensions", 256.0);
  rig.settle();
  CHECK(rig.number("reversal.correlation.bound.negative") == 1327);
  rig.set("reversal.correlation.dimensions", 64.0);
  rig.settle();
  CHECK(rig.number("reversal.correlation.bound.negative") == 482);
  CHECK(rig.refusal("reversal.correlation.dimensions", 63.0).find("even number") != std::string::npos);
  rig.settle();
  CHECK(rig.number("reversal.correlation.dimensions") == 64);
  CHECK(rig.number("reversal.correlation.bound.negative") == 482);
  rig.set("reversal.correlation.reach", 50.0);
  rig.settle();
  CHECK(std::isnan(rig.number("reversal.correlation.bound.negative")));
  CHECK(rig.number("reversal.correlation.bound.least") == Approx(0.33655).margin(1e-4));  // Table 3
  CHECK(rig.layer("reversal.correlation.far") != nullptr);
}

TEST_CASE("correlation: the limit of the trace for many dimensions is drawn, listed and exported", "[reversal]") {
  // int_0^1 cos(2 Delta b^-x) dx by the midpoint rule; the trace at D = 2 kPlanes is this sum, up to half a step.
  constexpr int kPlanes = 200'000;
  const auto integral = [](double distance, double base) {
    double sum = 0;
    for (int i = 0; i < kPlanes; ++i)
      sum += std::cos(2 * distance * std::pow(base, -(i + 0.5) / kPlanes));
    return sum / kPlanes;
  };
  SavedRunRig rig({}, "correlation");
  rig.set("reversal.correlation.reach", 50.0);
  rig.settle();
  CHECK(rig.number("reversal.correlation.bound.limit") == Approx(integral(50, 1e4)).margin(1e-7));
  CHECK(rig.texts("reversal.correlation.far").find("D → ∞") != std::string::npos);
  const Numbers numbers = rig.exhibit->numbers();
  const auto table =
      std::find_if(numbers.tables.begin(), numbers.tables.end(), [](const Table& one) { return one.name == "bounds"; });
  REQUIRE(table != numbers.tables.end());
  const Table& bounds = *table;
  const auto column = [&bounds](const std::string& name) {
    REQUIRE(bounds.find(name) != nullptr);
    return std::get<std::vector<double>>(bounds.find(name)->values);
  };
  const std::vector<double> distances = column("distance"), limit = column("limit");
  REQUIRE(limit.size() == 50);
  for (const std::size_t i : {0U, 4U, 24U})
    CHECK(limit[i] == Approx(integral(distances[i], 1e4)).margin(1e-7));
  const BoundsPointer other =
      computeBounds({.dimensions = 64, .base = 100, .reach = 60, .length = 3}, [] { return true; });
  // On both sides of the change between the two forms of Ci, 2 Delta / base = 1.2 included; negative at the end.
  for (const std::size_t i : {0U, 1U, 59U})
    CHECK(other->limit[i] == Approx(integral(other->distances[i], 100)).margin(1e-7));
  CHECK(other->limit[59] < 0);
}

TEST_CASE("correlation: with ALiBi it is 1 and there are no planes, and a causal model is refused", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig(nn::Positions::Alibi), tinyCausalConfig()}, "correlation");
  rig.settle();
  CHECK(rig.number("reversal.correlation.mean") == Approx(1).margin(1e-5));
  CHECK(std::isnan(rig.number("reversal.correlation.violating")));
  CHECK(rig.texts("reversal.correlation.planes").find("no rotary encoding") != std::string::npos);
  rig.set("reversal.run", 1.0);
  rig.settle();
  CHECK(rig.text("reversal.correlation.failure").find("left to right") != std::string::npos);
  CHECK(rig.layer("reversal.correlation.far") != nullptr);  // bounds need no model
}

TEST_CASE("bounds: each bound over a sum is the minimum over the pairs of distances with this sum", "[reversal]") {
  const BoundsPointer bounds = computeBounds({.dimensions = 64, .reach = 20, .length = 5}, [] { return true; });
  const std::vector<double> angles = reversal::ropeAngles(64, 1e4);
  REQUIRE(bounds->sums.size() == 7);  // 2 ... 8
  CHECK(bounds->traceOfSum[3] == Approx(reversal::ropeTrace(angles, 5)));
  CHECK(bounds->asymmetric[3] ==
        Approx(std::min(reversal::asymmetricBound(angles, 1, 4), reversal::asymmetricBound(angles, 2, 3))));
  CHECK(bounds->asymmetric[6] == Approx(reversal::asymmetricBound(angles, 4, 4)));
  CHECK(bounds->distances.size() == 20);
}
