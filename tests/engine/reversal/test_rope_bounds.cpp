// SPDX-License-Identifier: Apache-2.0
// Compares the bounds with RoPE with reference numbers, and tests where they no longer hold.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/reversal/rope_bounds.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::reversal;

namespace {

nlohmann::json casesOf(const char* group) {
  std::ifstream file(tests::sourceFolder() + "/tests/reference/fixtures.json");
  return nlohmann::json::parse(file).at("groups").at(group);
}

void checkClose(double value, const nlohmann::json& one, const char* field) {
  const double reference = one.at(field).get<double>();
  INFO(one.dump());
  CHECK(std::abs(value - reference) <= one.value("tol", 1e-12) + 1e-11 * std::abs(reference));
}

}  // namespace

TEST_CASE("rope bounds: trace, Cantelli bound and asymmetric mean equal the reference numbers") {
  for (const auto& one : casesOf("rope_trace"))
    checkClose(ropeTrace(ropeAngles(one["D"], one["base"]), one["r"]), one, "value");
  for (const auto& one : casesOf("cantelli")) {
    const auto bound = cantelliBound(ropeAngles(2 * one["m"].get<int>(), 1e4), one["Delta"], one["c"]);
    REQUIRE(bound);
    checkClose(*bound, one, "bound");
  }
  for (const auto& one : casesOf("asym_mean"))
    checkClose(asymmetricBound(ropeAngles(one["D"], 1e4), one["Delta1"], one["Delta2"]), one, "mean_inf_kappa");
}

TEST_CASE("rope bounds: the trace becomes negative at large distances, where Cantelli's inequality gives no bound") {
  for (const auto& [dimensions, first] : {std::pair{64, 482}, {128, 985}, {256, 1327}}) {
    const std::vector<double> angles = ropeAngles(dimensions, 1e4);
    for (int distance = 1; distance < first; ++distance)
      REQUIRE(ropeTrace(angles, 2.0 * distance) >= 0);
    CHECK(ropeTrace(angles, 2.0 * first) < 0);
    CHECK_FALSE(cantelliBound(angles, first, 0.1));
  }
}

TEST_CASE("rope bounds: an odd number of dimensions is refused") {
  CHECK(checkRope(64, 1e4));
  for (const int dimensions : {63, 0, -2, 5000}) {
    const auto refused = checkRope(dimensions, 1e4);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("even number") != std::string::npos);
  }
  CHECK_FALSE(checkRope(64, 1));
}
