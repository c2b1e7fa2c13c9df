// SPDX-License-Identifier: Apache-2.0
// Printed scores compared with measured ones: which rows are judged, and how.
#include <algorithm>
#include <cmath>
#include <memory>

#include <catch2/catch.hpp>

#include "engine/studies/score_result.h"
#include "engine/studies/score_study.h"

using namespace sepx;
using studies::Judged;
using studies::Measured;
using studies::PublishedScore;
using studies::ScoreTables;

namespace {

attention::PublishedModel printedModel(const char* name, const char* unsafe = "") {
  attention::PublishedModel model;
  model.name = name;
  model.symmetry = {{0.3, 0.1, 0.1}, {0.5, 0.1, 0.1}};
  model.directionality = {{-0.2, 0.1, 0.1}};
  model.unsafe = unsafe;
  return model;
}

Measured measuredAs(const attention::PublishedModel& row, double symmetry, double directionality) {
  Measured measured;
  measured.row = &row;
  measured.stacks.push_back({checkpoint::Stack::Self, {symmetry, symmetry, symmetry}, {directionality, 0, 0}});
  return measured;
}

ScoreTables tablesOf(const char* id) {
  ScoreTables tables;
  tables.study = &studies::studyOf(id);
  tables.published.models = {printedModel("Safe"), printedModel("Wrong", "queries are paired otherwise"),
                             printedModel("Absent")};
  return tables;
}

}  // namespace

TEST_CASE("A measured median agrees with the printed value within half a unit of its last digit") {
  ScoreTables tables = tablesOf("attention-structure-figure-2");
  tables.measured.push_back(measuredAs(tables.published.models[0], 0.5049, -0.2051));
  tables.judgeAll();
  REQUIRE(tables.tables.size() == 2);
  const auto& [score, rows] = tables.tables.front();
  CHECK(score == PublishedScore::Symmetry);
  REQUIRE(rows.size() == 3);
  CHECK_FALSE(rows[0].agrees);  // agrees with 0.5, but not with 0.3
  CHECK(*rows[0].off == Approx(0.0049));
  CHECK(tables.tables[1].second[0].agrees == false);
  CHECK_FALSE(rows[2].measured);
  CHECK(tables.checks().size() == 1);
  CHECK_FALSE(tables.passed());
  tables.study = &studies::studyOf("attention-structure-table-4");  // only symmetry
  tables.judgeAll();
  CHECK(tables.checks().empty());
  tables.published.models[0].symmetry.erase(tables.published.models[0].symmetry.begin());
  tables.judgeAll();
  CHECK(tables.tables.front().second[0].agrees == true);
  CHECK(tables.checks().size() == 1);
  CHECK(tables.passed());
}

TEST_CASE(
    "Rows with a known error in the published code, found by their shape alone or measured in part are not judged") {
  ScoreTables tables = tablesOf("attention-structure-table-4");
  tables.measured.push_back(measuredAs(tables.published.models[1], 0.9, 0));
  tables.measured.push_back(measuredAs(tables.published.models[0], 0.9, 0));
  tables.measured.back().byShape = true;
  tables.judgeAll();
  for (const Judged& row : tables.tables.front().second)
    CHECK_FALSE(row.agrees);
  CHECK(*tables.tables.front().second[1].off == Approx(0.4));
  CHECK(tables.passed());
  tables.measured.back().byShape = false;
  tables.judgeAll();
  CHECK_FALSE(tables.passed());
  tables.quick = true;
  tables.judgeAll();
  CHECK(tables.passed());
}

TEST_CASE("Rows of other sources are shown only if their stack was measured, and are never judged") {
  ScoreTables tables = tablesOf("attention-structure-figure-2");
  attention::PublishedModel row = printedModel("Elsewhere, decoder");
  row.symmetry = {{0.4, 0.1, 0.1, "a file, commit 1"}};
  row.directionality.clear();
  row.stack = "decoder";
  tables.published.models.push_back(row);
  tables.judgeAll();
  CHECK(tables.tables.front().second.size() == 3);  // nothing was measured for it
  Measured measured = measuredAs(tables.published.models.back(), 0.9, 0.5);
  measured.stacks.front().stack = checkpoint::Stack::Encoder;
  tables.measured = {measured};
  tables.judgeAll();
  CHECK(tables.tables.front().second.size() == 3);  // another stack was measured
  tables.measured.front().stacks.push_back({checkpoint::Stack::Decoder, {0.4, 0.39, 0.41}, {-0.1, -0.2, 0}});
  tables.judgeAll();
  REQUIRE(tables.tables.front().second.size() == 4);
  const Judged& judged = tables.tables.front().second.back();
  CHECK(judged.own->symmetry.median == 0.4);
  CHECK(*judged.off == 0);
  CHECK_FALSE(judged.agrees);
  CHECK(tables.tables[1].second.size() == 3);  // its directionality is unknown
  CHECK(tables.checks().empty());
  const auto shown = std::make_shared<ScoreTables>(tables);
  shown->measured.front().row = &shown->published.models.back();
  shown->judgeAll();
  const studies::StudyResult result = resultOf(shown);
  CHECK(result.numbers["rows"][3]["source"] == "a file, commit 1");
  CHECK(result.numbers["rows"][0]["source"].is_null());
  bool said = false;
  for (const Sentence& note : result.tables.back().notes)
    said = said || std::find(note.values.begin(), note.values.end(), "a file, commit 1") != note.values.end();
  CHECK(said);
}

TEST_CASE("A score that is NaN agrees with no printed value") {
  ScoreTables tables = tablesOf("attention-structure-table-4");
  tables.measured.push_back(measuredAs(tables.published.models[0], std::nan(""), 0));
  tables.judgeAll();
  CHECK(tables.tables.front().second[0].agrees == false);
  CHECK_FALSE(tables.passed());
}
