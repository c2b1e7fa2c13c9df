// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/rope_correlation.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/reversal/rope_bounds.h"

using namespace sepx::reversal;

TEST_CASE("Tables 3, 4 and 5 of Reversal", "[rope]") {
  const int dimensions[] = {64, 128, 256};
  const char* const least[] = {"0.337", "0.384", "0.410"};
  for (int i = 0; i < 3; ++i)
    CHECK(fmt::format("{:.3f}", leastTrace(ropeAngles(dimensions[i], 10000), 50).trace) == least[i]);

  // Columns: m = 64 and 128, c = .1, .2, .3.
  const char* const cantelli[5][6] = {{"0.978", "0.966", "0.941", "0.989", "0.983", "0.970"},
                                      {"0.959", "0.930", "0.859", "0.982", "0.969", "0.938"},
                                      {"0.947", "0.905", "0.791", "0.977", "0.958", "0.906"},
                                      {"0.942", "0.893", "0.753", "0.974", "0.952", "0.885"},
                                      {"0.956", "0.922", "0.828", "0.973", "0.949", "0.874"}};
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 6; ++column) {
      const auto bound =
          cantelliBound(ropeAngles(column < 3 ? 128 : 256, 10000), 10.0 * (row + 1), 0.1 * (column % 3 + 1));
      REQUIRE(bound);
      CHECK(fmt::format("{:.3f}", *bound) == cantelli[row][column]);
    }

  const double surrogate[] = {0.275, 0.363, 0.395};
  for (int i = 0; i < 3; ++i) {
    const auto angles = ropeAngles(dimensions[i], 10000);
    double smallest = 1;
    for (int forward = 0; forward <= 30; ++forward)
      for (int reverse = forward; reverse <= 30; ++reverse)  // symmetric in both
        smallest = std::min(smallest, asymmetricBound(angles, forward, reverse));
    CHECK(std::abs(smallest - surrogate[i]) < 0.002);
  }
}

TEST_CASE("The mean by draws lies where the quadrature says", "[rope]") {
  const auto angles = ropeAngles(64, 10000);
  const SampledBound sampled = sampledAsymmetricBound(angles, 0, 29, 20000, 7);
  CHECK(sampled.error < 0.002);
  CHECK(std::abs(sampled.mean - asymmetricBound(angles, 0, 29)) < 4 * sampled.error);
  CHECK(sampledAsymmetricBound(angles, 0, 29, 20000, 7).mean == sampled.mean);
}

TEST_CASE("A correlation lies between -1 and 1 and above its bound", "[rope]") {
  const auto angles = ropeAngles(8, 10000);
  const std::vector<double> q{1, 0.5, -0.2, 2, 0.1, 0.3, 1, -1}, rho{0.3, 0.9, 0.1, 0.5}, none(4, 0.0);
  const auto w = planeWeights(q);
  for (int distance = 0; distance <= 40; ++distance) {
    const double found = symmetricCorrelation(w, rho, angles, distance), bound = symmetricBound(w, angles, distance);
    CHECK(found <= 1 + 1e-12);
    CHECK(found >= bound - 1e-12);
    CHECK(symmetricCorrelation(w, none, angles, distance) == Approx(bound).margin(1e-12));
    const auto asymmetric = asymmetricCorrelation(w, rho, angles, distance, distance);
    CHECK(asymmetric.correlation == Approx(found).margin(1e-12));
    CHECK(asymmetric.surrogate == Approx(found).margin(1e-12));
    CHECK(asymmetric.least == Approx(bound).margin(1e-12));
  }
  CHECK(symmetricCorrelation(w, rho, angles, 0) == Approx(1));
}
