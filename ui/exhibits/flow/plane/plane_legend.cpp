// SPDX-License-Identifier: Apache-2.0
// The legend of the Flow picture: the share of each basin, what lines and glyphs mean, and the rows of the plane's
// further layers. Part of the scene, so that exported figures have it. Pure.
#include "ui/exhibits/flow/plane/plane_legend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_layout.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace overlay;
using Row = LegendRow;

namespace {

using markov::LimitKind;

double shareOf(const std::vector<double>& shares, std::size_t label) {
  return label < shares.size() ? shares[label] : 0;
}

void addAttractorRows(const FlowFrame& frame, std::vector<Row>& rows) {
  const dynamics::FieldInfo& info = frame.state.field->info();
  const std::vector<render::Color> palette = basinPalette(frame.theme);
  const std::vector<std::uint8_t> hatch = basinHatch();
  std::size_t label = static_cast<std::size_t>(LimitKind::Attractor);
  for (const dynamics::FixedPoint& fixed : frame.state.field->fixedPoints(frame.state.parameters)) {
    if (fixed.kind != LimitKind::Attractor || label >= palette.size()) continue;
    std::string text = tr("reaches ") + info.variables[0] + " = " + shownFixed(fixed.x[0], 2) + ", " +
                       info.variables[1] + " = " + shownFixed(fixed.x[1], 2) + ": " +
                       shownShare(shareOf(frame.results.basin().shares, label));
    Row row = areaRow(frame.theme, LimitKind::Attractor, hatch[label] != 0, std::move(text));
    row.color = palette[label];
    row.color.a = std::min(1.0f, 2 * row.color.a);
    rows.push_back(std::move(row));
    ++label;
  }
}

void addBasinRows(const FlowFrame& frame, std::vector<Row>& rows) {
  const BasinPicture& basin = frame.results.basin();
  if (basin.shares.empty()) return;
  if (frame.state.canonical || frame.state.field->hasClassifier()) {
    const auto share = [&](LimitKind kind) { return shareOf(basin.shares, static_cast<std::size_t>(kind)); };
    rows.push_back(areaRow(frame.theme, LimitKind::GlobalMin, false,
                           (frame.layout.legendOpen ? tr("reaches a global minimum: ") : tr("global minimum: ")) +
                               shownShare(share(LimitKind::GlobalMin))));
    rows.push_back(areaRow(frame.theme, LimitKind::LocalMin, true,
                           (frame.layout.legendOpen ? tr("stuck at a local minimum: ") : tr("local minimum: ")) +
                               shownShare(share(LimitKind::LocalMin))));
  } else {
    addAttractorRows(frame, rows);
  }
  const double undecided = shareOf(basin.shares, static_cast<std::size_t>(LimitKind::Undecided));
  if (undecided > 0) rows.push_back(textRow(tr("undecided: ") + shownShare(undecided)));
  if (basin.refining)
    rows.push_back(textRow(filled(tr("by integration, refining: {n} %"), "{n}", std::to_string(*basin.refining))));
  if (basin.disagreements && basin.integrated)
    rows.push_back(disagreementRow(frame.theme, tr("theory and integration disagree: {n} of {m} pixels"),
                                   *basin.disagreements, basin.integrated->labels.size()));
}

void addCloudRow(const FlowFrame& frame, std::vector<Row>& rows) {
  const std::shared_ptr<const Cloud>& cloud = frame.results.cloud();
  if (!cloud) return;
  std::string text =
      (frame.layout.legendOpen ? tr("cloud, in a local minimum: ") : tr("cloud: ")) + shownShare(cloud->share);
  if (const std::optional<double> exact = frame.results.gaussProbability())
    text += tr(" (exact ") + shownShare(*exact) + ")";
  rows.push_back(glyphRow(frame.theme, LimitKind::LocalMin, std::move(text)));
}

void addOwnRow(const FlowFrame& frame, std::vector<Row>& rows) {
  const std::vector<Trajectory>& own = *frame.state.own;
  if (own.empty()) return;
  rows.push_back(lineRow(frame.theme.accent, render::Dash::Dashed,
                         own.size() == 1 ? filled(tr("imported trajectory: {name}"), "{name}", own.front().name)
                                         : filled(tr("{n} imported trajectories"), "{n}", std::to_string(own.size()))));
}

/// Says that with very many points not every path is drawn.
void addStrideRow(const FlowFrame& frame, std::vector<Row>& rows) {
  const std::size_t stride = pathStride(frame.state);
  if (stride < 2 || !frame.state.showPaths) return;
  rows.push_back(textRow(filled(tr("paths of 1 in {n} points"), "{n}", std::to_string(stride))));
}

/// Adds the legend rows of the plane's layers.
void addLayerRows(const FlowFrame& frame, const PlaneLayers& layers, std::vector<Row>& rows) {
  for (const auto& layer : layers)
    layer->legend(frame, rows);
}

/// Whether the legend is folded. A figure cannot be unfolded, so its legend is never folded.
bool folds(const FlowFrame& frame) {
  return frame.layout.compact && !frame.layout.legendOpen && !frame.figure;
}

bool titleAlone(const FlowFrame& frame) {
  return frame.layout.tiny && folds(frame);
}

void addSetRows(const FlowFrame& frame, std::vector<Row>& rows) {
  const Theme& theme = frame.theme;
  if (frame.state.showCritical) {
    rows.push_back(lineRow(theme.globalMin, render::Dash::Solid, tr("global minima Θ*")));
    rows.push_back(lineRow(theme.localMin, render::Dash::Dashed, tr("local minima")));
    rows.push_back(lineRow(theme.localMax, render::Dash::Dotted, tr("local maxima: no path leads there")));
    rows.push_back(glyphRow(frame.theme, LimitKind::Saddle, tr("saddle")));
  }
  if (frame.state.showSeparatrix)
    rows.push_back(lineRow(theme.separatrix, render::Dash::Solid, tr("separatrix: ends in the saddle")));
}

std::vector<Row> canonicalRows(const FlowFrame& frame, const PlaneLayers& layers) {
  const FlowState& s = frame.state;
  const Theme& theme = frame.theme;
  std::vector<Row> rows{textRow(relation(s.chain), true)};
  if (!frame.layout.square) rows.push_back(textRow("p = " + chance(s.chain.p) + ", q = " + chance(s.chain.q)));
  if (s.degenerate()) {
    rows.push_back(textRow(tr("the next symbol does not depend on the last:")));
    rows.push_back(textRow(tr("no separate basins, no separatrix")));
    if (s.showCritical)
      rows.push_back(lineRow(theme.globalMin, render::Dash::Solid, tr("all minima: e = 0, w = −1/√2")));
  } else if (titleAlone(frame)) {
    return rows;
  } else {
    addBasinRows(frame, rows);
    if (frame.layout.legendOpen) addSetRows(frame, rows);
  }
  addLayerRows(frame, layers, rows);
  addCloudRow(frame, rows);
  addOwnRow(frame, rows);
  addStrideRow(frame, rows);
  return rows;
}

std::vector<Row> fieldRows(const FlowFrame& frame, const PlaneLayers& layers) {
  const dynamics::FieldInfo& info = frame.state.field->info();
  std::vector<Row> rows{textRow(info.name, true)};
  if (frame.layout.legendOpen) rows.push_back(textRow(info.equation));
  if (titleAlone(frame)) return rows;
  addBasinRows(frame, rows);
  addLayerRows(frame, layers, rows);
  addOwnRow(frame, rows);
  addStrideRow(frame, rows);
  if (!frame.state.showCritical || !frame.layout.legendOpen) return rows;
  std::vector<LimitKind> seen;
  for (const dynamics::FixedPoint& fixed : frame.state.field->fixedPoints(frame.state.parameters)) {
    if (std::find(seen.begin(), seen.end(), fixed.kind) != seen.end()) continue;
    seen.push_back(fixed.kind);
    rows.push_back(
        glyphRow(frame.theme, fixed.kind, fixed.kind == LimitKind::LocalMax ? tr("source") : kindWords(fixed.kind)));
  }
  return rows;
}

std::vector<Row> rowsOf(const FlowFrame& frame, const PlaneLayers& layers) {
  return frame.state.canonical ? canonicalRows(frame, layers) : fieldRows(frame, layers);
}

constexpr double kLegendRow = 1.45;  // row height, in text sizes
constexpr double kMostOfPlot = 0.4;  // largest share of the plot's height that a folded legend covers

/// Where the legend goes. It keeps its place while the data move, except in a small picture, where it avoids the
/// points. In a figure it is beside the plot or below it.
BoxPlacement placeOf(const FlowFrame& frame, const PlaneLegend& legend) {
  const LegendPlacement& placement = frame.state.legend;
  const auto boxAt = [&legend](render::Point corner) {
    return render::Rect{corner, {corner.x + legend.width, corner.y + legend.height}};
  };
  if (frame.layout.legendBelow) return {*frame.layout.legendBelow};
  if (frame.layout.legendColumn) return {boxAt(frame.layout.legendColumn->min)};
  // In a small picture the legend takes a corner that is free of points.
  if (frame.layout.compact && !frame.figure && placement.place == LegendPlace::Auto) {
    std::vector<render::Rect> taken;
    if (frame.layout.squareBox) taken.push_back(*frame.layout.squareBox);
    return placeBox(frame, legend.width, legend.height,
                    {Corner::TopLeft, Corner::TopRight, Corner::BottomRight, Corner::BottomLeft}, taken);
  }
  const render::Rect& plot = frame.layout.plot;
  const render::Point least{plot.min.x + kBoxInset, plot.min.y + kBoxInset},
      most{std::max(least.x, plot.max.x - kBoxInset - legend.width),
           std::max(least.y, plot.max.y - kBoxInset - legend.height)};
  render::Point chosen = least;
  switch (placement.place) {
    case LegendPlace::Free:
      chosen = {least.x + placement.x * (most.x - least.x), least.y + placement.y * (most.y - least.y)};
      break;
    case LegendPlace::TopRight:
      chosen = {most.x, least.y};
      break;
    case LegendPlace::BottomLeft:
      chosen = {least.x, most.y};
      break;
    case LegendPlace::BottomRight:
      chosen = most;
      break;
    default:
      break;
  }
  return {boxAt(chosen)};
}

FlowFrame withLayout(const FlowFrame& frame, const FlowLayout& layout) {
  FlowFrame made = frame;
  made.layout = layout;
  return made;
}

/// The layout with the legend below the plot in columns: with all rows or, if these would take too much of the page,
/// with the basins alone.
FlowLayout withLegendBelow(const FlowFrame& frame, const PlaneLayers& layers, double top) {
  constexpr double kMost = 0.37, kMostOfAll = 0.45;  // of the page
  const Theme& theme = frame.theme;
  const double width = frame.layout.width, height = frame.layout.height, room = width - 2 * theme.space;
  FlowLayout layout = frame.layout;
  LegendGrid grid;
  for (const bool open : {true, false}) {
    layout.legendOpen = open;
    grid = legendGrid(rowsOf(withLayout(frame, layout), layers), room, theme.smallSize);
    if (grid.height <= kMost * height) break;
  }
  const double below = grid.height + theme.space;
  if (below > kMostOfAll * height) {
    layout.legend = false;
    return layout;
  }
  const bool open = layout.legendOpen;
  layout = layoutFlow(frame.state, width, height - below, theme, top, false);
  layout.legend = true;
  layout.legendOpen = open;
  layout.legendBelow = render::Rect{{theme.space, height - below}, {width - theme.space, height}};
  return layout;
}

}  // namespace

