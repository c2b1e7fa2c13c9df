// SPDX-License-Identifier: Apache-2.0
// Ticks are round, lie inside the window, and are few enough for their labels; axes; colour bars.
#include "ui/canvas/axes.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "engine/core/random.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// True for 1, 2 or 5 times a power of ten.
bool isRound(double step) {
  const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
  for (const double m : {1.0, 2.0, 5.0, 10.0})
    if (std::abs(mantissa - m) < 1e-6) return true;
  return false;
}

double parsed(const std::string& label) {
  std::string plain;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label.compare(i, 3, "\u2212") == 0) {
      plain += '-';
      i += 2;
    } else if (i > 0 || label[i] != '+') {
      plain += label[i];
    }
  }
  return parseNumber(plain).value();
}

}  // namespace

TEST_CASE("A step is rounded up to the next 1, 2 or 5 times a power of ten", "[axes]") {
  CHECK(roundStep(0.3) == 0.5);
  CHECK(roundStep(0.5) == 0.5);
  CHECK(roundStep(0.51) == 1.0);
  CHECK(roundStep(1.2) == 2.0);
  CHECK(roundStep(7e6) == 1e7);
  CHECK(roundStep(1.1e-9) == Approx(2e-9));
}

TEST_CASE("A window from -2 to 2 has nine ticks with step 0.5", "[axes]") {
  const Ticks ticks = makeTicks(-2, 2, 9);
  CHECK(ticks.step == 0.5);
  REQUIRE(ticks.values.size() == 9);
  CHECK(ticks.values.front() == -2);
  CHECK(ticks.values[4] == 0);
  CHECK(ticks.labels[4] == "0");
  CHECK(ticks.labels[5] == "0.5");
  CHECK(ticks.labels[3] == "\u22120.5");
  CHECK(ticks.offset == 0);
}

TEST_CASE("Labels of very large and very small numbers are short", "[axes]") {
  CHECK(tickLabel(2e6, 1e6) == "2e6");
  CHECK(tickLabel(-1.5e7, 5e6) == "\u22121.5e7");
  CHECK(tickLabel(3e-7, 1e-7) == "3e\u22127");
  CHECK(tickLabel(1000, 200) == "1000");
}

TEST_CASE("Ticks of random windows are round, inside the window, and their labels do not overlap", "[axes]") {
  RandomStream random(7);
  for (int i = 0; i < 2000; ++i) {
    const double span = std::pow(10.0, random.uniform(-9, 9));
    const double centre = random.uniform(-1, 1) * std::pow(10.0, random.uniform(-3, 3)) * (i % 3 == 0 ? 0 : 1);
    const double min = centre - span / 2, max = centre + span / 2;
    const bool horizontal = i % 2 == 0;
    const double length = random.uniform(120, 1500);
    const Ticks ticks = fittingTicks(min, max, length, 12, horizontal);
    INFO(min << " .. " << max << " on " << length);
    REQUIRE(isRound(ticks.step));
    REQUIRE(ticks.values.size() == ticks.labels.size());
    REQUIRE(ticks.values.size() <= 40);
    double lastEnd = -1e300;
    for (std::size_t k = 0; k < ticks.values.size(); ++k) {
      const double value = ticks.values[k];
      REQUIRE(value >= min - 1e-6 * span);
      REQUIRE(value <= max + 1e-6 * span);
      // The label plus the offset is the value of the tick.
      REQUIRE(parsed(ticks.labels[k]) + ticks.offset ==
              Approx(value).margin(1e-6 * ticks.step + 1e-15 * std::abs(value)));
      const double at = (value - min) / span * length;
      const double half = (horizontal ? textWidth(ticks.labels[k], 12) : 12) / 2;
      REQUIRE(at - half > lastEnd);
      lastEnd = at + half;
    }
  }
}

TEST_CASE("An empty or undefined interval has no ticks", "[axes]") {
  CHECK(makeTicks(1, 1, 5).values.empty());
  CHECK(makeTicks(2, 1, 5).values.empty());
  CHECK(makeTicks(0, std::nan(""), 5).values.empty());
}

TEST_CASE("Powers of ten have superscript exponents, and the exponent 0 has no sign", "[axes]") {
  // The smallest value shown may lie slightly below the lowest power.
  CHECK(decadeTicks(-0.2, 3.1, 5).labels == std::vector<std::string>{"10⁰", "10¹", "10²", "10³"});
  CHECK(decadeTicks(-12.5, -10.5, 5).labels == std::vector<std::string>{"10⁻¹²", "10⁻¹¹"});
}

