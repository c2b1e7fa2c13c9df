// SPDX-License-Identifier: Apache-2.0
// A score by layer: the layers' own scores joined by a line, the quartiles and the median of their heads as bars, the
// median and quartiles across layers as a stripe, and where random matrices of this shape and rank lie. Pure.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/charts/charts_plot.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kPad = 0.08;        // of the values' span
constexpr double kNarrowest = 0.1;   // of a score's axis
constexpr double kStackShift = 0.2;  // of a layer, between stacks
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr float kHeadDot = 5, kLayerDot = 8;

/// With the median and the quartiles across layers, as far as the title is not cut.
std::string titleOf(const LayerChart& chart) {
  const std::string name =
      chart.which == ChartScore::Symmetry ? tr("Symmetry by layer") : tr("Directionality by layer");
  if (chart.series->size() != 1 || !std::isfinite(chart.series->front().across.median)) return name;
  const attention::Quartiles& q = chart.series->front().across;
  const std::string median = fmt::format("{}  ·  {} {}", name, tr("median"), scoreText(q.median));
  const std::string all = fmt::format("{} ({} … {})", median, scoreText(q.q1), scoreText(q.q3));
  const Margins m = axisMargins(*chart.theme, false);
  const double room = chart.width - m.left - m.right - chart.theme->textSize;
  for (const std::string& title : {all, median})
    if (textWidth(title, chart.theme->textSize) <= room) return title;
  return name;
}

/// Where layer l of series k stands: stacks beside each other.
double placeOf(const std::vector<StackSeries>& all, std::size_t series, int layer) {
  const double middle = (static_cast<double>(all.size()) - 1) / 2;
  return layer + kStackShift * (static_cast<double>(series) - middle);
}

render::Color colorOf(const Theme& theme, checkpoint::Stack stack) {
  return theme.*lookOf(stack).color;
}
ChartLook layerLook(const Theme& theme, checkpoint::Stack stack) {
  ChartLook look{colorOf(theme, stack), render::Dash::Solid, theme.lineWidth};
  look.marker = lookOf(stack).shape;
  look.markerSize = kLayerDot;
  return look;
}
ChartLook dotLook(const Theme& theme, checkpoint::Stack stack) {
  return {
      .color = faded(colorOf(theme, stack), 0.8f), .width = 0, .marker = render::Shape::Circle, .markerSize = kHeadDot};
}
ChartLook headLook(const Theme& theme, checkpoint::Stack stack) {
  return {.color = colorOf(theme, stack), .spread = Spread::Quartiles};
}
ChartLook acrossLook(const Theme& theme, checkpoint::Stack stack) {
  return {.color = faded(colorOf(theme, stack), 0.8f), .dash = render::Dash::Dashed, .width = 1, .shade = 0.125f};
}
ChartLook randomLook(const Theme& theme) {
  return {.color = theme.textMuted, .width = 0, .spread = Spread::Band};
}

/// A box a layer; nothing where another stack has the same.
void addRandom(LineChart& made, const LayerChart& chart) {
  const StackSeries* last = nullptr;
  for (const StackSeries& series : *chart.series) {
    const auto same = [](const LayerPoint& a, const LayerPoint& b) {
      return a.layer == b.layer && a.band.low == b.band.low && a.band.high == b.band.high;
    };
    const bool drawn = last && last->points.size() >= series.points.size() &&
                       std::equal(series.points.begin(), series.points.end(), last->points.begin(), same);
    last = &series;
    if (drawn) continue;
    ChartSeries& boxes = made.series.emplace_back();
    boxes.look = randomLook(*chart.theme);
    for (const LayerPoint& point : series.points) {
      const bool known = point.samples > 0;
      for (const double side : {-0.5, 0.5}) {
        boxes.x.push_back(point.layer + side);
        boxes.y.push_back(kNothing);
        boxes.low.push_back(known ? std::max(point.band.low, -1.0) : kNothing);
        boxes.high.push_back(known ? std::min(point.band.high, 1.0) : kNothing);
      }
    }
  }
}

/// The dots of the heads and their quartiles, and the layers themselves.
void addStack(LineChart& made, const LayerChart& chart, std::size_t k) {
  const StackSeries& stack = (*chart.series)[k];
  const Theme& theme = *chart.theme;
  ChartSeries dots, quartiles, layers;
  dots.look = dotLook(theme, stack.stack);
  quartiles.look = headLook(theme, stack.stack);
  layers.look = layerLook(theme, stack.stack);
  for (const LayerPoint& point : stack.points) {
    const double x = placeOf(*chart.series, k, point.layer);
    layers.x.push_back(x);
    layers.y.push_back(point.value);
    layers.hollow.push_back(point.samples > 0 && point.band.holds(point.value));
    if (!chart.heads || point.heads.size() < 2 || !std::isfinite(point.spread.median)) continue;
    for (const double head : point.heads) {
      dots.x.push_back(x);
      dots.y.push_back(head);
    }
    quartiles.x.push_back(x);
    quartiles.y.push_back(point.spread.median);
    quartiles.low.push_back(point.spread.q1);
    quartiles.high.push_back(point.spread.q3);
  }
  if (std::isfinite(stack.across.median) && stack.points.size() > 1)
    made.references.push_back({.value = stack.across.median,
                               .look = acrossLook(theme, stack.stack),
                               .stripe = std::pair{stack.across.q1, stack.across.q3},
                               .counts = false});
  for (ChartSeries* series : {&dots, &quartiles, &layers})
    made.series.push_back(std::move(*series));
}

