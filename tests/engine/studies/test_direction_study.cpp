// SPDX-License-Identifier: Apache-2.0
// Proposition A.16 as a study: its checks hold for several seeds, and they use the deviations of random matrices.
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/attention/scores.h"
#include "engine/core/number.h"
#include "engine/core/random.h"
#include "engine/studies/study.h"

namespace sepx::studies::direction_tests {

TEST_CASE("Proposition A.16: the checks hold for several seeds") {
  ThreadPool pool(2);
  const Study& study = studyOf("attention-structure-proposition-a-16");
  for (const std::uint64_t seed : {0, 1}) {
    const auto report = study.compute({pool, true, seed});
    REQUIRE(report);
    CHECK(report->checks.size() == 2 + 3 * 3 + 3 * 2);
    for (const Check& check : report->checks) {
      INFO(check.what.pattern << ": " << check.value << " " << check.relation << " " << check.bound);
      CHECK(check.passed());
    }
    CHECK(report->passed());
  }
  const auto stopped = study.compute({pool, true, 0, {}, [] { return true; }});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}

TEST_CASE(
    "Proposition A.16: constructed matrices have every kind of outlier, and the deviation is that of remark att-5") {
  ThreadPool pool(2);
  const auto report = studyOf("attention-structure-proposition-a-16").compute({pool, false, 0});
  REQUIRE(report);
  const std::vector<std::string>& kinds = report->checks[1].what.values;  // rows, columns, both, none
  REQUIRE(kinds.size() == 4);
  for (const std::string& count : kinds)
    CHECK(std::stoi(count) >= 10);
  // An independent computation of Definition 3.2, at n = 128 with Gaussian entries.
  double squares = 0;
  constexpr int kMatrices = 200, n = 128;
  for (int i = 0; i < kMatrices; ++i) {
    RandomStream random(77, static_cast<std::uint64_t>(i));
    std::vector<double> rows(n, 0), columns(n, 0);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        const double x = random.normal();
        rows[static_cast<std::size_t>(r)] += x * x;
        columns[static_cast<std::size_t>(c)] += x * x;
      }
    const auto outlying = [](std::vector<double>& side) {
      double sum = 0, squared = 0;
      for (double& value : side) {
        value = std::sqrt(value);
        sum += value / n;
        squared += value * value / n;
      }
      double total = 0;
      for (const double value : side)
        if (value > sum + 2 * std::sqrt(squared - sum * sum)) total += value;
      return total;
    };
    const double r = outlying(rows), c = outlying(columns);
    squares += r + c > 0 ? std::pow((r - c) / (r + c), 2) / kMatrices : 0;
  }
  const Check& gauss = report->checks[3];  // n = 128; the previous check has n = 32
  CHECK(gauss.what.values[1] == "128");
  const double deviation = parseNumber(gauss.what.values[3]).value_or(-1);
  CHECK(std::abs(deviation - std::sqrt(squares)) < 0.07);
  CHECK(deviation == Approx(0.34).margin(0.05));  // att-5
}

}  // namespace sepx::studies::direction_tests
