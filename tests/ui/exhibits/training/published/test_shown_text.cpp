// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <catch2/catch.hpp>

#include "engine/studies/study.h"
#include "ui/published/shown_text.h"

using namespace sepx;
using ui::shownText;

TEST_CASE("Sentences of studies are shown with Greek letters, indices, powers and minus signs", "[published]") {
  const std::pair<const char*, const char*> all[] = {
      {"distance of the loss from H(pi), nats", "distance of the loss from H(π), nats"},
      {"w below -1/2, at sigma = 0.05", "w below −1/2, at σ = 0.05"},
      {"sigma1/sigma2 of at least 3", "σ₁/σ₂ of at least 3"},
      {"2 beta_ij beta_ji over beta_ij^2 + beta_ji^2", "2 β_ij β_ji over β_ij² + β_ji²"},
      {"above -alpha (1 - p(A))", "above −α (1 - p(A))"},
      {"1e-3", "10⁻³"},
  };
  for (const auto& [written, shown] : all) {
    INFO(written);
    CHECK(shownText(written) == shown);
  }
}

TEST_CASE("Words, paths and keys that contain the name of a Greek letter are not changed", "[published]") {
  for (const char* const text : {"pixels of a spiral", "alphabet", "training.sigma", "sigma.json", "beta-test",
                                 "local-to-global-theorem-2", "x^20", "sigma12"}) {
    INFO(text);
    CHECK(shownText(text) == text);
  }
}
