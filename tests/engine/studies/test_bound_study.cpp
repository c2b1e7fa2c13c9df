// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/bound_study.h"

#include <catch2/catch.hpp>

using namespace sepx;

TEST_CASE("Tables 3, 4 and 5 of Reversal agree with the printed numbers, except D = 256 of Table 5 (rev-2)") {
  ThreadPool pool(1);
  const std::size_t rows[] = {3, 30, 3};
  for (int table = 3; table <= 5; ++table) {
    INFO(table);
    const auto report = studies::checkBounds(table, {pool});
    REQUIRE(report);
    CHECK(report->checks.size() == rows[table - 3]);
    for (const studies::Check& check : report->checks)
      CHECK(check.passed() == (table != 5 || &check != &report->checks.back()));
    CHECK(report->passed() == (table != 5));
    CHECK(std::string(report->study->id) == "reversal-table-" + std::to_string(table));
  }
  studies::Work work{pool};
  work.cancelled = [] { return true; };
  CHECK(!studies::checkBounds(5, work));
}
