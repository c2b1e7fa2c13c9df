// SPDX-License-Identifier: Apache-2.0
// Places the axes of a chart, and finds and describes what is under the pointer.
#include "ui/views/line_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr_format.h"
#include "ui/views/chart_axis.h"

namespace sepx::ui {

namespace {

constexpr double kNoPlace = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastSide = 20;  // least side of a plot, points
constexpr float kSmaller = 0.9f;   // type size of numbers in a compact chart, relative to the small type

std::size_t sizeOf(const ChartSeries& series) {
  return std::min(series.x.size(), series.y.size());
}

bool goesUp(const ChartSeries& series) {
  for (std::size_t i = 0; i + 1 < series.x.size(); ++i)
    if (!(series.x[i] <= series.x[i + 1])) return false;
  return true;
}

}  // namespace

PlacedChart::PlacedChart(LineChart chart, const render::Rect& box, const Theme& theme)
    : chart_(std::move(chart)), box_(box), theme_(theme) {
  if (chart_.compact) {
    theme_.textSize = theme_.smallSize;
    theme_.smallSize *= kSmaller;
  }
  AxisSpan x, y;
  for (const ChartSeries& series : chart_.series) {
    ascending_.push_back(goesUp(series));
    for (std::size_t i = 0; i < sizeOf(series); ++i) {
      const double at = axisX(series.x[i]);
      if (!std::isfinite(at) || (chart_.x.to && series.x[i] > *chart_.x.to) ||
          (chart_.x.from && series.x[i] < *chart_.x.from))
        continue;
      x.take(at);
      y.take(axisY(series.y[i]));
      if (i < series.low.size()) y.take(axisY(series.low[i]));
      if (i < series.high.size()) y.take(axisY(series.high[i]));
    }
  }
  for (const ChartReference& reference : chart_.references) {
    if (!reference.counts) continue;
    AxisSpan& span = reference.vertical ? x : y;
    const ChartAxis& axis = reference.vertical ? chart_.x : chart_.y;
    span.take(placedOn(axis, reference.value));
    if (reference.stripe)
      span.take(placedOn(axis, reference.stripe->first)), span.take(placedOn(axis, reference.stripe->second));
  }
  x = endsOf(chart_.x, x);
  y = endsOf(chart_.y, y);
  ends_ = {{x.low, y.low}, {x.high, y.high}};
  place();
}

void PlacedChart::zoom(std::optional<render::Rect> window) {
  zoom_ = window;
  place();
}

void PlacedChart::leaveLeft(double points) {
  left_ = points;
  place();
}

void PlacedChart::place() {
  render::Rect& window = camera_.window = zoom_.value_or(ends_);
  render::Rect& plot = camera_.plot;
  const double size = theme_.smallSize;
  const auto ticks = [&](bool horizontal) {
    return horizontal ? ticksOf(chart_.x, window.min.x, window.max.x, plot.width(), size, true)
                      : ticksOf(chart_.y, window.min.y, window.max.y, plot.height(), size, false);
  };
  if (chart_.plot) {
    plot = *chart_.plot;
    x_ = ticks(true);
    y_ = ticks(false);
    return;
  }
  const Margins m = axisMargins(theme_, false);
  const bool titled = !chart_.title.empty() || (chart_.compact && !chart_.y.name.empty());
  double below = chart_.x.bare ? theme_.space : m.bottom;
  if (!chart_.x.bare && chart_.compact) below = 1.9 * size;
  double more = 0;  // lines of the title after the first one
  const auto vertical = [&] {
    plot.min.y = box_.min.y + ((titled ? 1.9 : 0.7) + kTitleLine * more) * theme_.textSize + legend_;
    plot.max.y = std::max(box_.max.y - below, plot.min.y + kLeastSide);
  };
  const auto horizontal = [&](double right) {
    plot.min.x = box_.min.x + left_;
    plot.max.x = std::max(box_.max.x - right, plot.min.x + kLeastSide);
  };
  legend_ = 0;
  vertical();
  y_ = ticks(false);
  const double usual = chart_.y.bare ? theme_.space : chart_.compact ? 0 : m.left;
  const double labels = leftOfAxis(y_, theme_) - (chart_.compact ? 1.2 * theme_.textSize : 0);
  left_ = std::max({left_, usual, chart_.y.bare ? 0 : labels});
  horizontal(m.right);
  x_ = ticks(true);
  // The last number along the axis may be at its very end.
  double right = m.right;
  if (!x_.labels.empty()) right = std::max(right, 0.5 * textWidth(x_.labels.back(), size) + theme_.space);
  horizontal(right);
  if (titleLines(chart_, box_, plot.min.x, theme_.textSize).size() > 1) {
    more = 1;
    vertical();
    y_ = ticks(false);
  }
  if (chart_.equalUnits) {
    const double unit = std::max(window.width() / plot.width(), window.height() / plot.height());
    const double wider = (unit * plot.width() - window.width()) / 2,
                 higher = (unit * plot.height() - window.height()) / 2;
    window = {{window.min.x - wider, window.min.y - higher}, {window.max.x + wider, window.max.y + higher}};
    y_ = ticks(false);
  }
  if (chart_.legend) {
    std::vector<render::Item> ignored;
    legend_ = addLegend(ignored, {}, plot.width(), legendOf(chart_), theme_);
    vertical();
    y_ = ticks(false);
  }
  x_ = ticks(true);
  if (chart_.equalUnits) std::tie(x_, y_) = equalStepTicks(window, plot, size);
  // A box that is too low for the chart has no room for numbers below it.
  if (plot.max.y + below > box_.max.y + 1) x_.values.clear(), x_.labels.clear();
}

double PlacedChart::axisX(double x) const {
  return placedOn(chart_.x, x);
}
double PlacedChart::axisY(double y) const {
  return placedOn(chart_.y, y);
}

render::Point PlacedChart::page(render::Point data) const {
  const render::Point at{axisX(data.x), axisY(data.y)};
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return {kNoPlace, kNoPlace};
  return toPage(camera_, at);
}

render::Point PlacedChart::data(render::Point page) const {
  const render::Point at = toData(camera_, page);
  return {chart_.x.logarithmic ? std::pow(10.0, at.x) : at.x, chart_.y.logarithmic ? std::pow(10.0, at.y) : at.y};
}

bool PlacedChart::inside(render::Point page) const {
  constexpr double kSlack = 0.01;
  const render::Rect& plot = camera_.plot;
  return page.x >= plot.min.x - kSlack && page.x <= plot.max.x + kSlack && page.y >= plot.min.y - kSlack &&
         page.y <= plot.max.y + kSlack;
}

std::optional<double> PlacedChart::xAt(render::Point pointer) const {
  if (!camera_.plot.contains(pointer)) return std::nullopt;
  return data(pointer).x;
}

std::optional<ChartHit> PlacedChart::nearest(render::Point pointer, double reach) const {
  if (!camera_.plot.contains(pointer)) return std::nullopt;
  std::optional<ChartHit> best;
  double least = reach;
  for (std::size_t k = 0; k < chart_.series.size(); ++k) {
    const ChartSeries& series = chart_.series[k];
    if (series.guide) continue;
    const std::size_t count = sizeOf(series);
    // Looks at a point. False: the points that follow are too far to the side.
    const auto look = [&](std::size_t i) {
      const render::Point at = page({series.x[i], series.y[i]});
      if (std::isfinite(at.x) && inside(at)) {
        const double away = std::hypot(at.x - pointer.x, at.y - pointer.y);
        if (away <= least && (!best || away < best->distance)) least = away, best = ChartHit{k, i, at, away};
        return std::abs(at.x - pointer.x) <= least;
      }
      const double x = axisX(series.x[i]);
      return !std::isfinite(x) || std::abs(toPage(camera_, {x, 0}).x - pointer.x) <= least;
    };
    if (!ascending_[k]) {
      for (std::size_t i = 0; i < count; ++i)
        look(i);
      continue;
    }
    const auto end = series.x.begin() + static_cast<std::ptrdiff_t>(count);
    const auto middle =
        static_cast<std::size_t>(std::lower_bound(series.x.begin(), end, data(pointer).x) - series.x.begin());
    for (std::size_t i = middle; i < count && look(i); ++i) {
    }
    for (std::size_t i = middle; i > 0 && look(i - 1); --i) {
    }
  }
  return best;
}

std::optional<double> valueAt(const ChartSeries& series, double x) {
  const auto after = std::upper_bound(series.x.begin(), series.x.end(), x);
  if (after == series.x.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(after - series.x.begin() - 1);
  return i < series.y.size() && std::isfinite(series.y[i]) ? std::optional(series.y[i]) : std::nullopt;
}

std::vector<render::Item> PlacedChart::cursor(double x) const {
  std::vector<render::Item> items;
  const double at = axisX(x);
  if (!(at >= camera_.window.min.x && at <= camera_.window.max.x)) return items;
  const double column = toPage(camera_, {at, 0}).x;
  const render::Rect& plot = camera_.plot;
  items.emplace_back(pageLine({column, plot.min.y}, {column, plot.max.y}, faded(theme_.text, 0.5f)));
  for (std::size_t k = 0; k < chart_.series.size(); ++k) {
    const ChartSeries& series = chart_.series[k];
    const std::optional<double> value = ascending_[k] && series.look.width > 0 ? valueAt(series, x) : std::nullopt;
    const render::Point dot = value ? page({x, *value}) : render::Point{kNoPlace, kNoPlace};
    if (std::isfinite(dot.y) && inside(dot))
      items.emplace_back(render::Marker{dot, render::Shape::Circle, 8, series.look.color, theme_.plotBackground, 1.5f,
                                        render::Space::Page});
  }
  return items;
}

// The text about the point under the pointer.

namespace {

constexpr double kTipReach = 40;          // distance to the pointer within which a point gets a tip, points
constexpr double kKey = 18;               // width of a swatch, points
constexpr std::size_t kMostTipRows = 12;  // more would hide the chart

/// "step = 120"; the value alone where there is no name.
std::string valueLine(const std::string& name, double value) {
  const bool whole = std::abs(value) < 1e6 && value == std::round(value);  // steps, layers
  return (name.empty() ? std::string() : name + " = ") + (whole ? tickLabel(value, 1) : formatReading(value));
}

/// " (0.1 … 0.4)"; empty where a point has no interval.
std::string intervalOf(const ChartSeries& series, std::size_t point) {
  if (point >= series.low.size() || point >= series.high.size()) return {};
  return " (" + formatReading(series.low[point]) + " … " + formatReading(series.high[point]) + ")";
}

}  // namespace

std::vector<std::string> PlacedChart::words(const ChartHit& hit) const {
  const ChartSeries& series = chart_.series[hit.series];
  std::vector<std::string> lines;
  if (!series.name.empty()) lines.push_back(series.name);
  lines.push_back(valueLine(chart_.x.name, series.x[hit.point]));
  lines.push_back(valueLine(chart_.y.name, series.y[hit.point]) + intervalOf(series, hit.point));
  return lines;
}

/// Every line that has a name and a value at the x of the hit, in the order of the legend; empty if the series of the
/// hit is not among them.
std::vector<PlacedChart::TipRow> PlacedChart::rowsAt(const ChartHit& hit) const {
  const double x = chart_.series[hit.series].x[hit.point];
  std::vector<TipRow> rows;
  for (std::size_t k = 0; k < chart_.series.size(); ++k) {
    const ChartSeries& series = chart_.series[k];
    if (series.guide || series.name.empty() || !ascending_[k] || !(series.look.width > 0)) continue;
    const auto after = std::upper_bound(series.x.begin(), series.x.end(), x);
    if (after == series.x.begin()) continue;
    const std::size_t point = k == hit.series ? hit.point : static_cast<std::size_t>(after - series.x.begin() - 1);
    if (point >= series.y.size() || !std::isfinite(series.y[point])) continue;
    rows.push_back({k, point, series.name, valueLine({}, series.y[point]) + intervalOf(series, point)});
  }
  const bool among =
      std::any_of(rows.begin(), rows.end(), [&hit](const TipRow& row) { return row.series == hit.series; });
  return among ? rows : std::vector<TipRow>();
}

/// A table below the value of x: swatch, name and value of each line. The line under the pointer is emphasised. If
/// there are many lines, those nearest to the pointer are shown.
void PlacedChart::addRows(std::vector<render::Item>& items, const ChartHit& hit, std::vector<TipRow> rows,
                          render::Point pointer, const render::Rect& area) const {
  const std::size_t all = rows.size();
  if (all > kMostTipRows) {
    const auto away = [&](const TipRow& row) {
      const ChartSeries& series = chart_.series[row.series];
      return std::abs(page({series.x[row.point], series.y[row.point]}).y - hit.page.y);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const TipRow& a, const TipRow& b) { return away(a) < away(b); });
    rows.resize(kMostTipRows);
    std::sort(rows.begin(), rows.end(), [](const TipRow& a, const TipRow& b) { return a.series < b.series; });
  }
  const std::string head = valueLine(chart_.x.name, chart_.series[hit.series].x[hit.point]);
  const std::string more = all > rows.size() ? trFormat("and {} more", all - rows.size()) : std::string();
  const double size = theme_.smallSize, leading = 1.45 * size, pad = theme_.space;
  double names = 0, values = 0;
  for (const TipRow& row : rows) {
    names = std::max(names, textWidth(row.name, size));
    values = std::max(values, textWidth(row.value, size));
  }
  const double inner = std::max({kKey + pad + names + 2 * pad + values, textWidth(head, size), textWidth(more, size)});
  const double lines = static_cast<double>(rows.size() + 1 + (more.empty() ? 0 : 1));
  const render::Rect box = tipBox(pointer, inner + 2 * pad, leading * lines + 1.2 * pad, area);
  addBox(items, box, theme_.radius, theme_.surfaceRaised, theme_.border);
  render::Point at{box.min.x + pad, box.min.y + 0.6 * pad + 0.5 * leading};
  items.emplace_back(textAt(at, head, theme_.smallSize, theme_.text));
  for (const TipRow& row : rows) {
    at.y += leading;
    const render::Color color = row.series == hit.series ? theme_.text : theme_.textMuted;
    addSwatch(items, at, kKey, chart_.series[row.series].look, theme_);
    items.emplace_back(textAt({at.x + kKey + pad, at.y}, row.name, theme_.smallSize, color));
    items.emplace_back(
        textAt({box.max.x - pad - textWidth(row.value, size), at.y}, row.value, theme_.smallSize, color));
  }
  if (!more.empty()) items.emplace_back(textAt({at.x, at.y + leading}, more, theme_.smallSize, theme_.textMuted));
}

std::vector<render::Item> PlacedChart::tip(render::Point pointer, const render::Rect& area) const {
  std::vector<render::Item> items;
  const std::optional<ChartHit> hit = nearest(pointer, kTipReach);
  if (!hit) return items;
  std::vector<TipRow> rows = rowsAt(*hit);
  if (rows.size() > 1) items = cursor(chart_.series[hit->series].x[hit->point]);
  addRing(items, hit->page, 12, theme_);
  if (rows.size() > 1)
    addRows(items, *hit, std::move(rows), pointer, area);
  else
    addTip(items, pointer, words(*hit), area, theme_);
  return items;
}

}  // namespace sepx::ui
