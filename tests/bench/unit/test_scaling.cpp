// SPDX-License-Identifier: Apache-2.0
// The power laws that are fitted to times at several sizes, and their figure.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/bench/cases/scaling_plot.h"
#include "tests/bench/unit/run_bench.h"

using namespace sepx::app::cli;
using namespace sepx::test;

TEST_CASE("The fit finds the exponent of a power law, and the last exponent is that of the two largest sizes") {
  Scaling scaling{"n", "a sum", "numbers"};
  CHECK(std::isnan(scaling.exponent()));
  for (const double size : {10.0, 100.0, 1000.0}) {
    scaling.sizes.push_back(size);
    scaling.milliseconds.push_back(3 * std::pow(size, 1.5));
  }
  CHECK(scaling.exponent() == Approx(1.5));
  scaling.sizes.push_back(10000);
  scaling.milliseconds.push_back(100 * scaling.milliseconds.back());
  CHECK(scaling.lastExponent() == Approx(2));
  CHECK(scaling.exponent() > 1.5);
  CHECK(scaling.exponent() < 2);
}

TEST_CASE("The figure has a chart with the fitted exponent for each series of sizes") {
  std::vector<Scaling> scalings;
  for (const char* size : {"points", "pixels", "heads", "bytes", "runs"})
    scalings.push_back({size, "a time", size, {1, 10, 100}, {1, 2, 4}});
  const std::string svg = scalingPlot(scalings);
  CHECK(svg.rfind("<?xml", 0) == 0);
  for (const Scaling& one : scalings)
    CHECK(svg.find(one.size + ": exponent 0.30") != std::string::npos);
  CHECK(svg.find("NaN") == std::string::npos);
}

TEST_CASE("sepx-bench reports products of matrices relative to the processor's peak", "[.][long]") {
  const Json json = benchJson({"limits", "--threads", "1"});
  int shares = 0;
  for (const Json& amount : json["benchmarks"][0]["amounts"]) {
    INFO(amount["name"]);
    CHECK(amount["value"].get<double>() > 0);
    if (amount["name"] != "product-share-1") continue;
    CHECK(amount["value"].get<double>() < 1.05);
    ++shares;
  }
  CHECK(shares == 1);
}
