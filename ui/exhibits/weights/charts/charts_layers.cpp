// SPDX-License-Identifier: Apache-2.0
// A score by layer: the layers' own scores joined by a line, the quartiles and the median of their heads as bars, the
// median and quartiles across layers as a stripe, and where random matrices of this shape and rank lie. Pure.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
constexpr float kHeadDot = 3, kLayerDot = 8;

std::string titleOf(ChartScore which) {
  return which == ChartScore::Symmetry ? tr("Symmetry by layer") : tr("Directionality by layer");
}

/// Where layer l of series k stands: stacks beside each other.
double placeOf(const LayerChart& chart, std::size_t series, int layer) {
  const double middle = (static_cast<double>(chart.series->size()) - 1) / 2;
  return layer + kStackShift * (static_cast<double>(series) - middle);
}

/// Whole numbers alone, as many as fit.
Ticks layerTicks(int layers, double length, double textSize) {
  const int most = std::max(2, static_cast<int>(length / (3.2 * textSize)));
  Ticks ticks = makeTicks(-0.5, layers - 0.5, most);
  if (ticks.step >= 1) return ticks;
  ticks = {};
  for (int layer = 0; layer < layers; ++layer) {
    ticks.values.push_back(layer);
    ticks.labels.push_back(std::to_string(layer));
  }
  return ticks;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Range rangeOf(const LayerChart& chart) {
  Range range;
  range.take(0);
  for (const StackSeries& series : *chart.series) {
    for (const LayerPoint& point : series.points) {
      range.take(point.value);
      if (chart.heads)
        for (const double head : point.heads)
          range.take(head);
      if (point.samples > 0) {
        range.take(std::max(point.band.low, -1.0));
        range.take(std::min(point.band.high, 1.0));
      }
    }
  }
  return range;
}

void addBands(std::vector<render::Item>& items, const LayerChart& chart, const Camera& camera) {
  const render::Color shade = faded(chart.theme->textMuted, 0.18f);
  const StackSeries* last = nullptr;
  for (const StackSeries& series : *chart.series) {
    const auto same = [](const LayerPoint& a, const LayerPoint& b) {
      return a.layer == b.layer && a.band.low == b.band.low && a.band.high == b.band.high;
    };
    const bool drawn = last && last->points.size() >= series.points.size() &&
                       std::equal(series.points.begin(), series.points.end(), last->points.begin(), same);
    if (!drawn) {
      for (const LayerPoint& point : series.points) {
        if (point.samples == 0) continue;
        const render::Point low = toPage(camera, {point.layer - 0.5, std::max(point.band.low, camera.window.min.y)});
        const render::Point high = toPage(camera, {point.layer + 0.5, std::min(point.band.high, camera.window.max.y)});
        items.emplace_back(pageFill({{low.x, high.y}, {high.x, low.y}}, shade));
      }
    }
    last = &series;
  }
}

/// The stripe between the quartiles across layers, and their median.
void addAcross(std::vector<render::Item>& items, const StackSeries& series, const LayerChart& chart,
               const Camera& camera) {
  if (!std::isfinite(series.across.median) || series.points.size() < 2) return;
  const render::Color color = stackColor(*chart.theme, series.stack);
  const auto y = [&](double value) { return toPage(camera, {0, value}).y; };
  const render::Rect& plot = camera.plot;
  items.emplace_back(
      pageFill({{plot.min.x, y(series.across.q3)}, {plot.max.x, y(series.across.q1)}}, faded(color, 0.10f)));
  items.emplace_back(pageLine({plot.min.x, y(series.across.median)}, {plot.max.x, y(series.across.median)},
                              faded(color, 0.8f), 1, render::Dash::Dashed));
}

void addHeads(std::vector<render::Item>& items, const LayerPoint& point, double x, render::Color color,
              const Camera& camera) {
  if (point.heads.size() < 2 || !std::isfinite(point.spread.median)) return;
  const auto at = [&](double value) { return toPage(camera, {x, value}); };
  for (const double head : point.heads)
    if (std::isfinite(head))
      items.emplace_back(render::Marker{at(head), render::Shape::Circle, kHeadDot, faded(color, 0.45f),
                                        faded(color, 0.45f), 0, render::Space::Page});
  const double half = std::clamp(0.12 * (at(0).x - toPage(camera, {x - 1, 0}).x), 2.0, 7.0);
  const render::Point low = at(point.spread.q1), high = at(point.spread.q3), middle = at(point.spread.median);
  items.emplace_back(pageLine(low, high, faded(color, 0.8f), 1.5f));
  for (const render::Point& end : {low, high})
    items.emplace_back(pageLine({end.x - half / 2, end.y}, {end.x + half / 2, end.y}, faded(color, 0.8f), 1.5f));
  items.emplace_back(pageLine({middle.x - half, middle.y}, {middle.x + half, middle.y}, color, 2));
}

void addSeries(std::vector<render::Item>& items, const LayerChart& chart, std::size_t k, const Camera& camera) {
  const StackSeries& series = (*chart.series)[k];
  const render::Color color = stackColor(*chart.theme, series.stack);
  render::Polyline line{{}, {color, chart.theme->lineWidth, render::Dash::Solid}, {}, render::Space::Page};
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const LayerPoint& point : series.points) {
    const double x = placeOf(chart, k, point.layer);
    if (chart.heads) addHeads(items, point, x, color, camera);
    line.points.push_back(std::isfinite(point.value) ? toPage(camera, {x, point.value})
                                                     : render::Point{nothing, nothing});
  }
  for (const ClippedLine& piece : clipLine(line.points, {}, camera.plot)) {
    render::Polyline part = line;
    part.points = piece.points;
    if (part.points.size() > 1) items.emplace_back(std::move(part));
  }
  for (const LayerPoint& point : series.points) {
    if (!std::isfinite(point.value)) continue;
    const bool pale = point.samples > 0 && point.band.holds(point.value);
    items.emplace_back(render::Marker{toPage(camera, {placeOf(chart, k, point.layer), point.value}),
                                      stackShape(series.stack), kLayerDot, pale ? chart.theme->plotBackground : color,
                                      color, 1.5f, render::Space::Page});
  }
}