/// The layer under the pointer; among stacks the one whose dot is nearest in height.
std::optional<ChartSpot> layerSpot(const std::vector<StackSeries>& all, ChartScore which, render::Point at) {
  const StackSeries* stack = nullptr;
  const LayerPoint* point = nullptr;
  double nearest = std::numeric_limits<double>::infinity(), x = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const LayerPoint& one : all[k].points) {
      if (std::abs(one.layer - at.x) > 0.5) continue;
      const double up = std::isfinite(one.value) ? std::abs(one.value - at.y) : 1e6;
      if (up >= nearest) continue;
      nearest = up, x = placeOf(all, k, one.layer);
      stack = &all[k], point = &one;
    }
  }
  if (!point) return std::nullopt;
  ChartSpot spot;
  spot.lines.push_back(
      (all.size() > 1 ? stackWords(stack->stack) + ", " : std::string()) +
      fmt::format("{} {}: {} = {}", tr("layer"), point->layer, symbolOf(which), scoreText(point->value, 4)));
  if (point->samples > 0) {
    const bool inside = point->band.holds(point->value);
    spot.lines.push_back(std::string(tr("random matrices: ")) + bandText(point->band) +
                         (inside ? std::string(", ") + tr("so this is not structure") : std::string()));
  }
  if (point->heads.size() > 1)
    spot.lines.push_back(fmt::format("{} {}: {} {} ({} … {})", point->heads.size(), tr("heads"), tr("median"),
                                     scoreText(point->spread.median, 3), scoreText(point->spread.q1, 3),
                                     scoreText(point->spread.q3, 3)));
  spot.lines.emplace_back(tr("click: choose this layer"));
  if (std::isfinite(point->value)) spot.ringed = {x, point->value};
  if (all.size() > 1) spot.changes.emplace_back("weights.stack", std::string(checkpoint::word(stack->stack)));
  spot.changes.emplace_back("weights.layer", static_cast<double>(point->layer));
  return spot;
}

}  // namespace

ChartAxis scoreAxis(const LineChart& chart, ChartScore which) {
  double low = 0, high = 0;
  const auto take = [&](double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  };
  for (const ChartSeries& series : chart.series)
    for (const std::vector<double>* values : {&series.y, &series.low, &series.high})
      for (const double value : *values)
        take(value);
  for (const ChartReference& reference : chart.references)
    if (reference.counts && !reference.vertical) take(reference.value);
  if (!(high > low)) low = -0.5 * kNarrowest, high = 0.5 * kNarrowest;
  const double pad = std::max(kPad * (high - low), 0.25 * kNarrowest);
  return {.name = symbolOf(which), .from = std::max(low - pad, -1.06), .to = std::min(high + pad, 1.06)};
}

ChartContent layerChart(const LayerChart& chart) {
  const Theme& theme = *chart.theme;
  LineChart made;
  made.title = titleOf(chart);
  int layers = 1;
  for (const StackSeries& series : *chart.series)
    for (const LayerPoint& point : series.points)
      layers = std::max(layers, point.layer + 1);
  made.x = {.name = tr("layer"), .whole = true, .from = -0.5, .to = layers - 0.5};
  addRandom(made, chart);
  // A line, not a stripe: of few layers that would cover most of the plot.
  if (chart.chosenLayer && *chart.chosenLayer < layers)
    made.references.push_back({.value = static_cast<double>(*chart.chosenLayer),
                               .look = {faded(theme.accent, 0.7f), render::Dash::Solid, theme.strongLine},
                               .vertical = true});
  for (std::size_t k = 0; k < chart.series->size(); ++k)
    addStack(made, chart, k);
  if (chart.published) {
    const auto& values =
        chart.which == ChartScore::Symmetry ? chart.published->symmetry : chart.published->directionality;
    if (!values.empty())
      made.references.push_back({values.front().median,
                                 tr("published median ") + scoreText(values.front().median),
                                 {theme.text, render::Dash::Dotted, 1}});
  }
  made.y = scoreAxis(made, chart.which);
  ChartContent content{std::move(made), {}, {}, {}};
  content.spot = [all = chart.series, which = chart.which](render::Point at, const ChartHit*) {
    return layerSpot(*all, which, at);
  };
  return content;
}

std::vector<LegendEntry> layerLegend(const std::vector<StackSeries>& series, bool heads, const Theme& theme) {
  const checkpoint::Stack first = series.empty() ? checkpoint::Stack::Self : series.front().stack;
  std::vector<LegendEntry> entries;
  for (const StackSeries& one : series) {
    LegendEntry& entry = entries.emplace_back();
    entry = {series.size() > 1 ? stackWords(one.stack) : std::string(tr("whole layer")), layerLook(theme, one.stack)};
  }
  if (heads) entries.push_back({tr("single heads"), dotLook(theme, first)});
  if (heads) entries.push_back({tr("their quartiles, median"), headLook(theme, first)});
  entries.push_back({tr("across layers: median, quartiles"), acrossLook(theme, first)});
  entries.back().look.spread = Spread::Band;
  entries.push_back({tr("random matrices (95 %); hollow: inside"), randomLook(theme)});
  return entries;
}

}  // namespace sepx::ui