namespace {

/// A legend of these rows with its size, including room for the fold mark, and its place. Beside the plot it is as wide
/// as its column and has as many rows as fit.
PlaneLegend legendWith(const FlowFrame& frame, std::vector<Row> rows) {
  const Theme& theme = frame.theme;
  const std::optional<render::Rect>& column = frame.layout.legendColumn;
  PlaneLegend legend{std::move(rows), theme.smallSize};
  if (column) {
    legend.rows = wrappedRows(legend.rows, column->width() - 2 * theme.space, legend.size);
    const double most = (column->height() - 1.5 * theme.space) / (kLegendRow * legend.size);
    legend.whole = static_cast<double>(legend.rows.size()) <= most;
    legend.rows.resize(std::min(legend.rows.size(), static_cast<std::size_t>(std::max(1.0, most))));
  }
  for (const Row& row : legend.rows)
    legend.width =
        std::max(legend.width, rowWidth(row, legend.size) + (&row == &legend.rows.front() ? 2.5 * legend.size : 0));
  legend.width = column ? column->width() : legend.width + 2 * theme.space;
  legend.height = static_cast<double>(legend.rows.size()) * kLegendRow * legend.size + 1.5 * theme.space;
  legend.place = placeOf(frame, legend);
  return legend;
}

bool coversPlot(const FlowFrame& frame, const PlaneLegend& legend) {
  const render::Rect& plot = frame.layout.plot;
  return legend.place.nearHandle || legend.width > plot.width() - 2 * kBoxInset ||
         legend.height > kMostOfPlot * plot.height();
}

}  // namespace