void addPublished(std::vector<render::Item>& items, const LayerChart& chart, const Camera& camera) {
  if (!chart.published) return;
  const auto& values =
      chart.which == ChartScore::Symmetry ? chart.published->symmetry : chart.published->directionality;
  if (values.empty()) return;
  const double median = values.front().median;
  if (median < camera.window.min.y || median > camera.window.max.y) return;
  const double y = toPage(camera, {0, median}).y;
  items.emplace_back(
      pageLine({camera.plot.min.x, y}, {camera.plot.max.x, y}, chart.theme->text, 1, render::Dash::Dotted));
  items.emplace_back(textAt({camera.plot.max.x - 4, y - 2}, tr("published median ") + scoreText(median),
                            chart.theme->smallSize, chart.theme->text, render::AlignX::Right, render::AlignY::Bottom));
}

}  // namespace

Camera layerCamera(const LayerChart& chart) {
  const Margins m = axisMargins(*chart.theme, false);
  int layers = 1;
  for (const StackSeries& series : *chart.series)
    for (const LayerPoint& point : series.points)
      layers = std::max(layers, point.layer + 1);
  Range range = rangeOf(chart);
  if (chart.published) {
    for (const auto& value :
         chart.which == ChartScore::Symmetry ? chart.published->symmetry : chart.published->directionality)
      range.take(value.median);
  }
  if (!(range.high > range.low)) range.low = -0.5 * kNarrowest, range.high = 0.5 * kNarrowest;
  const double pad = std::max(kPad * (range.high - range.low), 0.25 * kNarrowest);
  render::Rect plot{{chart.box.min.x + m.left, chart.box.min.y + 1.9 * chart.theme->textSize},
                    {chart.box.max.x - m.right, chart.box.max.y - m.bottom}};
  plot.max.x = std::max(plot.max.x, plot.min.x + 20);
  plot.max.y = std::max(plot.max.y, plot.min.y + 20);
  return {{{-0.5, std::max(range.low - pad, -1.06)}, {layers - 0.5, std::min(range.high + pad, 1.06)}}, plot};
}

