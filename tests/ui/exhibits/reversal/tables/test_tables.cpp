// SPDX-License-Identifier: Apache-2.0
// The page Tables: every table and figure of Reversal of `sepx reproduce`, bounds that are computed when they
// are shown, Tables 1 and 2 from the shipped runs, Table 7 only as published, and a study that is run and cancelled.
#include <string_view>

#include <catch2/catch.hpp>

#include "engine/studies/accuracy_result.h"
#include "engine/studies/large_models.h"
#include "engine/studies/transfer_result.h"
#include "engine/studies/transfer_study.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "ui/published/study_charts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class TablesRig : public SavedRunRig {
 public:
  TablesRig() : SavedRunRig({}, "tables") {}
  std::string state() const { return text("reversal.tables.result.state"); }
  void show(const char* word) {
    set("reversal.tables.study", std::string(word));
    settle();
  }
};

}  // namespace

TEST_CASE("tables: all studies of Reversal are listed, and Table 7 only as published", "[reversal]") {
  std::size_t known = 0;
  for (const studies::Study* const one : studies::shownStudies("Reversal")) {
    CHECK_FALSE(one->says.empty());
    CHECK(static_cast<bool>(one->compute) == (one->key() != "table-7"));
    known += one->isReproduced() ? 1 : 0;
  }
  std::size_t all = 0;
  for (const studies::Study& one : studies::studies())
    all += std::string_view(one.paper) == "Reversal" && one.isReproduced() ? 1 : 0;
  CHECK(known == all);
}

TEST_CASE("tables: Tables 3 to 5 are computed when they are shown, and agree with the paper except for one misprint",
          "[reversal]") {
  TablesRig rig;
  const std::pair<const char*, int> tables[] = {{"table-3", 3}, {"table-4", 30}, {"table-5", 3}};
  for (const auto& [word, rows] : tables) {
    INFO(word);
    rig.show(word);
    CHECK(rig.state() == "done");
    const bool misprinted = std::string_view(word) == "table-5";  // D = 256: erratum rev-2
    CHECK(rig.number("reversal.tables.result.judged") == rows);
    CHECK(rig.number("reversal.tables.result.holds") == rows - (misprinted ? 1 : 0));
    CHECK(rig.layer("reversal.tables.button") == nullptr);
    CHECK((rig.texts("reversal.tables.table").find("not as published") != std::string::npos) == misprinted);
    CHECK((rig.texts("reversal.tables.words").find("rev-2") != std::string::npos) == misprinted);
    CHECK(rig.texts("reversal.tables.table").find("as published") != std::string::npos);
  }
  rig.show("table-3");
  CHECK(rig.texts("reversal.tables.table").find("0.336550") != std::string::npos);
}

TEST_CASE("tables: Tables 1 and 2 show the shipped runs beside the published numbers", "[reversal]") {
  TablesRig rig;
  rig.show("table-1");
  CHECK(rig.state() == "done");
  CHECK(std::get<bool>(rig.read("reversal.tables.result.passed")));
  const std::string table = rig.texts("reversal.tables.table");
  CHECK(table.find("43.1") != std::string::npos);  // published
  CHECK(table.find("42.7") != std::string::npos);  // ours
  CHECK(table.find("55.7") != std::string::npos);  // published, L = 20
  CHECK(table.find("19.2") != std::string::npos);  // ours at the end of the curve
  const std::string words = rig.words("reversal.tables.words");
  CHECK(words.find("that ship") != std::string::npos);
  CHECK(words.find("over the points of the curves") != std::string::npos);
  CHECK(rig.number("reversal.tables.result.judged") == 1);  // the ARM: the number of the paper is 0
  rig.show("table-2");
  CHECK(rig.number("reversal.tables.result.judged") == 0);  // the bound of 5 points was chosen with these seeds
  CHECK(rig.exhibit->numbers().tables.front().name == "accuracy");
}

TEST_CASE("tables: Table 7 has no study to run, and the page says why", "[reversal]") {
  TablesRig rig;
  rig.show("table-7");
  CHECK(rig.state() == "none");
  CHECK(rig.layer("reversal.tables.button") == nullptr);
  CHECK(rig.texts("reversal.tables.words").find("out of the scope") != std::string::npos);
  CHECK(rig.texts("reversal.tables.table").find("Dream-7B") != std::string::npos);
  CHECK(studies::publishedLargeModels().size() == 25);
  CHECK(studies::publishedLargeModels()[0].reverse == 48.3);
  CHECK(studies::publishedLargeModels()[24].forward == 100);
}

TEST_CASE("tables: a study with training runs on a command, can be cancelled, and other tables are then computed",
          "[reversal]") {
  TablesRig rig;
  rig.show("figure-5");
  CHECK(rig.state() == "none");
  REQUIRE(rig.run("reversal.tables-run"));
  for (int i = 0; i < 3; ++i)
    rig.frame();
  CHECK(rig.state() == "computing");
  CHECK(rig.texts("reversal.tables.button").find("Cancel") != std::string::npos);
  REQUIRE(rig.run("reversal.tables-cancel"));
  rig.settle();
  CHECK(rig.state() == "none");
  rig.show("table-3");
  CHECK(rig.state() == "done");
}

TEST_CASE("tables: while a table is trained again its state is computing, and the shipped runs stay visible",
          "[reversal]") {
  TablesRig rig;
  rig.show("table-1");
  CHECK(rig.state() == "done");
  REQUIRE(rig.run("reversal.tables-run"));
  for (int i = 0; i < 3; ++i)
    rig.frame();
  CHECK(rig.state() == "computing");
  CHECK(rig.texts("reversal.tables.table").find("42.7") != std::string::npos);
  REQUIRE(rig.run("reversal.tables-cancel"));
  rig.settle();
  CHECK(rig.state() == "done");
}

TEST_CASE("tables: a figure of a study has charts for its runs", "[reversal]") {
  studies::TransferFigure figure;
  figure.steps = 10;
  for (const int length : {10, 20}) {
    studies::TransferRun& run = figure.runs.emplace_back();
    run.length = length;
    run.points.resize(2);
    run.points[1].step = 10;
    run.points[1].reverse = 0.5;
    run.end.mean = run.end.least = run.end.largest = {0.5, 0.4};
  }
  const studies::StudyResult result = resultOf(figure);
  REQUIRE(result.charts.size() == 6);
  const LineChart probability = lineChart(result.charts[5], *findTheme("dark"));
  CHECK(probability.title.find("L = 20") == 0);
  REQUIRE(probability.series.size() == 2);
  CHECK(probability.series[1].y.back() == 0.5);
  CHECK(chartLegend(result.legend, *findTheme("dark")).size() == 3);
}
