// SPDX-License-Identifier: Apache-2.0
// Norms of rows and columns beside the matrix, the thresholds over them, and the survival curves. One scale for both
// sides, so that they compare.
#include <algorithm>
#include <cmath>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

double largestNorm(const WeightsShared& shared) {
  if (!shared.moments) return 1;
  double largest = 0;
  for (const Eigen::VectorXd* norms : {&shared.moments->rowNorms, &shared.moments->columnNorms})
    for (const double norm : *norms)
      if (std::isfinite(norm)) largest = std::max(largest, norm);
  return largest > 0 ? 1.04 * largest : 1;
}

namespace {

void addBars(std::vector<render::Item>& items, const MatrixFrame& frame, Side side, const Eigen::VectorXd& norms,
             double threshold, double largest) {
  const bool rows = side == Side::Rows;
  const std::vector<int>& order = rows ? frame.results.rowOrder() : frame.results.columnOrder();
  NormBars bars{frame.layout.first(), side, frame.layout.norms(side), static_cast<std::size_t>(norms.size())};
  bars.norm = [&](std::size_t place) {
    return norms[place < order.size() ? order[place] : static_cast<Eigen::Index>(place)];
  };
  bars.threshold = threshold;
  bars.largest = largest;
  bars.add(items, frame.page.theme);
}

void addThreshold(std::vector<render::Item>& items, const MatrixFrame& frame, Side side, double threshold,
                  double largest) {
  if (!std::isfinite(threshold) || threshold < 0 || threshold > largest) return;
  const Theme& theme = frame.page.theme;
  const render::Rect& plot = frame.layout.panes.front().plot;
  const double at = normToPage(frame.layout.norms(side), side, threshold, largest);
  const bool held = frame.held == side;
  const render::Color color = held ? theme.accent : theme.text;
  const float width = held ? theme.strongLine : 1;
  if (side == Side::Columns) {
    items.push_back(pageLine({plot.min.x, at}, {plot.max.x, at}, color, width, render::Dash::Dashed));
    if (!frame.page.figure)
      items.push_back(
          render::Marker{{plot.max.x, at}, render::Shape::Triangle, 8, color, color, 0, render::Space::Page});
  } else {
    items.push_back(pageLine({at, plot.min.y}, {at, plot.max.y}, color, width, render::Dash::Dashed));
    if (!frame.page.figure)
      items.push_back(
          render::Marker{{at, plot.max.y}, render::Shape::Triangle, 8, color, color, 0, render::Space::Page});
  }
}

}  // namespace

std::vector<render::Item> marginItems(const MatrixFrame& frame) {
  std::vector<render::Item> items;
  const WeightsShared& shared = frame.page.shared;
  if (!shared.moments || !frame.layout.columnNorms || !frame.results.factors()) return items;
  const double largest = largestNorm(shared);
  const attention::DirectionalityParts& parts = shared.parts;
  const bool square = shared.moments->rowNorms.size() == frame.results.factors()->rows() &&
                      shared.moments->columnNorms.size() == frame.results.factors()->columns();
  if (!square) return items;  // the picture is still of the layer before
  addBars(items, frame, Side::Columns, shared.moments->columnNorms, parts.columns.threshold, largest);
  addBars(items, frame, Side::Rows, shared.moments->rowNorms, parts.rows.threshold, largest);
  addThreshold(items, frame, Side::Columns, parts.columns.threshold, largest);
  addThreshold(items, frame, Side::Rows, parts.rows.threshold, largest);
  if (frame.held) {
    const Theme& theme = frame.page.theme;
    const double threshold = *frame.held == Side::Rows ? parts.rows.threshold : parts.columns.threshold;
    const render::Rect& box = *frame.layout.columnNorms;
    render::Label label = textAt({box.max.x - 12, box.min.y + theme.smallSize},
                                 "γ " + shownFixed(shared.state.score.gamma, 2) + "  τ " + entryText(threshold),
                                 theme.smallSize, theme.text, render::AlignX::Right);
    label.backdrop = theme.surfaceRaised;
    items.push_back(std::move(label));
  }
  return items;
}

namespace {

/// The share that lies above a norm, as steps, and where the threshold cuts it.
void addSurvival(LineChart& chart, const attention::Survival& survival, const char* name, const ChartLook& look,
                 double threshold) {
  ChartSeries& series = chart.series.emplace_back();
  series.name = name;
  series.look = look;
  for (const auto& [norm, share] : attention::staircase(survival)) {
    series.x.push_back(norm);
    series.y.push_back(share);
  }
  if (!std::isfinite(threshold) || threshold < 0) return;
  chart.references.push_back({.value = threshold,
                              .look = {faded(look.color, 0.6f), render::Dash::Dotted, 1},
                              .vertical = true,
                              .counts = false});
  chart.marks.push_back({{threshold, survival.at(threshold)}, render::Shape::Circle, 7, look.color, look.color, 0});
}

}  // namespace

std::vector<render::Item> survivalItems(const MatrixFrame& frame, const attention::Survival& rows,
                                        const attention::Survival& columns) {
  if (!frame.layout.survival || !frame.page.shared.moments) return {};
  const Theme& theme = frame.page.theme;
  const render::Rect& outer = *frame.layout.survival;
  if (outer.width() < 90 || outer.height() < 60) return {};
  const attention::DirectionalityParts& parts = frame.page.shared.parts;
  const double least = 1 / static_cast<double>(std::max<std::size_t>({rows.count, columns.count, 10}));
  LineChart chart;
  chart.title = tr("share of norms above");
  chart.compact = chart.legend = true;
  chart.x = {.name = tr("norm"), .from = 0, .to = largestNorm(frame.page.shared)};
  chart.y = {.logarithmic = true, .from = least, .to = 1, .least = least};
  addSurvival(chart, rows, tr("rows"), {theme.globalMin, render::Dash::Solid, 1.75f}, parts.rows.threshold);
  addSurvival(chart, columns, tr("columns"), {theme.localMin, render::Dash::Dashed, 1.75f}, parts.columns.threshold);
  return PlacedChart(std::move(chart), outer, theme).items();
}

}  // namespace sepx::ui
