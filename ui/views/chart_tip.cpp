// SPDX-License-Identifier: Apache-2.0
// What a chart says of the point under the pointer.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr_format.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

namespace {

constexpr double kReach = 40;             // of the tip, points
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

/// Every line that has a name and a value at the x of the hit, in the order of the legend.
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

/// A table below the value of x: key, name, value; the line that is pointed at stands out. Of many lines those stay
/// that are nearest to the pointer.
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
  const std::optional<ChartHit> hit = nearest(pointer, kReach);
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
