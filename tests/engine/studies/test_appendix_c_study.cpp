// SPDX-License-Identifier: Apache-2.0
// App. C of Local-to-Global as a study: the checks of each chain. Its formulas are tested in
// tests/engine/markov/test_low_rank.cpp.
#include <string>

#include <catch2/catch.hpp>

#include "engine/studies/study.h"

using namespace sepx;

TEST_CASE("The statements of App. C hold for real transformers on both sides of p + q = 1") {
  ThreadPool pool(2);
  const studies::Study& study = studies::studyOf("local-to-global-appendix-c");
  const auto result = study.compute({pool, true, 21});
  REQUIRE(result);
  int above = 0, below = 0;
  for (const studies::Check& check : result->checks) {
    INFO(check.what.pattern << " " << check.value);
    CHECK(check.verdict() == studies::Verdict::Holds);
    CHECK(check.points > 0);
    above += check.p + check.q > 1;
    below += check.p + check.q < 1;
  }
  CHECK(above == 2 * 15 + 3);
  CHECK(below == 2 * 15);
  // Another seed gives other numbers, so the numbers are computed and not stored.
  const auto again = study.compute({pool, true, 22});
  REQUIRE(again);
  int same = 0;
  for (std::size_t i = 0; i < result->checks.size(); ++i)
    same += result->checks[i].value == again->checks[i].value;
  CHECK(same < static_cast<int>(result->checks.size()) * 2 / 3);
}

TEST_CASE("App. C is cancelled between two chains") {
  ThreadPool pool(1);
  const auto result = studies::studyOf("local-to-global-appendix-c").compute({pool, true, 0, {}, [] { return true; }});
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::Interrupted);
}