/// A folded legend of a small picture is reduced to its title if it would cover a point or too much of the plot.
PlaneLegend legendOf(const FlowFrame& frame, const PlaneLayers& layers) {
  PlaneLegend legend = legendWith(frame, rowsOf(frame, layers));
  if (!folds(frame) || frame.layout.legendColumn || !coversPlot(frame, legend)) return legend;
  legend.rows.resize(1);
  return legendWith(frame, std::move(legend.rows));
}

/// The legend goes beside the plot, or below it on a page that is higher than wide.
FlowLayout figureLayout(const FlowFrame& frame, const PlaneLayers& layers, double top) {
  const FlowLayout& now = frame.layout;
  if (now.legendColumn && legendOf(frame, layers).whole) return now;
  FlowLayout below = withLegendBelow(frame, layers, top);
  if (!now.legend || (now.height > now.width && below.legendBelow && below.legendOpen)) return below;
  FlowState state = frame.state;
  state.legend.place = LegendPlace::Beside;
  const FlowLayout beside = layoutFlow(state, now.width, now.height, frame.theme, top);
  return beside.legendColumn && legendOf(withLayout(frame, beside), layers).whole ? beside : below;
}

std::vector<render::Item> legendItems(const FlowFrame& frame, const PlaneLegend& legend) {
  const Theme& theme = frame.theme;
  const render::Rect& box = legend.place.box;
  std::vector<render::Item> items;
  if (frame.layout.legendBelow) {
    items.emplace_back(pageFill(box, theme.plotBackground));
    addLegendGrid(items, legendGrid(legend.rows, box.width(), theme.smallSize), box.min, theme);
    return items;
  }
  const double lineHeight = kLegendRow * legend.size;
  addBox(items, box, theme.radius, boxColor(theme), theme.border);
  const render::Point corner{box.min.x + theme.space, box.min.y + 0.75 * theme.space};
  if (!frame.figure)
    addFoldMark(items, box.max.x - theme.space, corner.y + lineHeight / 2, frame.layout.legendOpen, theme.textMuted);
  addRows(items, legend.rows, corner, box.max.x, legend.size, lineHeight, theme.text, theme);
  return items;
}