std::vector<render::Item> layerItems(const LayerChart& chart) {
  std::vector<render::Item> items;
  const Camera camera = layerCamera(chart);
  const Theme& theme = *chart.theme;
  const render::Rect& plot = camera.plot;
  const int layers = static_cast<int>(std::lround(camera.window.max.x + 0.5));
  const Ticks x = layerTicks(layers, plot.width(), theme.smallSize);
  const Ticks y = fittingTicks(camera.window.min.y, camera.window.max.y, plot.height(), theme.smallSize, false);
  items.emplace_back(pageFill(plot, theme.plotBackground));
  // Layer 0 is no zero: lines of the score alone.
  for (const double value : y.values) {
    const double at = toPage(camera, {0, value}).y;
    items.emplace_back(pageLine({plot.min.x, at}, {plot.max.x, at}, value == 0 ? theme.axisZero : theme.grid));
  }
  addBands(items, chart, camera);
  const double chosen = toPage(camera, {static_cast<double>(chart.chosenLayer), 0}).x;
  const double half = std::max(1.5, plot.width() / layers / 2);
  if (chart.chosenLayer < layers)
    items.emplace_back(
        pageFill({{std::max(chosen - half, plot.min.x), plot.min.y}, {std::min(chosen + half, plot.max.x), plot.max.y}},
                 faded(theme.accent, 0.13f)));
  for (const StackSeries& series : *chart.series)
    addAcross(items, series, chart, camera);
  for (std::size_t k = 0; k < chart.series->size(); ++k)
    addSeries(items, chart, k, camera);
  addPublished(items, chart, camera);
  addAxes(items, camera, x, y, {tr("layer"), symbolOf(chart.which)}, theme);
  std::string title = titleOf(chart.which);
  if (chart.series->size() == 1 && std::isfinite(chart.series->front().across.median)) {
    const attention::Quartiles& q = chart.series->front().across;
    title += fmt::format("  ·  {} {} ({} … {})", tr("median"), scoreText(q.median), scoreText(q.q1), scoreText(q.q3));
  }
  items.emplace_back(textAt({plot.min.x, plot.min.y - 0.55 * theme.textSize},
                            elided(title, theme.smallSize, plot.width()), theme.smallSize, theme.text,
                            render::AlignX::Left, render::AlignY::Bottom));
  return items;
}

std::optional<ChartPlace> layerAt(const LayerChart& chart, render::Point pointer) {
  const Camera camera = layerCamera(chart);
  if (!camera.plot.contains(pointer)) return std::nullopt;
  std::optional<ChartPlace> best;
  double nearest = std::numeric_limits<double>::infinity();
  const double x = toData(camera, pointer).x;
  for (std::size_t k = 0; k < chart.series->size(); ++k) {
    const std::vector<LayerPoint>& points = (*chart.series)[k].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      // The layer under the pointer; among stacks the one whose dot is nearest in height.
      const double sideways = std::abs(points[i].layer - x);
      if (sideways > 0.5) continue;
      const double up =
          std::isfinite(points[i].value) ? std::abs(toPage(camera, {0, points[i].value}).y - pointer.y) : 1e6;
      if (up < nearest) nearest = up, best = ChartPlace{k, i};
    }
  }
  return best;
}

