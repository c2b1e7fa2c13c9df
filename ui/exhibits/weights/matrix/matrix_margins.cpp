// SPDX-License-Identifier: Apache-2.0
// Norms of rows and columns beside the matrix, the thresholds over them, which are dragged, and the survival curves.
// One scale for both sides, so that they compare.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/matrix/matrix_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kStill = 3, kReach = 7, kGrown = 6;  // points
constexpr double kLeastGamma = -5, kMostGamma = 50;
constexpr const char* kGroup = "weights.score.gamma";

/// The norms of the chosen matrix at the edges of a plot. What it refers to outlives the views of a frame.
struct NormMargins {
  const WeightsShared& shared;
  const MatrixResults& pictures;
  MatrixPlot plot;
  render::Rect rows, columns;  ///< page

  const render::Rect& box(Side side) const { return side == Side::Rows ? rows : columns; }
  const attention::Side& of(Side side) const { return side == Side::Rows ? shared.parts.rows : shared.parts.columns; }
  /// x of the threshold of rows, y of that of columns; nothing: it is not in the box.
  std::optional<double> line(Side side) const {
    const double threshold = of(side).threshold, largest = largestNorm(shared);
    if (!std::isfinite(threshold) || threshold < 0 || threshold > largest) return std::nullopt;
    return normToPage(box(side), side, threshold, largest);
  }
  std::optional<Side> lineAt(render::Point at) const;
  void addBars(std::vector<render::Item>& items, Side side, const Theme& theme) const;
  void addLine(std::vector<render::Item>& items, Side side, const ViewPlace& place, bool held) const;
  std::vector<render::Item> items(const ViewPlace& place) const;
  std::vector<render::Item> heldItems(Side side, const ViewPlace& place) const;
  PictureGrip grip(Side side, render::Point from, const ViewPlace& place) const;
};

std::optional<Side> NormMargins::lineAt(render::Point at) const {
  for (const Side side : {Side::Columns, Side::Rows}) {
    const render::Rect& of = box(side);
    const render::Rect grown{{of.min.x - kGrown, of.min.y - kGrown}, {of.max.x + kGrown, of.max.y + kGrown}};
    const std::optional<double> where = line(side);
    if (where && grown.contains(at) && std::abs((side == Side::Rows ? at.x : at.y) - *where) <= kReach) return side;
  }
  return std::nullopt;
}

void NormMargins::addBars(std::vector<render::Item>& items, Side side, const Theme& theme) const {
  const Eigen::VectorXd& norms = side == Side::Rows ? shared.moments->rowNorms : shared.moments->columnNorms;
  const std::vector<int>& order = side == Side::Rows ? pictures.rowOrder() : pictures.columnOrder();
  NormBars bars{plot, side, box(side), static_cast<std::size_t>(norms.size())};
  bars.norm = [&](std::size_t place) {
    return norms[place < order.size() ? order[place] : static_cast<Eigen::Index>(place)];
  };
  bars.threshold = of(side).threshold;
  bars.largest = largestNorm(shared);
  bars.add(items, theme);
}

void NormMargins::addLine(std::vector<render::Item>& items, Side side, const ViewPlace& place, bool held) const {
  const std::optional<double> at = line(side);
  if (!at) return;
  const render::Color color = held ? place.theme.accent : place.theme.text;
  const render::Rect& box = plot.plot;
  const bool across = side == Side::Rows;
  const render::Point from = across ? render::Point{*at, box.min.y} : render::Point{box.min.x, *at};
  const render::Point to = across ? render::Point{*at, box.max.y} : render::Point{box.max.x, *at};
  items.emplace_back(pageLine(from, to, color, held ? place.theme.strongLine : 1, render::Dash::Dashed));
  if (!place.figure)
    items.emplace_back(render::Marker{to, render::Shape::Triangle, 8, color, color, 0, render::Space::Page});
}

std::vector<render::Item> NormMargins::items(const ViewPlace& place) const {
  std::vector<render::Item> items;
  for (const Side side : {Side::Columns, Side::Rows})
    addBars(items, side, place.theme);
  for (const Side side : {Side::Columns, Side::Rows})
    addLine(items, side, place, false);
  return items;
}

