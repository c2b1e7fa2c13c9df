// SPDX-License-Identifier: Apache-2.0
// Norms of rows and columns beside the matrix, the thresholds over them, and the survival curves. One scale for both
// sides, so that they compare.
#include <algorithm>
#include <cmath>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/matrix_scene.h"
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

double normToPage(const MatrixLayout& layout, Side side, double norm, double largest) {
  const render::Rect& box = side == Side::Rows ? *layout.rowNorms : *layout.columnNorms;
  const double share = norm / largest;
  return side == Side::Rows ? box.max.x - share * box.width() : box.max.y - share * box.height();
}

double pageToNorm(const MatrixLayout& layout, Side side, render::Point page, double largest) {
  const render::Rect& box = side == Side::Rows ? *layout.rowNorms : *layout.columnNorms;
  const double share = side == Side::Rows ? (box.max.x - page.x) / box.width() : (box.max.y - page.y) / box.height();
  return share * largest;
}

namespace {

constexpr double kBoxFrom = 2.5;  // points of a cell: from there on bars are boxes

struct Bars {
  const MatrixFrame& frame;
  Side side;
  const Eigen::VectorXd& norms;
  const std::vector<int>& order;
  double threshold, largest;

  double norm(Eigen::Index place) const {
    const auto at = static_cast<std::size_t>(place);
    return norms[at < order.size() ? order[at] : place];
  }
  void add(std::vector<render::Item>& items) const;
};

/// One bar a cell, or, where cells are narrower than a point, one a point with the largest norm under it.
void Bars::add(std::vector<render::Item>& items) const {
  const MatrixLayout& layout = frame.layout;
  const Theme& theme = frame.page.theme;
  const bool rows = side == Side::Rows;
  const double cell = rows ? layout.cellHeight() : layout.cellWidth();
  const double begin = rows ? -layout.view.max.y : layout.view.min.x;
  const double end = rows ? -layout.view.min.y : layout.view.max.x;
  const render::Rect& plot = layout.panes.front().plot;
  const double first = rows ? plot.min.y : plot.min.x, last = rows ? plot.max.y : plot.max.x;
  const auto stride = static_cast<Eigen::Index>(std::max(1.0, std::ceil(1 / cell)));
  const double gap = cell * double(stride) > 4 ? 1 : 0;
  render::Polyline usual, outlying;
  usual.space = outlying.space = render::Space::Page;
  usual.stroke = {faded(theme.textMuted, 0.75f), static_cast<float>(std::max(1.0, cell)), render::Dash::Solid};
  outlying.stroke = {theme.accent, usual.stroke.width, render::Dash::Solid};
  for (auto i = static_cast<Eigen::Index>(std::max(0.0, std::floor(begin))); double(i) < end && i < norms.size();
       i += stride) {
    double tall = 0;
    for (Eigen::Index k = i; k < std::min(i + stride, norms.size()); ++k)
      if (std::isfinite(norm(k))) tall = std::max(tall, norm(k));
    const double from = std::max(first, first + (double(i) - begin) * cell + gap / 2);
    const double to = std::min(last, first + (double(i + stride) - begin) * cell - gap / 2);
    if (to <= from) continue;
    const double tip = normToPage(layout, side, tall, largest), base = normToPage(layout, side, 0, largest);
    render::Polyline& line = tall > threshold ? outlying : usual;
    if (cell >= kBoxFrom) {
      const render::Rect box = rows ? render::Rect{{tip, from}, {base, to}} : render::Rect{{from, tip}, {to, base}};
      items.push_back(pageFill(box, line.stroke.color));
      continue;
    }
    const double middle = (from + to) / 2;
    if (rows)
      line.points.insert(line.points.end(), {{base, middle}, {tip, middle}, {NAN, NAN}});
    else
      line.points.insert(line.points.end(), {{middle, base}, {middle, tip}, {NAN, NAN}});
  }
  if (!usual.points.empty()) items.push_back(std::move(usual));
  if (!outlying.points.empty()) items.push_back(std::move(outlying));
}

void addThreshold(std::vector<render::Item>& items, const MatrixFrame& frame, Side side, double threshold,
                  double largest) {
  if (!std::isfinite(threshold) || threshold < 0 || threshold > largest) return;
  const Theme& theme = frame.page.theme;
  const render::Rect& plot = frame.layout.panes.front().plot;
  const double at = normToPage(frame.layout, side, threshold, largest);
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
  Bars{frame, Side::Columns, shared.moments->columnNorms, frame.results.columnOrder(), parts.columns.threshold, largest}
      .add(items);
  Bars{frame, Side::Rows, shared.moments->rowNorms, frame.results.rowOrder(), parts.rows.threshold, largest}.add(items);
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

/// Norm across, share downwards on a logarithmic scale from 1 to 1/n.
struct SurvivalPlot {
  render::Rect box;
  double largest, decades;
  render::Point at(double norm, double share) const {
    const double down = share > 0 ? std::min(1.0, -std::log10(share) / decades) : 1.0;
    return {box.min.x + norm / largest * box.width(), box.min.y + down * box.height()};
  }
};

void addCurve(std::vector<render::Item>& items, const SurvivalPlot& plot, const attention::Survival& survival,
              render::Color color, render::Dash dash, double threshold) {
  render::Polyline line;
  line.space = render::Space::Page;
  line.stroke = {color, 1.75f, dash};
  for (const auto& [norm, share] : attention::staircase(survival))
    line.points.push_back(plot.at(norm, share));
  if (line.points.size() > 1) items.push_back(std::move(line));
  if (!std::isfinite(threshold) || threshold < 0 || threshold > plot.largest) return;
  const double share = survival.at(threshold);
  items.push_back(pageLine({plot.at(threshold, 1).x, plot.box.min.y}, {plot.at(threshold, 1).x, plot.box.max.y},
                           faded(color, 0.6f), 1, render::Dash::Dotted));
  items.push_back(
      render::Marker{plot.at(threshold, share), render::Shape::Circle, 7, color, color, 0, render::Space::Page});
}

}  // namespace

std::vector<render::Item> survivalItems(const MatrixFrame& frame, const attention::Survival& rows,
                                        const attention::Survival& columns) {
  std::vector<render::Item> items;
  if (!frame.layout.survival || !frame.page.shared.moments) return items;
  const Theme& theme = frame.page.theme;
  const render::Rect& outer = *frame.layout.survival;
  const double small = theme.smallSize;
  const render::Rect box{{outer.min.x + 3.4 * small, outer.min.y + 1.5 * small},
                         {outer.max.x - 4, outer.max.y - 1.6 * small}};
  if (box.width() < 40 || box.height() < 24) return items;
  const double count = static_cast<double>(std::max<std::size_t>({rows.count, columns.count, 2}));
  const SurvivalPlot plot{box, largestNorm(frame.page.shared), std::max(1.0, std::log10(count))};
  items.push_back(
      textAt({outer.min.x, outer.min.y + 0.6 * small}, tr("share of norms above"), theme.smallSize, theme.text));
  items.push_back(pageFrameLine(box, theme.border));
  for (int decade = 0; decade <= static_cast<int>(plot.decades); ++decade) {
    const double y = plot.at(0, std::pow(10.0, -decade)).y;
    items.push_back(pageLine({box.min.x, y}, {box.max.x, y}, theme.grid));
    const char* const words[] = {"1", "0.1", "0.01", "0.001", "10⁻⁴", "10⁻⁵"};
    if (decade < 6)
      items.push_back(textAt({box.min.x - 4, y}, words[decade], theme.smallSize, theme.tick, render::AlignX::Right));
  }
  const Ticks ticks = fittingTicks(0, plot.largest, box.width(), theme.smallSize, true);
  for (std::size_t i = 0; i < ticks.values.size(); ++i)
    items.push_back(textAt({plot.at(ticks.values[i], 1).x, box.max.y + 3}, ticks.labels[i], theme.smallSize, theme.tick,
                           render::AlignX::Center, render::AlignY::Top));
  const attention::DirectionalityParts& parts = frame.page.shared.parts;
  addCurve(items, plot, rows, theme.globalMin, render::Dash::Solid, parts.rows.threshold);
  addCurve(items, plot, columns, theme.localMin, render::Dash::Dashed, parts.columns.threshold);
  items.push_back(textAt({box.max.x - 4, box.min.y + 0.8 * small}, tr("rows"), theme.smallSize, theme.globalMin,
                         render::AlignX::Right));
  items.push_back(textAt({box.max.x - 4, box.min.y + 2.1 * small}, tr("columns"), theme.smallSize, theme.localMin,
                         render::AlignX::Right));
  return items;
}

}  // namespace sepx::ui