std::vector<render::Item> layerTip(const LayerChart& chart, ChartPlace place, render::Point pointer,
                                   const render::Rect& area) {
  std::vector<render::Item> items;
  const StackSeries& series = (*chart.series)[place.series];
  const LayerPoint& point = series.points[place.point];
  const Camera camera = layerCamera(chart);
  const double x = placeOf(chart, place.series, point.layer);
  const char* const symbol = symbolOf(chart.which);
  std::vector<std::string> lines;
  lines.push_back((chart.series->size() > 1 ? stackWords(series.stack) + ", " : std::string()) +
                  fmt::format("{} {}: {} = {}", tr("layer"), point.layer, symbol, scoreText(point.value, 4)));
  if (point.samples > 0) {
    const bool inside = point.band.holds(point.value);
    lines.push_back(std::string(tr("random matrices: ")) + bandText(point.band) +
                    (inside ? std::string(", ") + tr("so this is no structure") : std::string()));
  }
  if (point.heads.size() > 1)
    lines.push_back(fmt::format("{} {}: {} {} ({} … {})", point.heads.size(), tr("heads"), tr("median"),
                                scoreText(point.spread.median, 3), scoreText(point.spread.q1, 3),
                                scoreText(point.spread.q3, 3)));
  lines.emplace_back(tr("click: choose this layer"));
  if (std::isfinite(point.value))
    items.emplace_back(render::Marker{toPage(camera, {x, point.value}),
                                      render::Shape::Ring,
                                      kLayerDot + 6,
                                      {},
                                      chart.theme->text,
                                      1.5f,
                                      render::Space::Page});
  addTip(items, pointer, lines, area, *chart.theme);
  return items;
}

double addLayerLegend(std::vector<render::Item>& items, render::Point at, double width,
                      const std::vector<StackSeries>& series, const LayerChart& chart) {
  const Theme& theme = *chart.theme;
  const double size = theme.smallSize, row = 1.6 * size, glyph = 18;
  double x = at.x, y = at.y + row / 2;
  const auto entry = [&](const std::string& text, const auto& draw) {
    const double needed = glyph + textWidth(text, size) + 1.6 * size;
    if (x > at.x && x + needed > at.x + width) x = at.x, y += row;
    draw(render::Point{x + glyph / 2 - 2, y});
    items.emplace_back(
        textAt({x + glyph, y}, elided(text, size, at.x + width - x - glyph), theme.smallSize, theme.textMuted));
    x += needed;
  };
  for (const StackSeries& s : series) {
    const render::Color color = stackColor(theme, s.stack);
    entry(series.size() > 1 ? stackWords(s.stack) : std::string(tr("whole layer")), [&](render::Point p) {
      items.emplace_back(render::Marker{p, stackShape(s.stack), kLayerDot, color, color, 1.5f, render::Space::Page});
    });
  }
  const render::Color first = stackColor(theme, series.empty() ? checkpoint::Stack::Self : series.front().stack);
  if (chart.heads)
    entry(tr("its heads: quartiles, median"), [&](render::Point p) {
      items.emplace_back(pageLine({p.x, p.y - 6}, {p.x, p.y + 6}, faded(first, 0.8f), 1.5f));
      items.emplace_back(pageLine({p.x - 5, p.y}, {p.x + 5, p.y}, first, 2));
    });
  entry(tr("across layers: median, quartiles"), [&](render::Point p) {
    items.emplace_back(pageFill({{p.x - 8, p.y - 5}, {p.x + 8, p.y + 5}}, faded(first, 0.14f)));
    items.emplace_back(pageLine({p.x - 8, p.y}, {p.x + 8, p.y}, faded(first, 0.8f), 1, render::Dash::Dashed));
  });
  entry(tr("random matrices (95 %); hollow: inside"), [&](render::Point p) {
    items.emplace_back(pageFill({{p.x - 8, p.y - 5}, {p.x + 8, p.y + 5}}, faded(theme.textMuted, 0.3f)));
  });
  return y + row / 2 - at.y;
}

}  // namespace sepx::ui