TEST_CASE("Axes draw one label for each tick and the two axis symbols", "[axes]") {
  const Camera camera{{{-2, -1}, {2, 1}}, {{60, 10}, {660, 410}}};
  const Theme& theme = *findTheme("dark");
  const Ticks x = fittingTicks(-2, 2, 600, 12, true), y = fittingTicks(-1, 1, 400, 12, false);
  std::vector<render::Item> items;
  addAxes(items, camera, x, y, {"e", "w"}, theme);
  std::vector<std::string> texts;
  for (const render::Item& item : items)
    if (const auto* label = std::get_if<render::Label>(&item)) texts.push_back(label->text);
  CHECK(texts.size() == x.labels.size() + y.labels.size() + 2);
  CHECK(std::count(texts.begin(), texts.end(), symbolName("e")) == 1);
  CHECK(std::count(texts.begin(), texts.end(), symbolName("w")) == 1);

  std::vector<render::Item> grid;
  addGrid(grid, camera, x, y, theme);
  CHECK(grid.size() == x.values.size() + y.values.size() + 2);  // plus the two zero lines
}

TEST_CASE("The title of a vertical axis is 8 points from its widest number", "[axes]") {
  const Theme& theme = *findTheme("light");
  for (const double top : {1.0, 20000.0})
    for (const char* name : {"w", "loss (nats)"}) {
      INFO(top << ' ' << name);
      const Camera camera{{{0, -top}, {1, top}}, {{100, 10}, {660, 410}}};
      const Ticks x = fittingTicks(0, 1, 560, 12, true), y = fittingTicks(-top, top, 400, 12, false);
      std::vector<render::Item> items;
      addAxes(items, camera, x, y, {"x", name}, theme);
      double numbers = 1e9;  // left end of the numbers
      const render::Label* title = nullptr;
      for (const render::Item& item : items)
        if (const auto* label = std::get_if<render::Label>(&item)) {
          if (label->alignX == render::AlignX::Right)
            numbers = std::min(numbers, label->at.x - textWidth(label->text, label->size));
          if (label->text == symbolName(name)) title = label;
        }
      REQUIRE(title);
      const double half = title->vertical ? 0.45 * static_cast<double>(title->size)  // share of the line height
                                          : textWidth(title->text, title->size) / 2;
      CHECK(numbers - (title->at.x + half) == Approx(8).margin(0.6));
      CHECK(leftOfAxis(y, theme) >= 100 - (title->at.x - half));  // the reserved width is large enough
    }
}

TEST_CASE("A colour bar is drawn in its rectangle, with high values at the top", "[axes]") {
  const Camera camera{{{-2, -1}, {2, 1}}, {{60, 10}, {660, 410}}};
  std::vector<render::Item> items;
  ColorBar bar{{{670, 30}, {684, 410}}, render::ColorMap::Viridis, 1, {{0, "low"}, {1, "high"}}, "L"};
  addColorBar(items, camera, bar, *findTheme("light"));
  const auto* heat = std::get_if<render::Heatmap>(&items.front());
  REQUIRE(heat != nullptr);
  const render::Point low = toPage(camera, heat->extent.min), high = toPage(camera, heat->extent.max);
  CHECK(low.x == Approx(670));
  CHECK(low.y == Approx(410));
  CHECK(high.x == Approx(684));
  CHECK(high.y == Approx(30));
  CHECK(heat->values->front() > heat->values->back());  // high values at the top
}

TEST_CASE("Two axes of the same unit have equal tick steps, as fine as the space allows", "[axes]") {
  for (const double width : {120.0, 200.0, 240.0, 400.0, 900.0})
    for (const double height : {120.0, 220.0, 300.0, 700.0}) {
      INFO(width << " x " << height);
      const auto [x, y] = equalStepTicks({{-2, -2}, {2, 2}}, {{0, 0}, {width, height}}, 12);
      CHECK(x.step == y.step);
      CHECK(x.values.size() > 1);
      CHECK(x.labels == y.labels);
    }
  // A plane in a narrow column has the ticks -2, -1, 0, 1, 2 on both axes.
  CHECK(equalStepTicks({{-2, -2}, {2, 2}}, {{0, 0}, {236, 300}}, 12).first.step == 1);
  // Axes of very different lengths keep different steps.
  const auto [steps, loss] = equalStepTicks({{0, 0}, {3000, 4}}, {{0, 0}, {600, 300}}, 12);
  CHECK(steps.step >= 200);
  CHECK(loss.step <= 1);
}