std::vector<render::Item> squareItems(const FlowFrame& frame) {
  if (!frame.layout.square || !frame.layout.squareBox) return {};
  const Theme& theme = frame.theme;
  const render::Rect& square = *frame.layout.square;
  std::vector<render::Item> items;
  addBox(items, *frame.layout.squareBox, theme.radius, boxColor(theme), theme.border);
  const auto line = [&](render::Point a, render::Point b, render::Color color, float width) {
    items.push_back(render::Polyline{{a, b}, {color, width, render::Dash::Solid}, {}, render::Space::Page});
  };
  const render::Point bottomLeft{square.min.x, square.max.y}, topRight{square.max.x, square.min.y};
  line(square.min, topRight, theme.border, 1);
  line(topRight, square.max, theme.border, 1);
  line(square.max, bottomLeft, theme.border, 1);
  line(bottomLeft, square.min, theme.border, 1);
  if (frame.flash > 0) {
    render::Color glow = theme.accent;
    glow.a = static_cast<float>(frame.flash);
    line(square.min, square.max, glow, static_cast<float>(3 + 7 * frame.flash));
  }
  line(square.min, square.max, theme.textMuted, 1.5f);
  const markov::Chain& chain = frame.state.chain;
  const float size = theme.smallSize;
  items.push_back(textAt({square.min.x + square.width() / 2, square.max.y + 2}, "p = " + chance(chain.p), size,
                         theme.text, render::AlignX::Center, render::AlignY::Top));
  render::Label q = textAt({frame.layout.squareBox->min.x + 0.85 * theme.smallSize, square.min.y + square.height() / 2},
                           "q = " + chance(chain.q), size, theme.text, render::AlignX::Center);
  q.vertical = true;
  items.push_back(std::move(q));
  const render::Point dot = squareToPage(square, std::clamp(chain.p, 0.0, 1.0), std::clamp(chain.q, 0.0, 1.0));
  items.push_back(render::Marker{dot, render::Shape::Circle, theme.handleSize - 2, theme.accent, theme.plotBackground,
                                 2, render::Space::Page});
  return items;
}

std::string shownPlace(double value, double span) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(span))) + 3, 2, 12);
  const double unit = std::pow(10.0, digits);
  const double rounded = std::round(value * unit) / unit;  // values closer to 0 than a pixel become 0
  return shownFixed(rounded == 0 ? 0 : rounded, digits);
}

