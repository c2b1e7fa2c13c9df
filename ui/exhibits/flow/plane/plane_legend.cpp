// SPDX-License-Identifier: Apache-2.0
// The legend of the Flow picture: the share of each basin, what lines and glyphs mean, and the rows of the plane's
// further layers. Part of the scene, so that exported figures have it. Pure.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number.h"
#include "engine/render/font.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
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
    Row row = areaRow(frame, LimitKind::Attractor, hatch[label] != 0, std::move(text));
    row.color = palette[label];
    row.color.a = std::min(1.0f, 2 * row.color.a);
    rows.push_back(std::move(row));
    ++label;
  }
}

void addBasinRows(const FlowFrame& frame, std::vector<Row>& rows) {
  const BasinPicture& basin = frame.results.basin();
  if (basin.shares.empty()) return;
  if (frame.state.canonical) {
    const auto share = [&](LimitKind kind) { return shareOf(basin.shares, static_cast<std::size_t>(kind)); };
    rows.push_back(areaRow(frame, LimitKind::GlobalMin, false,
                           (frame.layout.legendOpen ? tr("reaches a global minimum: ") : tr("global minimum: ")) +
                               shownShare(share(LimitKind::GlobalMin))));
    rows.push_back(areaRow(frame, LimitKind::LocalMin, true,
                           (frame.layout.legendOpen ? tr("stuck at a local minimum: ") : tr("local minimum: ")) +
                               shownShare(share(LimitKind::LocalMin))));
    const double undecided = share(LimitKind::Undecided);
    if (undecided > 0) rows.push_back(textRow(tr("undecided: ") + shownShare(undecided)));
  } else {
    addAttractorRows(frame, rows);
    const double undecided = shareOf(basin.shares, 0);
    if (undecided > 0) rows.push_back(textRow(tr("undecided: ") + shownShare(undecided)));
  }
  if (basin.refining) {
    std::string text = tr("by integration, refining: {n} %");
    rows.push_back(textRow(text.replace(text.find("{n}"), 3, std::to_string(*basin.refining))));
  }
  if (basin.disagreements && basin.integrated) {
    std::string text = tr("theory and integration disagree: {n} of {m} pixels");
    text.replace(text.find("{n}"), 3, std::to_string(*basin.disagreements));
    text.replace(text.find("{m}"), 3, std::to_string(basin.integrated->labels.size()));
    Row row = areaRow(frame, LimitKind::Undecided, false, std::move(text));
    row.color = frame.theme.error;
    rows.push_back(std::move(row));
  }
}

void addCloudRow(const FlowFrame& frame, std::vector<Row>& rows) {
  const std::shared_ptr<const Cloud>& cloud = frame.results.cloud();
  if (!cloud) return;
  std::string text =
      (frame.layout.legendOpen ? tr("cloud, in a local minimum: ") : tr("cloud: ")) + shownShare(cloud->share);
  if (const std::optional<double> exact = frame.results.gaussProbability())
    text += tr(" (exact ") + shownShare(*exact) + ")";
  rows.push_back(glyphRow(frame, LimitKind::LocalMin, std::move(text)));
}

void addOwnRow(const FlowFrame& frame, std::vector<Row>& rows) {
  const std::vector<Trajectory>& own = *frame.state.own;
  if (own.empty()) return;
  std::string text = own.size() == 1 ? tr("own trajectory: {name}") : tr("{n} own trajectories");
  if (own.size() > 1)
    text.replace(text.find("{n}"), 3, std::to_string(own.size()));
  else
    text.replace(text.find("{name}"), 6, own.front().name);
  rows.push_back(lineRow(frame.theme.accent, render::Dash::Dashed, std::move(text)));
}

/// Of very many points not every path is drawn, and the picture says so.
void addStrideRow(const FlowFrame& frame, std::vector<Row>& rows) {
  const std::size_t stride = pathStride(frame.state);
  if (stride < 2 || !frame.state.showPaths) return;
  std::string text = tr("paths of one point in {n}");
  rows.push_back(textRow(text.replace(text.find("{n}"), 3, std::to_string(stride))));
}

/// Rows of the plane's further layers.
void addLayerRows(const FlowFrame& frame, std::vector<Row>& rows) {
  if (!frame.layers) return;
  for (const auto& layer : *frame.layers)
    layer->legend(frame, rows);
}

/// On paper nothing unfolds: a figure has its rows or no legend.
bool titleAlone(const FlowFrame& frame) {
  return frame.layout.tiny && !frame.layout.legendOpen && !frame.figure;
}

