// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/rope_correlation.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "engine/reversal/rope_bounds.h"

using namespace sepx::reversal;

TEST_CASE("The sampled mean agrees with the quadrature", "[rope]") {
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
