// SPDX-License-Identifier: Apache-2.0
// The panels of the figures that are trained: medians with quartiles over the layers, layers with quartiles over their
// heads, as many panels as the figure has.
#include <catch2/catch.hpp>

#include "ui/exhibits/training/shared/emergence_charts.h"

using namespace sepx;
using namespace sepx::ui;
using studies::EmergenceStudy;

namespace {

EmergenceStudy studyOf(int number) {
  EmergenceStudy study;
  study.number = number;
  study.sources = studies::emergenceSources(number);
  studies::EmergenceRun& run = study.runs.emplace_back();
  run.curve = {{0, 3}, {10, 2}};
  studies::ScorePoint point;
  point.step = 10;
  point.symmetry = {0.1, 0.2, 0.4, 0.8, 1};
  point.directionality = {-1, -0.5, 0, 0.5, 1};
  point.rowColumnCv = {0, 0, 0, 0, 0};
  point.headSymmetry.assign(5, {0.25, 0.75});
  point.headDirectionality.assign(5, {-0.25, 0.25});
  run.scores = {point};
  return study;
}

}  // namespace

TEST_CASE("emergence charts: a median has the quartiles over the layers as a band", "[training]") {
  const EmergenceStudy study = studyOf(3);
  const Theme& theme = *findTheme("dark");
  const LineChart chart = emergenceChart(study, {0, EmergenceShown::Symmetry, false}, theme);
  REQUIRE(chart.series.size() == 1);
  CHECK(chart.series[0].look.spread == Spread::Band);
  CHECK(chart.series[0].y == std::vector<double>{0.4});
  CHECK(chart.series[0].low == std::vector<double>{0.2});
  CHECK(chart.series[0].high == std::vector<double>{0.8});
  CHECK(*chart.y.from < 0.2);
  CHECK(*chart.y.to > 0.8);
}

TEST_CASE("emergence charts: a layer has the quartiles over its heads as a band", "[training]") {
  const EmergenceStudy study = studyOf(104);
  const LineChart chart = emergenceChart(study, {0, EmergenceShown::Directionality, true}, *findTheme("dark"));
  REQUIRE(chart.series.size() == 5);
  CHECK(chart.series[1].y == std::vector<double>{-0.5});
  CHECK(chart.series[1].low == std::vector<double>{-0.125});
  CHECK(chart.series[1].high == std::vector<double>{0.125});
}

TEST_CASE("emergence charts: panels as the figures have them, losses for the table", "[training]") {
  CHECK(emergencePanels(studyOf(3)).size() == 4);
  CHECK(emergencePanels(studyOf(103)).size() == 6);
  CHECK(emergencePanels(studyOf(104)).size() == 6);
  CHECK(emergencePanels(studyOf(105)).size() == 4);
  const std::vector<EmergencePanel> table = emergencePanels(studyOf(1));
  REQUIRE(table.size() == 3);
  CHECK(table[2].shown == EmergenceShown::Loss);
  const LineChart loss = emergenceChart(studyOf(1), table[0], *findTheme("dark"));
  CHECK(loss.series[0].y == std::vector<double>{3, 2});
  CHECK(loss.series[0].look.spread == Spread::None);
}
