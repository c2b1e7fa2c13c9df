// SPDX-License-Identifier: Apache-2.0
// The page Ideal: the probabilities of both directions where the condition of Proposition C.2 holds and where it is
// violated, ALiBi without a condition, dragging of distances and time, and an odd D, which RoPE does not allow.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "ui/exhibits/reversal/ideal/ideal_result.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class IdealRig : public SavedRunRig {
 public:
  IdealRig() : SavedRunRig({}, "ideal") {}
  double of(const char* name) { return number(std::string("reversal.ideal.") + name); }
  std::string words() { return texts("reversal.ideal.words"); }
  void give(const char* name, const Value& value) {
    set(std::string("reversal.ideal.") + name, value);
    settle();
  }
  /// A point in the plot of a chart at `share` of its width. The background of the plot is the first fill.
  render::Point inChart(const std::string& chart, double share) {
    const std::vector<render::Point> ground = items<render::Fill>("reversal.ideal." + chart).at(0).points;
    const auto [left, right] = std::minmax({ground[0].x, ground[1].x, ground[2].x});
    const auto [top, bottom] = std::minmax({ground[0].y, ground[1].y, ground[2].y});
    return {left + share * (right - left), (top + bottom) / 2};
  }
};

}  // namespace

TEST_CASE("ideal: both probabilities approach 1 if the condition holds; otherwise the reverse one stays low",
          "[reversal]") {
  IdealRig rig;
  rig.settle();
  CHECK(rig.of("condition") > 0);
  CHECK(std::get<bool>(rig.read("reversal.ideal.holds")));
  CHECK(rig.of("end.forward") > 0.999);
  CHECK(rig.of("end.reverse") > 0.999);
  CHECK(rig.words().find("Proposition C.2 assumes") != std::string::npos);
  for (const char* const chart : {"probability", "attention", "storage", "geometry"})
    CHECK(rig.layer(std::string("reversal.ideal.") + chart) != nullptr);

  rig.give("dimensions", 2.0);
  rig.give("reverse", 2.0);  // cos 3 = -0.99
  CHECK(rig.of("condition") == Approx(std::cos(3)).margin(1e-9));
  CHECK_FALSE(std::get<bool>(rig.read("reversal.ideal.holds")));
  CHECK(rig.of("end.forward") > 0.999);
  CHECK(rig.of("end.reverse") < 0.5);
  CHECK(rig.words().find("violated") != std::string::npos);
  CHECK(rig.words().find("returns to 1/V") != std::string::npos);

  rig.give("kind", std::string("alibi-trained"));
  CHECK(rig.of("end.reverse") > 0.999);
  CHECK(rig.words().find("Proposition C.3") != std::string::npos);
  CHECK_FALSE(std::holds_alternative<double>(rig.read("reversal.ideal.condition")));
}

TEST_CASE("ideal: the numbers are those at the selected time", "[reversal]") {
  IdealRig rig;
  rig.give("time", 0.01);
  CHECK(rig.of("p_forward") == Approx(0.25).margin(0.01));
  CHECK(rig.of("alpha_forward") == Approx(0.5).margin(0.01));
  rig.give("time", 1e6);
  CHECK(rig.of("p_forward") == rig.of("end.forward"));
  CHECK(rig.exhibit->numbers().tables.size() == 2);
}

TEST_CASE("ideal: an odd D is refused for RoPE only", "[reversal]") {
  IdealRig rig;
  rig.settle();
  CHECK(rig.refusal("reversal.ideal.dimensions", 7.0).find("even") != std::string::npos);
  rig.settle();
  CHECK(rig.of("condition") > 0);
  rig.give("kind", std::string("alibi-fixed"));
  rig.give("dimensions", 7.0);
  CHECK(rig.of("end.reverse") > 0.9);
  CHECK_FALSE(rig.refusal("reversal.ideal.kind", std::string("rope")).empty());
}

