// SPDX-License-Identifier: Apache-2.0
// The panels of the trained figures: medians with quartiles over the layers, layers with quartiles over their heads,
// and as many panels as the figure has.
#include <catch2/catch.hpp>

#include "engine/studies/emergence_result.h"
#include "engine/studies/emergence_run.h"
#include "engine/studies/emergence_study.h"

namespace sepx::studies::emergence_chart_tests {
namespace {

std::vector<StudyChart> chartsOf(EmergenceId id) {
  EmergenceStudy study;
  study.id = id;
  study.sources = emergenceSources(id);
  EmergenceRun& run = study.runs.emplace_back();
  run.curve = {{0, 3}, {10, 2}};
  ScorePoint point;
  point.step = 10;
  point.symmetry = {0.1, 0.2, 0.4, 0.8, 1};
  point.directionality = {-1, -0.5, 0, 0.5, 1};
  point.rowColumnCv = {0, 0, 0, 0, 0};
  point.headSymmetry.assign(5, {0.25, 0.75});
  point.headDirectionality.assign(5, {-0.25, 0.25});
  run.scores = {point};
  return resultOf(study).charts;
}

}  // namespace

TEST_CASE("emergence charts: the band of a median shows the quartiles over the layers") {
  const StudyChart chart = chartsOf(EmergenceId::Figure3).front();
  CHECK(std::string(chart.yName.pattern) == "median symmetry");
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].band);
  CHECK(chart.series[0].y == std::vector<double>{0.4});
  CHECK(chart.series[0].low == std::vector<double>{0.2});
  CHECK(chart.series[0].high == std::vector<double>{0.8});
  CHECK(*chart.yFrom < 0.2);
  CHECK(*chart.yTo > 0.8);
}

TEST_CASE("emergence charts: the band of a layer shows the quartiles over its heads") {
  const StudyChart chart = chartsOf(EmergenceId::FigureS4)[1];
  CHECK(std::string(chart.yName.pattern) == "directionality by layer");
  REQUIRE(chart.series.size() == 5);
  CHECK(chart.series[1].y == std::vector<double>{-0.5});
  CHECK(chart.series[1].low == std::vector<double>{-0.125});
  CHECK(chart.series[1].high == std::vector<double>{0.125});
}

TEST_CASE("emergence charts: the number of panels is that of the figure, and the table has charts of the losses") {
  CHECK(chartsOf(EmergenceId::Figure3).size() == 8);  // two depths
  CHECK(chartsOf(EmergenceId::FigureS3).size() == 6);
  CHECK(chartsOf(EmergenceId::FigureS4).size() == 6);
  CHECK(chartsOf(EmergenceId::FigureS5).size() == 4);
  const std::vector<StudyChart> table = chartsOf(EmergenceId::Table1);
  REQUIRE(table.size() == 3);
  CHECK(std::string(table[2].yName.pattern) == "validation loss");
  CHECK(table[0].series[0].y == std::vector<double>{3, 2});
  CHECK_FALSE(table[0].series[0].band);
}

}  // namespace sepx::studies::emergence_chart_tests