/// Of a threshold that is dragged or under the pointer.
std::vector<render::Item> NormMargins::heldItems(Side side, const ViewPlace& place) const {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  addLine(items, side, place, true);
  render::Label label = textAt({columns.max.x - 12, columns.min.y + theme.smallSize},
                               "γ " + shownFixed(shared.state.score.gamma, 2) + "  τ " + entryText(of(side).threshold),
                               theme.smallSize, theme.text, render::AlignX::Right);
  label.backdrop = theme.surfaceRaised;
  items.emplace_back(std::move(label));
  return items;
}

/// γ follows the line that is held; the other side's line follows γ.
PictureGrip NormMargins::grip(Side side, render::Point from, const ViewPlace& place) const {
  const double offset = line(side).value_or(0) - (side == Side::Rows ? from.x : from.y);
  const auto drag = [held = *this, side, offset](Editor& editor, render::Point at, bool shift) {
    if (!held.shared.moments) return;
    const double threshold = pageToNorm(held.box(side), side, {at.x + offset, at.y + offset}, largestNorm(held.shared));
    const double raw = attention::gammaAt(held.of(side), threshold);
    if (!std::isfinite(raw)) return;
    const double step = shift ? 10 : 100;  // tenths or hundredths
    const double gamma = std::clamp(std::round(raw * step) / step, kLeastGamma, kMostGamma);
    editor.commit(editor.document().with("weights.score.gamma", gamma), tr("move the threshold γ"), kGroup);
  };
  const auto back = [](Editor& editor, const Document& before) {
    editor.commit(before, tr("move the threshold γ"), kGroup);
  };
  return {.drag = drag,
          .cursor = side == Side::Rows ? Cursor::ResizeHorizontal : Cursor::ResizeVertical,
          .still = kStill,
          .over =
              [held = *this, side, theme = place.theme, box = place.box] {
                return held.heldItems(side, {box, theme});
              },
          .takeBack = back};
}

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

double largestNorm(const WeightsShared& shared) {
  if (!shared.moments) return 1;
  double largest = 0;
  for (const Eigen::VectorXd* norms : {&shared.moments->rowNorms, &shared.moments->columnNorms})
    for (const double norm : *norms)
      if (std::isfinite(norm)) largest = std::max(largest, norm);
  return largest > 0 ? 1.04 * largest : 1;
}

PictureContent MatrixPage::margins(const MatrixLayout& layout, const WeightsShared& shared) const {
  const MatrixResults::Factors& factors = pictures_.factors();
  const bool known = shared.moments && factors && shared.moments->rowNorms.size() == factors->rows() &&
                     shared.moments->columnNorms.size() == factors->columns();
  if (!known) return {};  // the picture is still of the layer before
  const NormMargins margins{shared, pictures_, layout.panes.first(), *layout.rowNorms, *layout.columnNorms};
  PictureContent content;
  content.of = Digest()
                   .add(margins.rows, margins.columns, margins.plot.view, shared.factorsRevision, pictures_.revision(),
                        shared.parts.rows.threshold, shared.parts.columns.threshold)
                   .value();
  content.draw = [margins](const ViewPlace& place) { return margins.items(place); };
  content.tip = [margins](const ViewPlace& place, render::Point at, const render::Rect&) {
    const std::optional<Side> side = margins.lineAt(at);
    return side ? margins.heldItems(*side, place) : std::vector<render::Item>();
  };
  content.hold = [margins](const ViewPlace& place, render::Point at) -> std::optional<PictureGrip> {
    const std::optional<Side> side = margins.lineAt(at);
    return side ? std::optional(margins.grip(*side, at, place)) : std::nullopt;
  };
  return content;
}

ChartContent MatrixPage::survival(const WeightsShared& shared, const Theme& theme) const {
  const attention::DirectionalityParts& parts = shared.parts;
  const double least = 1 / static_cast<double>(std::max<std::size_t>({rows_.count, columns_.count, 10}));
  LineChart chart;
  chart.title = tr("share of norms above");
  chart.compact = chart.legend = true;
  chart.x = {.name = tr("norm"), .from = 0, .to = largestNorm(shared)};
  chart.y = {.logarithmic = true, .from = least, .to = 1, .least = least};
  addSurvival(chart, rows_, tr("rows"), {theme.globalMin, render::Dash::Solid, 1.75f}, parts.rows.threshold);
  addSurvival(chart, columns_, tr("columns"), {theme.localMin, render::Dash::Dashed, 1.75f}, parts.columns.threshold);
  return {.chart = std::move(chart)};
}

}  // namespace sepx::ui