TEST_CASE("ideal: a drag in the geometry changes the distances, and a drag in the probabilities changes the time",
          "[reversal]") {
  IdealRig rig;
  rig.settle();
  const render::Point from = rig.inChart("geometry", 0.1), to = rig.inChart("geometry", 0.4);
  rig.drag(from, to);
  rig.settle();
  const double sum =
      std::get<double>(rig.read("reversal.ideal.forward")) + std::get<double>(rig.read("reversal.ideal.reverse"));
  CHECK(sum == Approx(40).margin(2));
  rig.drag(to, {from.x - 1000, from.y});
  rig.settle();
  CHECK(std::get<double>(rig.read("reversal.ideal.forward")) == 1);
  CHECK(std::get<double>(rig.read("reversal.ideal.reverse")) == 1);
  rig.drag(rig.inChart("probability", 0.2), rig.inChart("probability", 0.5));
  rig.settle();
  CHECK(std::get<double>(rig.read("reversal.ideal.time")) == Approx(100).epsilon(0.3));
}

TEST_CASE("ideal: a drag changes the numbers in the same frame", "[reversal]") {
  IdealRig rig;
  rig.settle();
  const render::Point from = rig.inChart("geometry", 0.02), to = rig.inChart("geometry", 0.5);
  rig.frame({RigBase::move(from)});
  rig.frame({RigBase::press(from, true)});
  const double before = rig.of("condition");
  rig.frame({RigBase::move(to)});
  CHECK(std::get<double>(rig.read("reversal.ideal.forward")) + std::get<double>(rig.read("reversal.ideal.reverse")) ==
        50);
  CHECK(rig.of("condition") != before);
  const IdealPointer expected = *computeIdeal({.forward = static_cast<int>(rig.of("forward")),
                                               .reverse = static_cast<int>(rig.of("reverse")),
                                               .seed = static_cast<std::uint64_t>(kIdealSeed)});
  CHECK(rig.of("condition") == expected->condition);
  CHECK(rig.of("end.reverse") == expected->states.back().reverse);
  rig.frame({RigBase::press(to, false)});
}

TEST_CASE("ideal: dragged times have few digits, and 1 - p is exported without rounding", "[reversal]") {
  IdealRig rig;
  rig.settle();
  const render::Point middle = rig.inChart("probability", 0.37);
  rig.drag(middle, {middle.x + 3, middle.y});
  const double time = rig.of("time");
  CHECK(time == Approx(std::stod(fmt::format("{:.3g}", time))).epsilon(1e-14));
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE(numbers.tables.at(0).name == "flow");
  const Column* const p = numbers.tables[0].find("p_forward");
  const Column* const missing = numbers.tables[0].find("one_minus_p_forward");
  REQUIRE(p);
  REQUIRE(missing);
  const double last = std::get<std::vector<double>>(missing->values).back();
  CHECK(last > 0);
  CHECK(last == Approx(1 - std::get<std::vector<double>>(p->values).back()).epsilon(1e-6));
}

TEST_CASE("ideal: a command selects the sum of distances that violates the condition most", "[reversal]") {
  IdealRig rig;
  rig.give("forward", 3.0);
  REQUIRE(rig.run("reversal.ideal-violate"));
  rig.settle();
  const IdealPointer view = *computeIdeal({.seed = static_cast<std::uint64_t>(kIdealSeed)});
  CHECK(rig.of("condition") == Approx(*std::min_element(view->geometry.begin(), view->geometry.end())));
  CHECK(rig.of("condition") < -0.5);
  CHECK(rig.of("end.reverse") < 0.5);
  rig.give("base", 1e7);
  rig.give("dimensions", 2.0);
  REQUIRE(rig.run("reversal.ideal-violate"));
  rig.settle();
  CHECK(rig.of("condition") == Approx(-1).margin(0.01));  // one plane, with one radian per position
  rig.give("kind", std::string("alibi-fixed"));
  const double before = rig.of("reverse");
  CHECK(rig.run("reversal.ideal-violate"));
  CHECK(rig.of("reverse") == before);
  REQUIRE(!rig.editor.said.empty());
  CHECK(rig.editor.said.back().find("no condition") != std::string::npos);
}

