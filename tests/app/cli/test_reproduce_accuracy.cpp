// SPDX-License-Identifier: Apache-2.0
// The output of `sepx reproduce` for Tables 1 and 2 of Reversal, from given numbers.
#include <catch2/catch.hpp>

#include "app/cli/study_json.h"
#include "app/cli/study_text.h"
#include "engine/studies/accuracy_result.h"
#include "engine/studies/accuracy_study.h"
#include "tests/app/cli/small_checkpoints.h"

using namespace sepx;
using namespace sepx::app::cli;

namespace {

studies::AccuracyTable tableOf(bool quick) {
  studies::AccuracyTable table;
  table.number = 2;
  table.quick = quick;
  table.steps = quick ? 1500 : 3000;
  table.batch = 64;
  table.width = quick ? 64 : 256;
  using enum studies::PairModel;
  for (const auto model : {Absolute, Rope, Alibi}) {
    studies::AccuracyRun& run = table.runs.emplace_back();
    run.model = model;
    run.seed = studies::kThresholdSeeds;
    for (const double share : {0.5, 1.0}) {
      studies::AccuracyPoint& point = run.points.emplace_back();
      point.report.forward.accuracy = model == Absolute ? share / 10 : share;
      point.report.reverse.accuracy = model == Alibi ? share : share / 4;
    }
  }
  return table;
}

}  // namespace

TEST_CASE("reproduce: Table 2 of Reversal has means and final values, and no verdict on models that did not learn") {
  const Json json = studyJson(resultOf(tableOf(false)));
  REQUIRE(json["rows"].size() == 3);  // L = 10; there are no runs with longer sequences
  CHECK(json["rows"][1]["forward"] == 75);
  CHECK(json["rows"][1]["forward_at_end"] == 100);
  CHECK(json["rows"][2]["reverse_at_end"] == 100);
  CHECK(json["checks"][0]["passed"] == true);
  CHECK(json["checks"][1]["passed"].is_null());  // absolute positions answer 10 % of the forward queries
  CHECK(std::string(json["checks"][1]["why_not_judged"]).find("forward queries") != std::string::npos);
  const std::string text = studyText(resultOf(tableOf(false)));
  for (const char* const part : {"at the end", "3,000 steps", "not judged", "seeds 0 to 2"})
    CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("reproduce: Tables 1 and 2 of Reversal have every printed row") {
  const Json whole = test::sharedReference("published.json");
  if (whole.is_null()) return;  // the folder does not exist
  const Json& reference = whole["reversal"];
  std::size_t seen = 0;
  const auto compare = [&seen](int table, studies::PairModel model, int length, const Json& forward,
                               const Json& reverse) {
    const auto row = studies::publishedAccuracy(table, model, length);
    INFO(table << " " << studies::toString(model) << " " << length);
    REQUIRE(row);
    CHECK(row->forward == forward);
    CHECK(row->reverse == reverse);
    ++seen;
  };
  using enum studies::PairModel;
  for (const Json& row : reference["table1_accuracy"]["rows"]) {
    compare(1, Rope, row[0], row[1], row[2]);
    compare(1, Arm, row[0], row[3], row[4]);
  }
  CHECK(seen == studies::publishedAccuracies(1).size());
  seen = 0;
  const Json& rows = reference["table2_encodings"]["rows"];
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2)
    for (const auto& [column, model] : {std::pair{2, Absolute}, {3, Rope}, {4, Alibi}})
      compare(2, model, rows[i][0], rows[i][column], rows[i + 1][column]);
  CHECK(seen == studies::publishedAccuracies(2).size());
}

TEST_CASE("reproduce: a quick table of Reversal states its own setting, not that of the table") {
  const std::string text = studyText(resultOf(tableOf(true)));
  CHECK(text.find("width 64, 1500 steps") != std::string::npos);
  CHECK(text.find("3,000 steps") == std::string::npos);
  CHECK(text.find("d = 256") == std::string::npos);
  const Json json = studyJson(resultOf(tableOf(true)));
  for (const Json& check : json["checks"])
    CHECK(check["passed"].is_null());
  CHECK(json["passed"].is_null());  // nothing was judged, so there is no success either
  CHECK(text.find("Nothing was judged.") != std::string::npos);
}
