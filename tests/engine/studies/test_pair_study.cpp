// SPDX-License-Identifier: Apache-2.0
// Theorem 2.4 as a study: the checks that follow from the theorem hold for any seed. The similarity of the betas of a
// pair is judged on seeds that did not set the bound.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/studies/study.h"

namespace sepx::studies::pair_tests {

TEST_CASE("Theorem 2.4: a quick run checks pairs of real gradients") {
  ThreadPool pool(2);
  const Study& study = studyOf("attention-structure-theorem-2-4");
  CHECK(study.firstSeed() == kThresholdSeeds);
  const auto report = study.compute({pool, true, kThresholdSeeds});
  REQUIRE(report);
  REQUIRE(report->tables.size() == 1);
  CHECK(report->tables[0].rows.size() == 3 * 2 * 2);  // models, start and end, layers
  REQUIRE(report->checks.size() == 6 + 3 + 3);
  for (const Check& check : report->checks) {
    INFO(check.about.values[0] << " " << check.what.pattern << ": " << check.value);
    CHECK(check.passed());
  }
  // Every pair in the last layer of the encoder has two masked places: about 9 * 8 / 2 pairs per head, with 15 % of 64
  // places masked.
  const Json& last = report->numbers["rows"][3];
  CHECK(last["model"] == "encoder");
  CHECK(last["layer"] == 1);
  CHECK(last["pairs"].get<double>() / (12 * 2) == Approx(9.6 * 8.6 / 2).epsilon(0.35));
  const Json& decoder = report->numbers["rows"][11];
  CHECK(decoder["model"] == "decoder");
  CHECK(decoder["pairs"] == 0);
  CHECK(std::isnan(decoder["one_sign"].get<double>()));  // null in a JSON document
}

TEST_CASE("Theorem 2.4: seeds that set the bound are not judged") {
  ThreadPool pool(2);
  const auto report = studyOf("attention-structure-theorem-2-4").compute({pool, true, 0});
  REQUIRE(report);
  CHECK(countOf(report->checks, Verdict::NotJudged) == 3);
  const auto stopped = studyOf("attention-structure-theorem-2-4").compute({pool, true, 0, {}, [] { return true; }});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}

}  // namespace sepx::studies::pair_tests