namespace {

std::string hoverText(const FlowFrame& frame) {
  const FlowState& s = frame.state;
  const render::Point at = toData(frame.camera(), *frame.pointer);
  const std::vector<std::string>& names = s.field->info().variables;
  std::string text = tr("pointer: ");
  text += names[0] + " = " + shownPlace(at.x, s.view.width()) + "   " + names[1] + " = " +
          shownPlace(at.y, s.view.height());
  dynamics::State x(2);
  x << at.x, at.y;
  if (!s.canonical) {
    if (const std::optional<double> potential = s.field->potential(x, s.parameters))
      text += "   V = " + shownFixed(*potential, 4);
    return text;
  }
  const double loss = markov::loss(s.chain, markov::Model::EW, x);
  if (std::isfinite(loss)) text += "   L = " + formatFixed(loss, 4);
  if (!s.degenerate() && !frame.layout.compact) text += "   → " + kindWords(markov::basinLabel(s.chain, at.x, at.y));
  return text;
}

void addSelectedLine(const FlowFrame& frame, std::vector<Row>& lines) {
  const int selected = frame.state.selected;
  if (selected < 0 || selected >= static_cast<int>(frame.results.points())) return;
  const std::size_t index = static_cast<std::size_t>(selected);
  const PointResult& point = frame.results.point(index);
  std::string text;  // a sentence about the point, or at p + q = 1 about the chain
  if (!frame.state.degenerate() && !frame.state.points[index].name.empty()) text = frame.state.points[index].name + " ";
  text += frame.layout.compact ? shortWords(frame.state, point) : limitWords(frame.state, point);
  if (frame.headTime) text += "   t\u00A0=\u00A0" + shownFixed(*frame.headTime, 1);
  lines.push_back(glyphRow(frame.theme, point.kind, std::move(text)));
}

constexpr double kRowHeight = 1.5;  // in text sizes

struct Written {
  std::vector<Row> rows;
  BoxPlacement place;
};

/// Places the rows in a corner that is free of the legend and the insets. If no corner has room, the rows are wrapped
/// into shorter lines.
Written writtenIn(const FlowFrame& frame, const std::vector<Row>& rows) {
  const Theme& theme = frame.theme;
  const std::vector<render::Rect> taken = boxesOver(frame);
  const double room = std::max(60.0, frame.layout.plot.width() - 2 * kBoxInset - 2 * theme.space);
  Written written;
  for (const double share : {1.0, 0.66, 0.45}) {
    written.rows = wrappedRows(rows, std::max(60.0, share * room), theme.smallSize);
    double width = 0;
    for (const Row& row : written.rows)
      width = std::max(width, rowWidth(row, theme.smallSize));
    const double height = static_cast<double>(written.rows.size()) * kRowHeight * theme.smallSize + theme.space;
    written.place = placeBox(frame, width + 2 * theme.space, height,
                             {Corner::BottomLeft, Corner::BottomRight, Corner::TopRight, Corner::TopLeft}, taken);
    if (written.place.free) break;
  }
  return written;
}

}  // namespace

std::vector<render::Item> readOutItems(const FlowFrame& frame) {
  if (frame.figure) return {};  // the read-out is about the selection and the pointer
  const Theme& theme = frame.theme;
  std::vector<Row> rows;
  if (frame.state.points.empty() && !frame.audience)
    rows.push_back(textRow(frame.layout.compact ? tr("double-click adds a point")
                                                : tr("double-click, or press A, to add an initial point")));
  addSelectedLine(frame, rows);
  // While a point is dragged, its own line already says where the pointer is. A small picture has room for one line.
  const bool pointer = frame.pointer && frame.held < 0;
  if (pointer && !(frame.layout.compact && frame.state.selected >= 0)) {
    if (frame.layout.compact) rows.clear();
    rows.push_back(textRow(hoverText(frame)));
  }
  std::vector<render::Item> items;
  if (rows.empty()) return items;
  const Written written = writtenIn(frame, rows);
  const BoxPlacement& place = written.place;
  rows = written.rows;
  // A small picture has no room for text that the panel shows as well.
  const bool crowded = frame.layout.tiny || !place.free || rows.size() > 2 || !fits(frame, place.box);
  if (frame.layout.compact && crowded) return {};
  addBox(items, place.box, theme.radius, boxColor(theme), theme.border);
  const double lineHeight = kRowHeight * theme.smallSize;
  addRows(items, rows, {place.box.min.x + theme.space, place.box.min.y + 0.5 * theme.space}, place.box.max.x,
          theme.smallSize, lineHeight, theme.text, theme);
  return items;
}

}  // namespace sepx::ui
