// SPDX-License-Identifier: Apache-2.0
// The bench of Theorem 2.3 as a study: every check holds for several seeds, and it is the same for the same one.
#include <catch2/catch.hpp>

#include "engine/studies/growth_study.h"

namespace sepx::studies::growth_tests {

TEST_CASE("The checks of Theorem 2.3 hold for several seeds and say what they are of") {
  ThreadPool pool(1);
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const auto report = checkNormGrowth({pool, true, seed});
    REQUIRE(report);
    CHECK(report->checks.size() == 8);
    for (const Check& check : report->checks) {
      INFO(check.what.pattern << ": " << check.value << " " << check.relation << " " << check.bound);
      CHECK(check.passed());
    }
    CHECK(report->passed());
    CHECK(std::string(report->study->id) == "attention-structure-theorem-2-3");
  }
  const auto one = checkNormGrowth({pool, true, 1}), again = checkNormGrowth({pool, true, 1});
  CHECK(one->checks[2].value == again->checks[2].value);
}

TEST_CASE("A cancelled bench of Theorem 2.3 is interrupted") {
  ThreadPool pool(1);
  const auto report = checkNormGrowth({pool, true, 0, {}, [] { return true; }});
  REQUIRE_FALSE(report);
  CHECK(report.error().kind == ErrorKind::Interrupted);
}

}  // namespace sepx::studies::growth_tests
