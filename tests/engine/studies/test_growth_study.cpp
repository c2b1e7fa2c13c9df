// SPDX-License-Identifier: Apache-2.0
// The bench of Theorem 2.3 as a study: every check holds for several seeds, and the same seed gives the same numbers.
#include <cmath>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/studies/growth_roles.h"
#include "engine/studies/growth_study.h"

namespace sepx::studies::growth_tests {

TEST_CASE("The checks of Theorem 2.3 hold for several seeds and describe their quantity") {
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

TEST_CASE("Corollaries A.8 and A.12: the checks hold for several seeds") {
  ThreadPool pool(2);
  for (const std::uint64_t seed : {0, 1, 2, 3})
    for (const bool bidirectional : {false, true}) {
      const Work work{pool, true, seed};
      const auto report = bidirectional ? checkBidirectionalGrowth(work) : checkPredictedGrowth(work);
      REQUIRE(report);
      CHECK(report->checks.size() == (bidirectional ? 10 : 7));
      for (const Check& check : report->checks) {
        INFO(seed << " " << check.what.pattern << ": " << check.value << " " << check.relation << " " << check.bound);
        CHECK(check.passed() == (check.notJudged == nullptr));  // (S94) for all k and m is impossible
      }
      CHECK(countOf(report->checks, Verdict::NotJudged) == (bidirectional ? 0 : 1));
    }
  ThreadPool one(1);
  CHECK(checkPredictedGrowth({one, true, 1})->checks[1].value ==
        checkPredictedGrowth({pool, true, 1})->checks[1].value);
}

TEST_CASE("A mean of sums equals the mean over single matrices") {
  ThreadPool pool(2);
  attention::NormModel model = growthModel(GrowthCase::EqualContext, 24);
  model.role = attention::TokenRole::Autoregressive;
  const SumsOf sums = sumsOf(model, 200, 5, 7, {pool});
  std::vector<double> d, spread;
  for (std::uint64_t seed = 7; seed < 12; ++seed) {
    const attention::NormGrowth growth = attention::growNorms(model, 200, seed);
    const Eigen::VectorXd rows = growth.sum.rowwise().norm(), columns = growth.sum.colwise().norm().transpose();
    const auto outlying = [](const Eigen::VectorXd& norms) {  // above mean + 2 standard deviations
      const double mean = norms.mean(), limit = mean + 2 * std::sqrt((norms.array() - mean).square().mean());
      return (norms.array() > limit).select(norms.array(), 0).sum();
    };
    const double r = outlying(rows), c = outlying(columns);
    d.push_back(r + c > 0 ? (r - c) / (r + c) : 0);
    spread.push_back(
        std::log((rows.array() - rows.mean()).square().mean() / (columns.array() - columns.mean()).square().mean()));
  }
  for (const auto& [mean, values] : {std::pair(sums.directionality, d), std::pair(sums.spread, spread)}) {
    double sum = 0, squares = 0;
    for (const double value : values)
      sum += value / 5;
    for (const double value : values)
      squares += (value - sum) * (value - sum) / 4;
    CHECK(mean.mean == Approx(sum));
    CHECK(mean.error == Approx(std::sqrt(squares / 5)));
  }
}

TEST_CASE("A cancelled bench of Theorem 2.3 is interrupted") {
  ThreadPool pool(1);
  const auto report = checkNormGrowth({pool, true, 0, {}, [] { return true; }});
  REQUIRE_FALSE(report);
  CHECK(report.error().kind == ErrorKind::Interrupted);
}

}  // namespace sepx::studies::growth_tests
