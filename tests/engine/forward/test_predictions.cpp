// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/forward/predictions.h"

using namespace sepx::forward;

TEST_CASE("Predictions are ranked by probability and ties by id, with the entropy of the whole row", "[predictions]") {
  // Logits log(1/2), log(1/4), log(1/4) of a known distribution, shifted by a constant.
  const std::vector<float> logits{static_cast<float>(std::log(0.25) + 3), static_cast<float>(std::log(0.5) + 3),
                                  static_cast<float>(std::log(0.25) + 3)};
  double entropy = 0;
  const std::vector<Prediction> ranked = rank(logits, 2, &entropy);
  REQUIRE(ranked.size() == 2);
  CHECK(ranked[0].id == 1);
  CHECK(ranked[0].probability == Approx(0.5).epsilon(1e-6));
  CHECK(ranked[1].id == 0);
  CHECK(ranked[1].probability == Approx(0.25).epsilon(1e-6));
  CHECK(entropy == Approx(1.5 * std::log(2.0)).epsilon(1e-6));
  CHECK(rankOf(logits, 1) == 1);
  CHECK(rankOf(logits, 0) == 2);
  CHECK(rankOf(logits, 2) == 3);
}

TEST_CASE("The divergence of two rows of logits is that of their distributions", "[predictions]") {
  const std::vector<float> p{static_cast<float>(std::log(0.5)), static_cast<float>(std::log(0.5))};
  const std::vector<float> q{static_cast<float>(std::log(0.25)), static_cast<float>(std::log(0.75))};
  CHECK(divergence(p, q) == Approx(0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3)).epsilon(1e-6));
  CHECK(divergence(p, p) == 0);
}

TEST_CASE("A row with a non-finite number gives no prediction", "[predictions]") {
  const std::vector<float> whole{1, 2};
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> broken{1, bad};
    double entropy = 0;
    CHECK(rank(broken, 2, &entropy).empty());
    CHECK(std::isnan(entropy));
    CHECK(std::isnan(divergence(whole, broken)));
    CHECK(std::isnan(divergence(broken, whole)));
  }
}