std::vector<Row> canonicalRows(const FlowFrame& frame) {
  const FlowState& s = frame.state;
  const Theme& theme = frame.theme;
  std::vector<Row> rows{textRow(relation(s.chain), true)};
  if (!frame.layout.square) rows.push_back(textRow("p = " + chance(s.chain.p) + ", q = " + chance(s.chain.q)));
  if (s.degenerate()) {
    rows.push_back(textRow(tr("the next symbol does not depend on the last:")));
    rows.push_back(textRow(tr("no separate basins, no separatrix")));
    if (s.showCritical)
      rows.push_back(lineRow(theme.globalMin, render::Dash::Solid, tr("all minima: e = 0, w = −1/√2")));
    addLayerRows(frame, rows);
    addOwnRow(frame, rows);
    addStrideRow(frame, rows);
    return rows;
  }
  if (titleAlone(frame)) return rows;
  addBasinRows(frame, rows);
  if (!frame.layout.legendOpen) {
    addLayerRows(frame, rows);
    addCloudRow(frame, rows);
    addOwnRow(frame, rows);
    addStrideRow(frame, rows);
    return rows;
  }
  if (s.showCritical) {
    rows.push_back(lineRow(theme.globalMin, render::Dash::Solid, tr("global minima Θ*")));
    rows.push_back(lineRow(theme.localMin, render::Dash::Dashed, tr("local minima")));
    rows.push_back(lineRow(theme.localMax, render::Dash::Dotted, tr("local maxima, alone in their basin")));
    rows.push_back(glyphRow(frame, LimitKind::Saddle, tr("saddle")));
  }
  if (s.showSeparatrix)
    rows.push_back(lineRow(theme.separatrix, render::Dash::Solid, tr("separatrix: ends in the saddle")));
  addLayerRows(frame, rows);
  addCloudRow(frame, rows);
  addOwnRow(frame, rows);
  addStrideRow(frame, rows);
  return rows;
}

std::vector<Row> fieldRows(const FlowFrame& frame) {
  const dynamics::FieldInfo& info = frame.state.field->info();
  std::vector<Row> rows{textRow(info.name, true)};
  if (frame.layout.legendOpen) rows.push_back(textRow(info.equation));
  if (titleAlone(frame)) return rows;
  addBasinRows(frame, rows);
  addLayerRows(frame, rows);
  addOwnRow(frame, rows);
  addStrideRow(frame, rows);
  if (!frame.state.showCritical || !frame.layout.legendOpen) return rows;
  std::vector<LimitKind> seen;
  for (const dynamics::FixedPoint& fixed : frame.state.field->fixedPoints(frame.state.parameters)) {
    if (std::find(seen.begin(), seen.end(), fixed.kind) != seen.end()) continue;
    seen.push_back(fixed.kind);
    rows.push_back(
        glyphRow(frame, fixed.kind, fixed.kind == LimitKind::LocalMax ? tr("source") : kindWords(fixed.kind)));
  }
  return rows;
}

struct Legend {
  std::vector<Row> rows;
  float size;  ///< of the text
  double width, height;
};

/// Row heights, and the room for the mark that folds it.
Legend legendOf(const FlowFrame& frame) {
  const Theme& theme = frame.theme;
  Legend legend{frame.state.canonical ? canonicalRows(frame) : fieldRows(frame),
                frame.layout.compact ? theme.smallSize - 1 : theme.smallSize, 0, 0};
  for (const Row& row : legend.rows) {
    const double before = row.swatch == Row::Swatch::None ? 0 : kSwatchWidth;
    const double mark = &row == &legend.rows.front() ? 2.5 * legend.size : 0;
    legend.width = std::max(legend.width, render::measure(row.text, legend.size, row.bold).width + before + mark);
  }
  legend.width += 2 * theme.space;
  legend.height = static_cast<double>(legend.rows.size()) * 1.45 * legend.size + 1.5 * theme.space;
  return legend;
}

Placed placeOf(const FlowFrame& frame, const Legend& legend) {
  return placeBox(frame, legend.width, legend.height,
                  {Corner::TopLeft, Corner::TopRight, Corner::BottomRight, Corner::BottomLeft}, {});
}

/// The mark at the right of the first row: down while every row is shown.
void addFoldMark(std::vector<render::Item>& items, double right, double y, bool open, render::Color color) {
  constexpr double kHalf = 3.5;
  const std::vector<render::Point> down{
      {right - 2 * kHalf, y - kHalf / 2}, {right - kHalf, y + kHalf / 2}, {right, y - kHalf / 2}};
  const std::vector<render::Point> aside{
      {right - 1.5 * kHalf, y - kHalf}, {right - kHalf / 2, y}, {right - 1.5 * kHalf, y + kHalf}};
  items.push_back(render::Polyline{open ? down : aside, {color, 1.5f, render::Dash::Solid}, {}, render::Space::Page});
}

}  // namespace

Placed legendPlace(const FlowFrame& frame) {
  return placeOf(frame, legendOf(frame));
}

std::vector<render::Item> legendItems(const FlowFrame& frame) {
  const Theme& theme = frame.theme;
  const Legend legend = legendOf(frame);
  const Placed place = placeOf(frame, legend);
  if (frame.figure && (!place.bare || !fits(frame, place.box))) return {};  // the caption says as much
  const double lineHeight = 1.45 * legend.size;
  render::Color fill = boxColor(theme), text = theme.text;
  if (place.met) {
    fill.a = kMetOpacity;
    text.a = kMetTextOpacity;
  }
  std::vector<render::Item> items;
  addBox(items, place.box, theme.radius, fill, theme.border);
  double y = place.box.min.y + 0.75 * theme.space + lineHeight / 2;
  if (!frame.figure) addFoldMark(items, place.box.max.x - theme.space, y, frame.layout.legendOpen, theme.textMuted);
  for (const Row& row : legend.rows) {
    const double x = place.box.min.x + theme.space;
    addSwatch(items, row, x, y, theme);
    render::Label label =
        textAt({row.swatch == Row::Swatch::None ? x : x + kSwatchWidth, y}, row.text, legend.size, text);
    label.bold = row.bold;
    items.push_back(label);
    y += lineHeight;
  }
  return items;
}

}  // namespace sepx::ui
