// SPDX-License-Identifier: Apache-2.0
// The line chart: ticks of logarithmic axes, gaps, bands, thinning that keeps extremes, the nearest point, legends and
// names without overlaps, empty ranges, a million points.
#include "ui/views/line_chart.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/core/number.h"
#include "tests/ui/views/plots_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/views/chart_axis.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const render::Rect kChartBox{{10, 20}, {610, 380}};

ChartSeries seriesOf(std::vector<double> x, std::vector<double> y) {
  ChartSeries series{"a", {dark().globalMin}};
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

LineChart chartOf(std::vector<double> x, std::vector<double> y) {
  LineChart chart;
  chart.x.name = "step";
  chart.y.name = "loss (nats)";
  chart.series.push_back(seriesOf(std::move(x), std::move(y)));
  return chart;
}

PlacedChart placed(LineChart chart) {
  return PlacedChart(std::move(chart), kChartBox, dark());
}

/// The polylines with a given colour.
std::vector<render::Polyline> linesOf(const std::vector<render::Item>& items, render::Color color) {
  std::vector<render::Polyline> lines = all<render::Polyline>(items);
  std::erase_if(lines, [&](const render::Polyline& line) { return !(line.stroke.color == color); });
  return lines;
}

/// All coordinates of the items are finite and inside the box.
void requireSound(const std::vector<render::Item>& items) {
  const auto sound = [](render::Point at) {
    return std::isfinite(at.x) && std::isfinite(at.y) && at.x >= kChartBox.min.x - 1 && at.x <= kChartBox.max.x + 1 &&
           at.y >= kChartBox.min.y - 1 && at.y <= kChartBox.max.y + 1;
  };
  for (const render::Item& item : items) {
    if (const auto* line = std::get_if<render::Polyline>(&item))
      for (const render::Point at : line->points)
        REQUIRE(sound(at));
    if (const auto* fill = std::get_if<render::Fill>(&item))
      for (const render::Point at : fill->points)
        REQUIRE(sound(at));
    if (const auto* marker = std::get_if<render::Marker>(&item)) REQUIRE(sound(marker->at));
    if (const auto* label = std::get_if<render::Label>(&item)) REQUIRE(sound(label->at));
  }
}

render::Rect boxOf(const render::Label& label) {
  const double size = static_cast<double>(label.size), width = textWidth(label.text, size);
  const double left = label.alignX == render::AlignX::Left    ? label.at.x
                      : label.alignX == render::AlignX::Right ? label.at.x - width
                                                              : label.at.x - width / 2;
  return {{left, label.at.y - 0.5 * size}, {left + width, label.at.y + 0.5 * size}};
}

bool overlap(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace

TEST_CASE("A logarithmic axis has ticks at decades, and at 1, 2, 5 if few decades are visible", "[chart]") {
  const ChartAxis axis{.logarithmic = true};
  const Ticks wide = ticksOf(axis, -6, 2, 300, 12, false);
  REQUIRE(wide.values.size() >= 4);
  for (const double value : wide.values)
    CHECK(value == std::round(value));
  CHECK(std::find(wide.labels.begin(), wide.labels.end(), "10⁰") != wide.labels.end());
  const Ticks narrow = ticksOf(axis, -1, 1, 500, 12, true);
  CHECK(narrow.labels == std::vector<std::string>{"0.1", "0.2", "0.5", "1", "2", "5", "10"});
  // With little room there are fewer ticks, and they do not overlap.
  CHECK(ticksOf(axis, -1, 1, 120, 12, true).values.size() <= 4);
  // Within one decade the labels are numbers, not powers.
  for (const std::string& label : ticksOf(axis, 0.1, 0.3, 300, 12, false).labels)
    CHECK(parseNumber(label).value_or(0) == Approx(1.6).margin(0.5));
  CHECK(ticksOf(axis, std::log10(7.2), std::log10(27), 300, 12, false).labels ==
        std::vector<std::string>{"10", "15", "20", "25"});
  const Ticks large = ticksOf(axis, std::log10(2.1e6), std::log10(8.7e6), 300, 12, true);
  REQUIRE(large.values.size() > 1);
  for (std::size_t i = 0; i < large.values.size(); ++i)
    CHECK(std::pow(10.0, large.values[i]) == Approx(1e6 * std::round(std::pow(10.0, large.values[i]) / 1e6)));
  const ChartAxis named{.logarithmic = true,
                        .label = [](double value) -> std::string { return value < 1e6 ? "few" : "many"; }};
  CHECK(ticksOf(named, 5, 7, 500, 12, true).labels == std::vector<std::string>{"few", "many", "many"});
}

TEST_CASE("No tick label of a logarithmic axis contains the letter e", "[chart]") {
  const ChartAxis axis{.logarithmic = true};
  int powers = 0;
  for (double low = -9; low <= 6; low += 0.5)
    for (const double span : {1.0, 2.0, 3.0, 6.5})
      for (const double length : {70.0, 140.0, 300.0})
        for (const std::string& label : ticksOf(axis, low, low + span, length, 11, false).labels) {
          INFO(label);
          CHECK(label.find('e') == std::string::npos);
          powers += label.find("10⁻") != std::string::npos ? 1 : 0;
        }
  CHECK(powers > 0);
}

TEST_CASE("An axis of layers has ticks at whole numbers only", "[chart]") {
  const ChartAxis axis{.whole = true};
  CHECK(ticksOf(axis, -0.5, 3.5, 600, 12, true).labels == std::vector<std::string>{"0", "1", "2", "3"});
  for (const double value : ticksOf(axis, -0.5, 95.5, 300, 12, true).values)
    CHECK(value == std::round(value));
}

TEST_CASE("Values are placed by linear and logarithmic axes, and places map back to values", "[chart]") {
  LineChart chart = chartOf({1, 10, 100, 1000}, {1, 0.1, 0.01, 0});
  chart.x.logarithmic = chart.y.logarithmic = true;
  chart.y.least = 1e-3;
  const PlacedChart shown = placed(chart);
  const double first = shown.page({1, 1}).x, second = shown.page({10, 1}).x, third = shown.page({100, 1}).x;
  CHECK(second - first == Approx(third - second));
  // The value 0 is drawn at the lower end of the y axis; on the x axis it has no place.
  CHECK(shown.page({1, 0}).y == Approx(shown.page({1, 1e-3}).y));
  CHECK(std::isnan(shown.page({0, 1}).x));
  CHECK(shown.data(shown.page({30, 0.2})).x == Approx(30));
  CHECK(shown.data(shown.page({30, 0.2})).y == Approx(0.2));
  CHECK(shown.xAt(shown.page({30, 0.2})).value() == Approx(30));
  CHECK_FALSE(shown.xAt({0, 0}));
}

TEST_CASE("NaN and infinite values break a line, and a single value between two gaps is a dot", "[chart]") {
  const std::vector<render::Item> items = placed(chartOf({0, 1, 2, 3, 4, 5, 6}, {1, 2, kNan, 5, kNan, 3, 1})).items();
  requireSound(items);
  CHECK(linesOf(items, dark().globalMin).size() == 2);
  CHECK(all<render::Marker>(items).size() == 1);
  // The same holds for infinite values.
  const double huge = std::numeric_limits<double>::infinity();
  const std::vector<render::Item> far = placed(chartOf({0, 1, 2, 3, 4}, {1, 2, huge, 2, 1})).items();
  requireSound(far);
  CHECK(linesOf(far, dark().globalMin).size() == 2);
}

TEST_CASE("A band fills the area between low and high in adjacent pieces and is clipped to the plot", "[chart]") {
  LineChart chart = chartOf({0, 1, 2, 3}, {1, 2, 2, 1});
  ChartSeries& series = chart.series[0];
  series.look.spread = Spread::Band;
  series.low = {0, 1, 1, 0};
  series.high = {2, 4, 3, 2};
  const PlacedChart shown = placed(chart);
  std::vector<render::Fill> fills = all<render::Fill>(shown.items());
  REQUIRE(fills.size() == 4);  // the background and three pieces
  double area = 0;
  for (std::size_t i = 1; i < fills.size(); ++i) {
    const std::vector<render::Point>& p = fills[i].points;
    for (std::size_t k = 0; k < p.size(); ++k)
      area += (p[k].x * p[(k + 1) % p.size()].y - p[k].y * p[(k + 1) % p.size()].x) / 2;
  }
  const render::Point unit{shown.page({1, 1}).x - shown.page({0, 0}).x, shown.page({0, 0}).y - shown.page({1, 1}).y};
  CHECK(std::abs(area) == Approx(7 * unit.x * unit.y));  // trapezoids of 2.5, 2.5 and 2
  // A gap in one end divides the band; a fixed end of the axis clips it.
  chart.series[0].high[2] = kNan;
  CHECK(all<render::Fill>(placed(chart).items()).size() == 2);
  chart.series[0].high[2] = 3;
  chart.y.to = 2.5;
  requireSound(placed(chart).items());
  // On a logarithmic axis a band down to 0 ends at the axis.
  chart.y = {.logarithmic = true};
  requireSound(placed(chart).items());
  CHECK(all<render::Fill>(placed(chart).items()).size() == 4);
}

TEST_CASE("Thinning keeps the extremes of every pixel column, the end points and the gaps", "[chart]") {
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  std::vector<render::Point> page;
  for (int i = 0; i < 200000; ++i)
    page.push_back({i * 500.0 / 200000, noise(random)});
  const std::vector<render::Point> kept = thinned(page);
  CHECK(kept.size() <= 4 * 1000);
  CHECK(kept.front() == page.front());
  CHECK(kept.back() == page.back());
  const auto envelope = [](const std::vector<render::Point>& points) {
    std::vector<std::pair<double, double>> columns(1001, {1e9, -1e9});
    for (const render::Point at : points) {
      auto& [low, high] = columns[static_cast<std::size_t>(at.x * 2)];
      low = std::min(low, at.y);
      high = std::max(high, at.y);
    }
    return columns;
  };
  CHECK(envelope(kept) == envelope(page));
  for (int i = 90000; i < 110000; ++i)
    page[static_cast<std::size_t>(i)].y = kNan;
  const std::vector<render::Point> divided = thinned(page);
  CHECK(std::count_if(divided.begin(), divided.end(), [](render::Point at) { return std::isnan(at.y); }) == 1);
  CHECK(envelope(divided) == envelope(page));
}

TEST_CASE("A single spike among a million points is drawn, with few items", "[chart]") {
  constexpr std::size_t kCount = 1000000, kSpike = 654321;
  std::vector<double> x(kCount), y(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<double>(i);
    y[i] = std::sin(static_cast<double>(i) * 1e-4);
  }
  y[kSpike] = 50;
  LineChart chart = chartOf(std::move(x), std::move(y));
  chart.series[0].low = chart.series[0].y;
  chart.series[0].high = chart.series[0].y;
  chart.series[0].look.spread = Spread::Band;
  const PlacedChart shown = placed(std::move(chart));
  const std::vector<render::Item> items = shown.items();
  const std::optional<ChartHit> hit = shown.nearest(shown.page({kSpike, 50}), 20);
  requireSound(items);
  CHECK(items.size() < 3000);
  const double top = shown.page({kSpike, 50}).y;
  bool reached = false;
  for (const render::Polyline& line : linesOf(items, dark().globalMin))
    for (const render::Point at : line.points)
      reached = reached || std::abs(at.y - top) < 0.2;
  CHECK(reached);
  REQUIRE(hit);
  CHECK(hit->point == kSpike);
}

TEST_CASE("The binary search for the nearest point gives the same point as an exhaustive search", "[chart]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0.001, 1);
  for (const bool logarithmic : {false, true}) {
    LineChart chart;
    chart.x.logarithmic = chart.y.logarithmic = logarithmic;
    for (int k = 0; k < 3; ++k) {
      std::vector<double> x, y;
      double at = 0;
      for (int i = 0; i < 200; ++i) {
        x.push_back(at += uniform(random));
        y.push_back(i % 17 == 3 ? kNan : uniform(random));
      }
      chart.series.push_back(seriesOf(std::move(x), std::move(y)));
    }
    const PlacedChart shown = placed(chart);
    const render::Rect& plot = shown.camera().plot;
    for (int i = 0; i < 300; ++i) {
      const render::Point pointer{plot.min.x + uniform(random) * plot.width(),
                                  plot.min.y + uniform(random) * plot.height()};
      double least = HUGE_VAL;
      for (const ChartSeries& series : chart.series)
        for (std::size_t p = 0; p < series.x.size(); ++p) {
          const render::Point at = shown.page({series.x[p], series.y[p]});
          if (!std::isnan(at.x)) least = std::min(least, std::hypot(at.x - pointer.x, at.y - pointer.y));
        }
      const std::optional<ChartHit> hit = shown.nearest(pointer, 1000);
      REQUIRE(hit);
      CHECK(hit->distance == Approx(least));
      CHECK_FALSE(shown.nearest(pointer, 0.999 * least));
    }
  }
  const PlacedChart one = placed(chartOf({3}, {0.25}));
  const std::vector<std::string> words = one.words(*one.nearest(one.page({3, 0.25}), 5));
  CHECK(words == std::vector<std::string>{"a", "step = 3", "loss (nats) = 0.2500"});
  CHECK(all<render::Label>(one.tip(one.page({3, 0.25}), kChartBox)).size() == 3);
  CHECK(one.tip({-5, -5}, kChartBox).empty());
}

TEST_CASE("The cursor marks the last point before it on every line", "[chart]") {
  LineChart chart = chartOf({0, 1, 2}, {1, 2, 3});
  chart.series.push_back(seriesOf({0, 2}, {5, kNan}));
  const PlacedChart shown = placed(chart);
  const std::vector<render::Marker> dots = all<render::Marker>(shown.cursor(1.5));
  REQUIRE(dots.size() == 2);
  CHECK(dots[0].at.y == Approx(shown.page({1, 2}).y));
  CHECK(all<render::Marker>(shown.cursor(2)).size() == 1);
  CHECK(shown.cursor(9).empty());
  CHECK_FALSE(valueAt(chart.series[0], -1));
}

TEST_CASE("Empty ranges have valid axes: no data, one point, equal values, only NaN", "[chart]") {
  const std::vector<LineChart> charts{LineChart{},
                                      chartOf({}, {}),
                                      chartOf({1}, {1}),
                                      chartOf({0}, {0}),
                                      chartOf({1, 2, 3}, {0.3, 0.3, 0.3}),
                                      chartOf({1, 2, 3}, {1e9, 1e9, 1e9}),
                                      chartOf({1, 2}, {1e-300, 2e-300}),
                                      chartOf({1, 2}, {-1e300, 1e300}),
                                      chartOf({kNan, kNan}, {kNan, kNan}),
                                      chartOf({1, 2}, {-1, -2})};
  for (LineChart chart : charts)
    for (const bool logarithmic : {false, true}) {
      chart.x.logarithmic = chart.y.logarithmic = logarithmic;
      chart.y.pad = 0.06;
      const PlacedChart shown = placed(chart);
      const render::Rect& window = shown.camera().window;
      INFO(window.min.x << " " << window.max.x << " " << window.min.y << " " << window.max.y);
      CHECK(window.max.x > window.min.x);
      CHECK(window.max.y > window.min.y);
      CHECK(std::isfinite(window.width()));
      CHECK(std::isfinite(window.height()));
      requireSound(shown.items());
      shown.nearest(shown.camera().plot.min, 1e9);
    }
  // A rectangle without room gives finite items too.
  for (const render::Item& item : PlacedChart(chartOf({1, 2}, {1, 2}), {{0, 0}, {1, 1}}, dark()).items())
    if (const auto* line = std::get_if<render::Polyline>(&item))
      for (const render::Point at : line->points)
        CHECK(std::isfinite(at.x + at.y));
  // Fixed ends of the axes that contradict the data.
  LineChart chart = chartOf({1, 2}, {1, 2});
  chart.y.from = 5;
  requireSound(placed(chart).items());
  chart.y = {.to = -5};
  requireSound(placed(chart).items());
}

TEST_CASE("The names of reference lines do not overlap and stay inside the plot", "[chart]") {
  LineChart chart = chartOf({0, 10}, {0, 1});
  for (const double value : {0.5, 0.505, 0.51, 1.0, 0.0})
    chart.references.push_back({value, "entropy of the chain", {dark().textMuted, render::Dash::Dotted, 1}});
  chart.references.push_back({9.9, "end of the warm-up", {dark().textMuted, render::Dash::Dashed, 1}, true});
  const PlacedChart shown = placed(chart);
  std::vector<render::Rect> boxes;
  for (const render::Label& label : all<render::Label>(shown.items())) {
    if (!label.backdrop) continue;
    boxes.push_back(boxOf(label));
    CHECK(shown.camera().plot.contains(boxes.back().min));
    CHECK(shown.camera().plot.contains(boxes.back().max));
  }
  CHECK(boxes.size() >= 4);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      CHECK_FALSE(overlap(boxes[i], boxes[k]));
}

TEST_CASE("The legend is between title and plot, and its entries do not overlap and fit the width", "[chart]") {
  for (const double width : {600.0, 260.0}) {
    LineChart chart = chartOf({0, 1}, {0, 1});
    chart.title = "loss";
    chart.legend = true;
    for (int i = 0; i < 6; ++i)
      chart.series.push_back({"seed " + std::to_string(i) + " of a run", seriesLook(dark(), i), {0, 1}, {0, 1}});
    const render::Rect box{{0, 0}, {width, 300}};
    const PlacedChart shown(chart, box, dark());
    std::vector<render::Rect> boxes;
    for (const render::Label& label : all<render::Label>(shown.items())) {
      if (label.text.find("seed") == std::string::npos && label.text != "a" && label.text != "loss") continue;
      boxes.push_back(boxOf(label));
      CHECK(boxes.back().max.y <= shown.camera().plot.min.y);
      CHECK(boxes.back().min.y >= 0);
      CHECK(boxes.back().max.x <= width);
    }
    REQUIRE(boxes.size() == 8);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        CHECK_FALSE(overlap(boxes[i], boxes[k]));
  }
}

TEST_CASE("The legend key of a dashed line shows its gaps, also beside a marker", "[chart]") {
  for (const bool marked : {false, true}) {
    INFO(marked);
    ChartLook look{.color = dark().text, .dash = render::Dash::Dashed, .width = 2.5f};
    if (marked) look.marker = render::Shape::Diamond;
    std::vector<render::Item> items;
    addSwatch(items, {0, 10}, 26, look, dark());
    // Intervals of the key that are drawn, from left to right.
    std::vector<std::pair<double, double>> inked;
    for (const render::Polyline& line : all<render::Polyline>(items)) {
      CHECK(line.stroke.width == look.width);
      inked.emplace_back(line.points.front().x, line.points.back().x);
    }
    for (const render::Marker& marker : all<render::Marker>(items))
      inked.emplace_back(marker.at.x - marker.size / 2, marker.at.x + marker.size / 2);
    std::sort(inked.begin(), inked.end());
    int gaps = 0;
    double end = inked.front().second;
    for (const auto& [from, to] : inked) {
      gaps += from - end >= 1.5 ? 1 : 0;
      end = std::max(end, to);
    }
    CHECK(gaps == (marked ? 2 : 1));
    CHECK(end == Approx(26));
  }
  // The key has the style of its line.
  LineChart chart = chartOf({0, 1}, {0, 1});
  for (std::size_t i = 0; i < 4; ++i)
    chart.series.push_back({"run", seriesLook(dark(), i), {0, 1}, {0, 1}});
  const std::vector<LegendEntry> legend = legendOf(chart);
  for (std::size_t i = 0; i < 4; ++i) {
    const ChartLook &key = legend[i + 1].look, &line = chart.series[i + 1].look;
    CHECK((key.dash == line.dash && key.width == line.width && key.marker == line.marker));
  }
  CHECK(seriesLook(dark(), 0).dash == render::Dash::Solid);
}

TEST_CASE("All series look different, the first six also without colour", "[chart]") {
  std::set<std::string> inColour, inGrey;
  for (std::size_t i = 0; i < 18; ++i) {
    const ChartLook look = seriesLook(dark(), i);
    const std::string grey = std::to_string(static_cast<int>(look.dash)) + " " +
                             (look.marker ? std::to_string(static_cast<int>(*look.marker)) : "-");
    inColour.insert(grey + " " + std::to_string(look.color.r) + std::to_string(look.color.g) +
                    std::to_string(look.color.b));
    if (i < 6) inGrey.insert(grey);
  }
  CHECK(inColour.size() == 18);
  CHECK(inGrey.size() == 6);
}

TEST_CASE("With equal units both axes have one scale and one tick step, and a left margin can be set", "[chart]") {
  LineChart chart = chartOf({-1, 1}, {-1, 1});
  chart.equalUnits = true;
  PlacedChart shown = placed(chart);
  const render::Point a = shown.page({0, 0}), b = shown.page({1, 1});
  CHECK(b.x - a.x == Approx(a.y - b.y));
  // The ticks have the same step on both axes.
  std::set<std::string> across, up;
  for (const render::Label& label : all<render::Label>(shown.items())) {
    if (label.alignY == render::AlignY::Top && label.at.y > shown.camera().plot.max.y) across.insert(label.text);
    if (label.alignX == render::AlignX::Right && label.at.x < shown.camera().plot.min.x) up.insert(label.text);
  }
  CHECK(up.size() > 1);
  for (const std::string& tick : up)
    CHECK(across.contains(tick));
  shown.leaveLeft(120);
  CHECK(shown.camera().plot.min.x == Approx(kChartBox.min.x + 120));
}

TEST_CASE("Whole-number ticks end where doubles can no longer represent the next one", "[chart]") {
  const ChartAxis axis{.name = "step", .whole = true};
  const double far = 1e17, largest = std::numeric_limits<double>::max();
  CHECK(ticksOf(axis, far, far + 16, 600, 12, true).values.size() < 100);
  CHECK(ticksOf(axis, -largest, largest, 600, 12, true).values.size() < 100);
  CHECK(ticksOf(axis, 0.5, 1e15, 600, 12, true).values.size() < 100);
  CHECK(ticksOf(axis, 0.5, 3.5, 600, 12, true).values == std::vector<double>{1, 2, 3});
}
