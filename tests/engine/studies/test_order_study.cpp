// SPDX-License-Identifier: Apache-2.0
// Chains of order k: compares the losses of the true chain, which the study shows for comparison, with entropies that
// are computed here.
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/studies/study.h"

using namespace sepx;

namespace {

/// The entropy of the next bit given the last k bits. Iterates the distribution of states until it is stationary.
double entropyRate(const std::vector<double>& one) {
  const std::size_t n = one.size();
  std::vector<double> pi(n, 1.0 / static_cast<double>(n));
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> next(n, 0.0);
    for (std::size_t s = 0; s < n; ++s) {
      next[(2 * s) % n] += pi[s] * (1 - one[s]);
      next[(2 * s + 1) % n] += pi[s] * one[s];
    }
    pi = next;
  }
  double h = 0;
  for (std::size_t s = 0; s < n; ++s)
    h -= pi[s] * (one[s] * std::log(one[s]) + (1 - one[s]) * std::log(1 - one[s]));
  return h;
}

}  // namespace

TEST_CASE("Chains of order k are trained and compared with their entropy rate, which a quick run does not judge") {
  ThreadPool pool(2);
  const auto result = studies::studyOf("local-to-global-order-k").compute({pool, true, 3});
  REQUIRE(result);
  CHECK(result->passed());
  const auto& rows = result->numbers["rows"];
  REQUIRE(rows.size() == 6);  // orders 1 to 3, one and two layers
  const std::vector<double> rates{entropyRate({0.2, 0.7}), entropyRate({0.15, 0.8, 0.75, 0.2}),
                                  entropyRate({0.1, 0.85, 0.8, 0.2, 0.9, 0.15, 0.25, 0.8})};
  for (const auto& row : rows) {
    INFO(row.dump());
    const int order = row["order"].get<int>();
    CHECK(row["rate"].get<double>() == Approx(rates[static_cast<std::size_t>(order - 1)]).epsilon(1e-9));
    // The mean over 64 sequences of 32 bits, whose first bits have a shorter past.
    CHECK(row["chain"].get<double>() == Approx(row["rate"].get<double>()).margin(0.05));
    CHECK(row["letters"].get<double>() > row["chain"].get<double>() + 0.05);
    if (order == 1) CHECK(row["last_bit"] == row["chain"]);
    if (order > 1) CHECK(row["last_bit"].get<double>() > row["chain"].get<double>() + 0.05);
  }
  std::size_t judged = 0;
  for (const studies::Check& check : result->checks)
    judged += check.notJudged == nullptr;
  CHECK(judged == 6);  // the checks that no loss is below that of the true chain
}

TEST_CASE("Chains of order k are learnt except for at most a fifth of the information in their past", "[.][long]") {
  ThreadPool pool;
  const auto result = studies::studyOf("local-to-global-order-k").compute({pool, false, 3});
  REQUIRE(result);
  CHECK(result->passed());
  CHECK(judgedOf(result->checks) == result->checks.size() - 3);  // without one layer at order 3
}