TEST_CASE("ideal: a value out of range is refused, and nothing changes", "[reversal]") {
  IdealRig rig;
  rig.settle();
  const double end = rig.of("end.reverse");
  const std::pair<const char*, double> wrong[] = {{"vocabulary", 1}, {"forward", 0},    {"reverse", 51}, {"time", 0},
                                                  {"base", 1},       {"dimensions", 0}, {"slope", 2},    {"time", 2e6}};
  for (const auto& [name, value] : wrong) {
    INFO(name);
    CHECK_FALSE(rig.refusal(std::string("reversal.ideal.") + name, value).empty());
  }
  rig.settle();
  CHECK(rig.of("end.reverse") == end);
}

TEST_CASE("ideal: a small pane says whether the condition holds, and its charts do not overlap", "[reversal]") {
  IdealRig rig;
  rig.area = {{0, 0}, {340, 338}};
  rig.give("reverse", 27.0);
  CHECK(rig.words().find("violated") != std::string::npos);
  CHECK(rig.layer("reversal.ideal.attention") == nullptr);
  const auto plotOf = [&](const char* chart) {
    const std::vector<render::Point> ground =
        rig.items<render::Fill>(std::string("reversal.ideal.") + chart).at(0).points;
    const auto [top, bottom] = std::minmax({ground[0].y, ground[1].y, ground[2].y});
    return std::pair(top, bottom);
  };
  const auto [upperTop, upperBottom] = plotOf("probability");
  const auto [lowerTop, lowerBottom] = plotOf("geometry");
  CHECK(upperBottom + 30 < lowerTop);  // numbers and a title are between the charts
  CHECK(upperBottom - upperTop > 40);
  CHECK(lowerBottom - lowerTop > 40);
  CHECK(lowerBottom < 338);
}

TEST_CASE("ideal: time of a frame during a drag", "[.][time]") {
  IdealRig rig;
  rig.settle();
  const render::Point from = rig.inChart("geometry", 0.1), to = rig.inChart("geometry", 0.9);
  rig.frame({RigBase::move(from)});
  rig.frame({RigBase::press(from, true)});
  double worst = 0, sum = 0;
  constexpr int kFrames = 60;
  for (int i = 1; i <= kFrames; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    rig.frame({RigBase::move({from.x + (to.x - from.x) * i / kFrames, from.y})});
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
    worst = std::max(worst, passed.count());
    sum += passed.count();
  }
  WARN("mean " << sum / kFrames << " ms, worst " << worst << " ms");
}

TEST_CASE("ideal: time to compute one setting", "[.][time]") {
  for (const int dimensions : {8, 256}) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i)
      REQUIRE(computeIdeal({.dimensions = dimensions, .reverse = 1 + i}));
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
    WARN("D = " << dimensions << ": " << passed.count() / 10 << " ms");
  }
}

TEST_CASE("ideal: the chart stays finite for ALiBi with scores at which attention rounds to 0 or 1", "[reversal]") {
  for (const double slope : {-1.0, 1.0}) {
    const auto view = computeIdeal(
        {.kind = reversal::TransferKind::AlibiFixed, .dimensions = 1, .forward = 50, .reverse = 50, .slope = slope});
    REQUIRE(view);
    const LineChart chart = idealChart(**view, IdealChart::Geometry, false, *findTheme("dark"));
    REQUIRE_FALSE(chart.series.empty());
    for (const double value : chart.series.front().y)
      CHECK(std::isfinite(value));
    if (slope < 0) CHECK(idealSentence(**view).find("far longer") != std::string::npos);
  }
}
