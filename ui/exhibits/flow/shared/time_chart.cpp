// SPDX-License-Identifier: Apache-2.0
// See optimisers_chart.h.
#include "ui/exhibits/flow/shared/time_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/canvas/shapes.h"
#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/shared/flow_lines.h"

namespace sepx::ui {

namespace {

constexpr double kPad = 0.06;            // of the values' span
constexpr double kChartTolerance = 0.1;  // points of the page
constexpr double kFewestDecades = 1;     // of a logarithmic axis
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double placed(double value, bool logarithmic, double least) {
  if (!logarithmic) return value;
  return value > 0 ? std::log10(std::max(value, least)) : least > 0 && value == 0 ? std::log10(least) : kNothing;
}
double xOf(const LineChart& chart, double x) {
  return placed(x, chart.logX, 0);
}
double yOf(const LineChart& chart, double y) {
  return placed(y, chart.logY, chart.leastY);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
};

void widen(Range& range, double least, double pad) {
  if (range.empty()) range = {0, least};
  if (range.high - range.low < least) {
    const double middle = range.low + (range.high - range.low) / 2;
    range = {middle - least / 2, middle + least / 2};
  }
  const double more = pad * (range.high - range.low);
  range.low -= more;
  range.high += more;
}

/// At 1, 2 and 5 times powers of ten, of an axis that spans a few decades at most.
Ticks ticksWithinDecades(double low, double high, std::size_t most) {
  for (const std::vector<double>& mantissas : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
    Ticks ticks;
    for (int decade = static_cast<int>(std::floor(low)); decade <= static_cast<int>(std::floor(high)); ++decade)
      for (const double mantissa : mantissas) {
        const double at = decade + std::log10(mantissa);
        if (at < low || at > high) continue;
        ticks.values.push_back(at);
        // Dividing keeps 0.3 the double that prints as 0.3.
        const double value = decade < 0 ? mantissa / std::pow(10.0, -decade) : mantissa * std::pow(10.0, decade);
        ticks.labels.push_back(tickLabel(value, value));
      }
    if (ticks.values.size() <= std::max<std::size_t>(most, 2) && ticks.values.size() > 1) return ticks;
  }
  return {};
}

Ticks ticksOf(double low, double high, double length, const Theme& theme, bool logarithmic, bool horizontal) {
  if (logarithmic && high - low >= 1) {
    const Ticks decades = decadeTicks(low, high, length / ((horizontal ? 5 : 2.6) * theme.smallSize));
    if (decades.values.size() > 2) return decades;
    const double room = length / ((horizontal ? 5 : 1.7) * theme.smallSize);
    Ticks finer = ticksWithinDecades(low, high, static_cast<std::size_t>(std::max(room, 0.0)));
    if (!finer.values.empty()) return finer;
    if (decades.values.size() > 1) return decades;
  }
  Ticks ticks = fittingTicks(low, high, length, theme.smallSize, horizontal);
  // A low chart has at least two where there is room for them.
  const int most = horizontal ? 0 : static_cast<int>(length / (1.7 * theme.smallSize));
  for (int count = 3; ticks.values.size() < 2 && count <= most; ++count)
    ticks = makeTicks(low, high, count);
  if (logarithmic)
    for (std::size_t i = 0; i < ticks.values.size(); ++i)
      ticks.labels[i] = formatReading(std::pow(10.0, ticks.values[i]));
  return ticks;
}

double lastX(const LineChart& chart) {
  return chart.mostX.value_or(std::numeric_limits<double>::infinity());
}

render::Rect windowOf(const LineChart& chart) {
  Range x, y;
  for (const ChartLine& line : chart.lines)
    for (std::size_t i = 0; i < line.x.size() && line.x[i] <= lastX(chart); ++i) {
      x.take(xOf(chart, line.x[i]));
      y.take(yOf(chart, line.y[i]));
    }
  for (const ChartLevel& level : chart.levels)
    y.take(yOf(chart, level.value));
  widen(x, 1e-9, 0);
  widen(y, chart.logY ? kFewestDecades : 1e-9, kPad);
  return {{x.low, y.low}, {x.high, y.high}};
}

void addLines(std::vector<render::Item>& items, const LineChart& chart, const Camera& camera) {
  for (const ChartLine& line : chart.lines) {
    std::vector<render::Point> page;
    for (std::size_t i = 0; i < line.x.size() && line.x[i] <= lastX(chart); ++i) {
      const double x = xOf(chart, line.x[i]), y = yOf(chart, line.y[i]);
      const bool there = std::isfinite(x) && std::isfinite(y);
      page.push_back(there ? toPage(camera, {x, y}) : render::Point{kNothing, kNothing});
    }
    for (const ClippedLine& piece : clipLine(page, {}, camera.plot)) {
      if (piece.points.size() < 2) continue;
      render::Polyline drawn{{}, {line.color, line.width, line.dash}, {}, render::Space::Page};
      for (const std::size_t i : seenPoints(piece.points, {}, kChartTolerance))
        drawn.points.push_back(piece.points[i]);
      items.emplace_back(std::move(drawn));
    }
  }
}

void addLevels(std::vector<render::Item>& items, const LineChart& chart, const Camera& camera) {
  for (const ChartLevel& level : chart.levels) {
    const double value = yOf(chart, level.value);
    if (!std::isfinite(value) || value < camera.window.min.y || value > camera.window.max.y) continue;
    const double y = toPage(camera, {0, value}).y;
    const render::Rect& plot = camera.plot;
    items.emplace_back(pageLine({plot.min.x, y}, {plot.max.x, y}, chart.theme->textMuted, 1, render::Dash::Dotted));
    const bool under = y - 1.4 * chart.theme->smallSize < plot.min.y;
    render::Label label =
        textAt({plot.max.x - 4, y + (under ? 2 : -2)}, level.name, chart.theme->smallSize, chart.theme->textMuted,
               render::AlignX::Right, under ? render::AlignY::Top : render::AlignY::Bottom);
    label.backdrop = faded(chart.theme->plotBackground, 0.8f);
    items.emplace_back(std::move(label));
  }
}

void addMarks(std::vector<render::Item>& items, const LineChart& chart, const Camera& camera) {
  for (const ChartMark& mark : chart.marks) {
    const render::Point at{xOf(chart, mark.x), yOf(chart, mark.y)};
    if (mark.line >= chart.lines.size() || !std::isfinite(at.x) || !std::isfinite(at.y)) continue;
    if (!camera.window.contains(at)) continue;
    const render::Point page = toPage(camera, at);
    items.emplace_back(render::Marker{page, render::Shape::Cross, 12, chart.theme->plotBackground,
                                      chart.theme->plotBackground, 4, render::Space::Page});
    items.emplace_back(render::Marker{page, render::Shape::Cross, 10, chart.lines[mark.line].color,
                                      chart.lines[mark.line].color, 2, render::Space::Page});
  }
}

}  // namespace

void prepare(LineChart& chart) {
  chart.window = windowOf(chart);
  const Camera camera = chartCamera(chart);
  const Ticks y =
      ticksOf(camera.window.min.y, camera.window.max.y, camera.plot.height(), *chart.theme, chart.logY, false);
  chart.left = leftOfAxis(y, *chart.theme);
  // The last number along the axis may stand at its very end.
  const Ticks x =
      ticksOf(camera.window.min.x, camera.window.max.x, camera.plot.width(), *chart.theme, chart.logX, true);
  if (!x.labels.empty()) chart.right = 0.5 * textWidth(x.labels.back(), chart.theme->smallSize) + chart.theme->space;
}

Camera chartCamera(const LineChart& chart) {
  const Margins m = axisMargins(*chart.theme, false);
  render::Rect plot{{chart.box.min.x + std::max(m.left, chart.left), chart.box.min.y + 1.9 * chart.theme->textSize},
                    {chart.box.max.x - std::max(m.right, chart.right), chart.box.max.y - m.bottom}};
  plot.max.x = std::max(plot.max.x, plot.min.x + 20);
  plot.max.y = std::max(plot.max.y, plot.min.y + 20);
  return {chart.window ? *chart.window : windowOf(chart), plot};
}

std::vector<render::Item> chartItems(const LineChart& chart) {
  const Camera camera = chartCamera(chart);
  const Theme& theme = *chart.theme;
  const render::Rect& plot = camera.plot;
  std::vector<render::Item> items;
  items.emplace_back(pageFill(plot, theme.plotBackground));
  const Ticks x = ticksOf(camera.window.min.x, camera.window.max.x, plot.width(), theme, chart.logX, true);
  const Ticks y = ticksOf(camera.window.min.y, camera.window.max.y, plot.height(), theme, chart.logY, false);
  for (const double value : x.values) {
    const double at = toPage(camera, {value, 0}).x;
    items.emplace_back(pageLine({at, plot.min.y}, {at, plot.max.y}, theme.grid));
  }
  for (const double value : y.values) {
    const double at = toPage(camera, {0, value}).y;
    const bool zero = value == 0 && !chart.logY;
    items.emplace_back(pageLine({plot.min.x, at}, {plot.max.x, at}, zero ? theme.axisZero : theme.grid));
  }
  addLines(items, chart, camera);
  addLevels(items, chart, camera);
  addMarks(items, chart, camera);
  addAxes(items, camera, x, y, {chart.xName, chart.yName}, theme);
  items.emplace_back(textAt({plot.min.x, plot.min.y - 0.5 * theme.textSize},
                            elided(chart.title, theme.smallSize, plot.width()), theme.smallSize, theme.text,
                            render::AlignX::Left, render::AlignY::Bottom));
  return items;
}

std::optional<double> lineAt(const ChartLine& line, double x) {
  const auto after = std::upper_bound(line.x.begin(), line.x.end(), x);
  if (after == line.x.begin()) return std::nullopt;
  const double value = line.y[static_cast<std::size_t>(after - line.x.begin() - 1)];
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<render::Item> chartCursor(const LineChart& chart, double x) {
  const Camera camera = chartCamera(chart);
  const double at = xOf(chart, x);
  std::vector<render::Item> items;
  if (!(at >= camera.window.min.x && at <= camera.window.max.x)) return items;
  const double column = toPage(camera, {at, 0}).x;
  items.emplace_back(
      pageLine({column, camera.plot.min.y}, {column, camera.plot.max.y}, faded(chart.theme->text, 0.5f)));
  for (const ChartLine& line : chart.lines) {
    const std::optional<double> value = lineAt(line, x);
    const double y = value ? yOf(chart, *value) : kNothing;
    if (!(y >= camera.window.min.y && y <= camera.window.max.y)) continue;
    items.emplace_back(render::Marker{{column, toPage(camera, {at, y}).y},
                                      render::Shape::Circle,
                                      8,
                                      line.color,
                                      chart.theme->plotBackground,
                                      1.5f,
                                      render::Space::Page});
  }
  return items;
}

std::optional<double> chartAt(const LineChart& chart, render::Point pointer) {
  const Camera camera = chartCamera(chart);
  if (!camera.plot.contains(pointer)) return std::nullopt;
  const double x = toData(camera, pointer).x;
  return chart.logX ? std::pow(10.0, x) : x;
}

double addLegend(std::vector<render::Item>& items, render::Point at, double width, const std::vector<ChartLine>& lines,
                 const Theme& theme) {
  constexpr double kSwatch = 26;
  const double size = theme.smallSize, row = 1.6 * size;
  double x = at.x, y = at.y + row / 2;
  for (const ChartLine& line : lines) {
    const double needed = kSwatch + 6 + textWidth(line.name, size);
    if (x > at.x && x + needed > at.x + width) x = at.x, y += row;
    addSwatch(items, {x, y}, kSwatch, line);
    items.emplace_back(textAt({x + kSwatch + 6, y}, line.name, theme.smallSize, theme.text));
    x += needed + 1.4 * size;
  }
  return lines.empty() ? 0 : y + row / 2 - at.y;
}

void addSwatch(std::vector<render::Item>& items, render::Point left, double width, const ChartLine& line) {
  const bool dashed = line.dash == render::Dash::Dashed;
  const double dash = dashed ? 0.4 * width : width;
  const render::Dash kind = dashed ? render::Dash::Solid : line.dash;
  items.emplace_back(pageLine(left, {left.x + dash, left.y}, line.color, line.width, kind));
  if (dashed)
    items.emplace_back(pageLine({left.x + width - dash, left.y}, {left.x + width, left.y}, line.color, line.width));
}

}  // namespace sepx::ui
