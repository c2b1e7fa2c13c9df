// SPDX-License-Identifier: Apache-2.0
// The text and the pictures of `sepx reproduce` for figures 3 and 5 of Reversal, from given numbers.
#include <catch2/catch.hpp>

#include <cmath>

#include "app/cli/study_json.h"
#include "app/cli/study_text.h"
#include "engine/studies/transfer_result.h"
#include "engine/studies/transfer_study.h"
#include "ui/published/study_charts.h"

using namespace sepx;
using namespace sepx::app::cli;

namespace {

studies::TransferFigure figureOf(int number, std::vector<int> lengths) {
  studies::TransferFigure figure;
  figure.number = number;
  figure.quick = true;
  figure.steps = 20;
  figure.batch = 64;
  for (const int length : lengths) {
    studies::TransferRun run;
    run.length = length;
    for (const int step : {0, 10, 20}) {
      studies::TransferPoint point;
      point.step = step;
      point.alignment.all = {0.7, 1, 1};
      point.alignment.groups[static_cast<std::size_t>(nn::ParameterGroup::Keys)] = {-0.5, 1, 1};
      point.single = 0.65;
      point.forward = 0.9;
      point.reverse = 0.01 * step;
      point.correlation = 0.4;
      run.points.push_back(point);
    }
    run.end.length = length;
    run.end.mean = {0.9, 0.5, -0.1};
    run.end.least = {0.9, 0.4, -0.1};
    run.end.largest = {0.9, 0.6, -0.1};
    run.end.whole = 0.45;
    run.start = run.end;
    figure.runs.push_back(run);
  }
  return figure;
}

}  // namespace

TEST_CASE("reproduce: figure 3 of Reversal has a document") {
  const Json json = studyJson(resultOf(figureOf(3, {10})));
  CHECK(json["id"] == "reversal-figure-3");
  CHECK(json["setup"]["batch"] == 64);
  REQUIRE(json["runs"].size() == 1);
  const Json& run = json["runs"][0];
  CHECK(run["length"] == 10);
  CHECK(run["curve"]["step"] == Json::array({0, 10, 20}));
  CHECK(run["curve"]["cosine"][1] == 0.7);
  CHECK(run["curve"]["reverse_probability"][2] == 0.2);
  CHECK(run["group_cosine"]["keys"][0] == -0.5);
  CHECK_FALSE(run["group_cosine"].contains("positions"));  // the model has no such parameters
  CHECK(run["correlation_at_end"]["distance_sum"] == Json::array({2, 3, 4}));
  CHECK(run["correlation_at_end"]["least"][1] == 0.4);
  CHECK(json["passed"].is_null());  // nothing is judged
  REQUIRE(json["observations"].size() == 4);
  CHECK(json["observations"][0]["as_published"].is_null());  // quick: the paper has no such setting
  CHECK(json["observations"][0]["why_not_judged"].is_string());
  studies::TransferFigure full = figureOf(3, {10});
  full.quick = false;
  const Json observations = studyJson(resultOf(full))["observations"];
  CHECK(observations[0]["as_published"] == true);
  CHECK(observations[1]["as_published"] == false);  // -0.1 is not positive
}

TEST_CASE("reproduce: figures 3 and 5 of Reversal as text state their setting") {
  const std::string three = studyText(resultOf(figureOf(3, {10})));
  CHECK(three.find("as published") == std::string::npos);
  CHECK(three.find("20 steps of 64 pairs") != std::string::npos);
  CHECK(three.find("256 pairs") == std::string::npos);  // the paper's setting is not the one of this run
  studies::TransferFigure full = figureOf(3, {10});
  full.quick = false;
  CHECK(studyText(resultOf(full)).find("not as published") != std::string::npos);
  CHECK(studyText(resultOf(full)).find("256 pairs") != std::string::npos);
  CHECK(three.find("have not begun to learn") == std::string::npos);
  const std::string five = studyText(resultOf(figureOf(5, {10, 20})));
  CHECK(five.find("have not begun to learn") != std::string::npos);
  CHECK(five.find("L = 20, seed 0") != std::string::npos);
}

TEST_CASE("reproduce: figure 5 of Reversal has a row of three charts for each length") {
  const ui::Theme& theme = *ui::findTheme("light");
  const render::Scene scene = ui::chartsFigure(resultOf(figureOf(5, {10, 20})), 900, 500, theme);
  for (const char* const name : {"panel 0 0", "panel 0 2", "panel 1 0", "panel 1 2", "legend"})
    CHECK(std::any_of(scene.layers.begin(), scene.layers.end(),
                      [&](const render::Layer& layer) { return layer.name == name && !layer.items.empty(); }));
}
