// SPDX-License-Identifier: Apache-2.0
// Theorems and figures of the flow as studies: verdict, progress and cancellation.
#include <atomic>
#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "engine/studies/flow_study.h"
#include "engine/studies/theorem_study.h"

using namespace sepx;

TEST_CASE("A theorem is judged by checks that name their chain, with the same numbers on any number of threads") {
  ThreadPool one(1), two(2);
  double last = -1;
  const studies::Work work{one, true, 3, [&last](double share) {
                             CHECK(share > last);
                             last = share;
                           }};
  const auto report = studies::checkTheorem(2, work);
  REQUIRE(report);
  CHECK(last == 0.5);  // two chains
  CHECK(report->passed());
  CHECK(std::string(report->study->id) == "local-to-global-theorem-2");
  const auto again = studies::checkTheorem(2, {two, true, 3});
  REQUIRE(again);
  REQUIRE(again->checks.size() == report->checks.size());
  for (std::size_t i = 0; i < report->checks.size(); ++i) {
    INFO(report->checks[i].what.pattern);
    CHECK(report->checks[i].p + report->checks[i].q > 1);
    CHECK(report->checks[i].value == again->checks[i].value);
  }
}

TEST_CASE(
    "Kinds of critical points are judged by their neighbours, and zeros of the gradient lie on the predicted sets") {
  ThreadPool pool(1);
  for (const int theorem : {1, 7, 9, 10}) {
    INFO(theorem);
    const auto report = studies::checkTheorem(theorem, {pool, true, 5});
    REQUIRE(report);
    CHECK(report->passed());
    int neighbours = 0, zeros = 0;
    for (const studies::Check& check : report->checks) {
      const std::string what = check.what.pattern;
      INFO(what);
      // Without a free bias the gradient at e = 0 is 0 by construction. The report contains only checks that can fail.
      if (what == "largest |grad L| on {}" && (theorem == 1 || theorem == 10))
        CHECK((check.what.values[0] == "Theta_star" || check.what.values[0] == "Theta_station"));
      neighbours += what.find("neighbour") != std::string::npos;
      if (what.find("zeros of the gradient") == std::string::npos) continue;
      ++zeros;
      CHECK(check.points > 20);
    }
    CHECK(neighbours >= 12);
    CHECK(zeros == 4);
  }
}

TEST_CASE("Saddles with only an increasing bias direction are found to be saddles, with all points and several seeds") {
  ThreadPool pool(2);
  for (const std::uint64_t seed : {0u, 4u, 6u}) {
    INFO("seed " << seed);
    const auto report = studies::checkTheorem(9, {pool, false, seed});
    REQUIRE(report);
    CHECK(report->passed());
  }
}

TEST_CASE("Two chains with the same orbits have different starting points") {
  ThreadPool pool(2);
  const auto report = studies::checkTheorem(2, {pool, true, 0});
  REQUIRE(report);
  std::vector<double> counted;
  for (const studies::Check& check : report->checks)
    if (std::string(check.what.pattern).find("standard errors") != std::string::npos) counted.push_back(check.value);
  REQUIRE(counted.size() == 2);
  CHECK(counted[0] != counted[1]);
}

TEST_CASE("A theorem is cancelled before its next set") {
  ThreadPool pool(1);
  std::atomic<int> asked = 0;
  const auto report = studies::checkTheorem(10, {pool, false, 0, {}, [&] { return ++asked > 2; }});
  REQUIRE_FALSE(report);
  CHECK(report.error().kind == ErrorKind::Interrupted);
}

TEST_CASE("A figure of the flow is judged by the ends of its orbits and by its basins") {
  ThreadPool pool(2);
  const auto figure = studies::computeFlowFigure(1, {pool, true, 0});
  REQUIRE(figure);
  REQUIRE(figure->parts.size() == 2);
  CHECK(figure->passed());
  CHECK(figure->checks().size() == 4);
  auto wrong = *figure;
  wrong.parts[1].differ = 1;
  CHECK_FALSE(wrong.passed());
  wrong = *figure;
  wrong.parts[0].basinsDiffer = 1;
  CHECK_FALSE(wrong.passed());
  const auto space = studies::computeFlowFigure(5, {pool, true, 0});
  REQUIRE(space);
  CHECK(space->checks().size() == 2);  // no basin map
  CHECK_FALSE(studies::computeFlowFigure(1, {pool, true, 0, {}, [] { return true; }}));
}
