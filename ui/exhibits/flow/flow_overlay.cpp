// SPDX-License-Identifier: Apache-2.0
// What is written over the Flow picture: the legend with the share of each basin, the square of (p, q), what is under
// the pointer and where the selected point ends. Part of the scene, so that exported figures have it. Pure.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "engine/render/font.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/flow_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;

constexpr double kSwatchWidth = 26;
constexpr float kBoxOpacity = 0.92f;
constexpr float kMetOpacity = 0.35f;  // of a box with a handle under it, and of what is written in it
constexpr float kMetTextOpacity = 0.75f;

render::Color boxColor(const Theme& theme) {
  render::Color color = theme.surface;
  color.a = kBoxOpacity;
  return color;
}

/// A row of the legend: what is drawn in front of the text.
struct Row {
  enum class Swatch { None, Area, Line, Glyph } swatch = Swatch::None;
  render::Color color;
  render::Dash dash = render::Dash::Solid;
  render::Shape shape = render::Shape::Circle;
  bool hatched = false;
  std::string text;
  bool bold = false;
};

double shareOf(const std::vector<double>& shares, std::size_t label) {
  return label < shares.size() ? shares[label] : 0;
}

Row areaRow(const FlowFrame& frame, LimitKind kind, bool hatched, std::string text) {
  Row row{Row::Swatch::Area, kindColor(frame.theme, kind), {}, {}, hatched, std::move(text), false};
  row.color.a = std::min(1.0f, 2 * frame.theme.basinOpacity);
  return row;
}

Row lineRow(render::Color color, render::Dash dash, std::string text) {
  return {Row::Swatch::Line, color, dash, {}, false, std::move(text), false};
}

Row glyphRow(const FlowFrame& frame, LimitKind kind, std::string text) {
  return {Row::Swatch::Glyph, kindColor(frame.theme, kind), {}, kindShape(kind), false, std::move(text), false};
}

Row textRow(std::string text, bool bold = false) {
  return {Row::Swatch::None, {}, {}, {}, false, std::move(text), bold};
}

/// A probability in at most three decimals, or by its power of ten where they would say 0 or 1.
std::string chance(double value) {
  std::string text = shownProbability(value, 3);
  while (text.size() > 3 && text.back() == '0' && text.rfind("0.", 0) == 0)
    text.pop_back();
  return text;
}

std::string relation(const markov::Chain& chain) {
  const double sum = chain.p + chain.q;
  const char* sign = sum > 1 ? " > 1" : sum < 1 ? " < 1" : " = 1";
  // A sum that rounds to 1 without being 1 is shown with the digits that tell them apart.
  const double away = std::abs(sum - 1);
  const int digits = away == 0 || away >= 0.005 ? 2 : std::min(12, static_cast<int>(std::ceil(-std::log10(away))) + 1);
  const std::string value = formatFixed(sum, digits);
  return away == 0 ? std::string("p + q = 1") : "p + q = " + value + sign;
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
    addOwnRow(frame, rows);
    addStrideRow(frame, rows);
    return rows;
  }
  if (titleAlone(frame)) return rows;
  addBasinRows(frame, rows);
  if (!frame.layout.legendOpen) {
    addCloudRow(frame, rows);
    addOwnRow(frame, rows);
    addStrideRow(frame, rows);
    return rows;
  }
  if (s.showCritical) {
    rows.push_back(lineRow(theme.globalMin, render::Dash::Solid, tr("global minima Θ*")));
    rows.push_back(lineRow(theme.localMin, render::Dash::Dashed, tr("local minima")));
    rows.push_back(lineRow(theme.localMax, render::Dash::Dotted, tr("local maxima")));
    rows.push_back(glyphRow(frame, LimitKind::Saddle, tr("saddle")));
  }
  if (s.showSeparatrix) rows.push_back(lineRow(theme.separatrix, render::Dash::Solid, tr("separatrix")));
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

/// Two whole dashes, however wide the line and its pattern are.
void addSwatchLine(std::vector<render::Item>& items, const Row& row, double left, double right, double y,
                   const Theme& theme) {
  const bool dashed = row.dash == render::Dash::Dashed;
  const double dash = dashed ? 0.4 * (right - left) : right - left;
  const render::Stroke stroke{row.color, theme.strongLine, dashed ? render::Dash::Solid : row.dash};
  items.push_back(render::Polyline{{{left, y}, {left + dash, y}}, stroke, {}, render::Space::Page});
  if (dashed) items.push_back(render::Polyline{{{right - dash, y}, {right, y}}, stroke, {}, render::Space::Page});
}

void addSwatch(std::vector<render::Item>& items, const Row& row, double x, double y, const Theme& theme) {
  const double middle = x + kSwatchWidth / 2 - 3;
  const double half = kSwatchWidth / 2 - 4;
  const render::Rect box{{middle - half, y - 5}, {middle + half, y + 5}};
  switch (row.swatch) {
    case Row::Swatch::None:
      return;
    case Row::Swatch::Area:
      items.push_back(render::Fill{{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}}, row.color});
      for (int i = 0; row.hatched && i < 4; ++i) {
        const double at = box.min.x + (i + 0.25) * box.width() / 4.5;
        items.push_back(render::Polyline{{{at, box.max.y}, {std::min(box.max.x, at + 5), box.min.y}},
                                         {theme.text, 1, render::Dash::Solid},
                                         {},
                                         render::Space::Page});
      }
      return;
    case Row::Swatch::Line:
      addSwatchLine(items, row, box.min.x, box.max.x, y, theme);
      return;
    case Row::Swatch::Glyph:
      items.push_back(
          render::Marker{{middle, y}, row.shape, 9, row.color, theme.plotBackground, 1.0f, render::Space::Page});
      return;
  }
}

}  // namespace

namespace {

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

bool fits(const FlowFrame& frame, const render::Rect& box) {
  return frame.layout.plot.contains(box.min) && frame.layout.plot.contains(box.max);
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

render::Point squareToPage(const render::Rect& square, double p, double q) {
  return {square.min.x + p * square.width(), square.max.y - q * square.height()};
}

render::Point pageToSquare(const render::Rect& square, render::Point page) {
  return {(page.x - square.min.x) / square.width(), (square.max.y - page.y) / square.height()};
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
  const double rounded = std::round(value * unit) / unit;  // what is nearer to 0 than a pixel is 0
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
  if (frame.headTime) text += "   t = " + formatFixed(*frame.headTime, 1);
  lines.push_back(glyphRow(frame, point.kind, std::move(text)));
}

/// Rows no wider than `room`; what does not fit goes on in a row of its own.
std::vector<Row> wrapped(const std::vector<Row>& rows, double room, float size) {
  std::vector<Row> result;
  for (const Row& row : rows) {
    const double indent = row.swatch == Row::Swatch::None ? 0 : kSwatchWidth;
    std::string line;
    result.push_back(row);
    std::size_t at = 0;
    while (at < row.text.size()) {
      const std::size_t end = std::min(row.text.find(' ', at + 1), row.text.size());
      const std::string longer = line + row.text.substr(at, end - at);
      if (line.empty() || textWidth(longer, size) + indent <= room) {
        line = longer;
      } else {
        result.back().text = std::exchange(line, row.text.substr(at + 1, end - at - 1));
        result.push_back(textRow({}));
      }
      at = end;
    }
    result.back().text = line;
  }
  return result;
}

}  // namespace

std::vector<render::Item> readOutItems(const FlowFrame& frame) {
  const Theme& theme = frame.theme;
  std::vector<Row> rows;
  if (frame.state.points.empty() && !frame.figure)
    rows.push_back(textRow(frame.layout.compact ? tr("double-click sets a point")
                                                : tr("double-click, or press A, to set a starting point")));
  addSelectedLine(frame, rows);
  // While a point is dragged the pointer says nothing that its own line does not; a small picture has one line.
  const bool pointer = frame.pointer && frame.held < 0 && !frame.figure;
  if (pointer && !(frame.layout.compact && frame.state.selected >= 0)) {
    if (frame.layout.compact) rows.clear();
    rows.push_back(textRow(hoverText(frame)));
  }
  std::vector<render::Item> items;
  if (rows.empty()) return items;
  const double left = frame.layout.plot.min.x + kBoxInset;
  rows = wrapped(rows, std::max(60.0, frame.layout.plot.max.x - left - kBoxInset - 2 * theme.space), theme.smallSize);
  const double lineHeight = 1.5 * theme.smallSize;
  double width = 0;
  for (const Row& row : rows)
    width =
        std::max(width, textWidth(row.text, theme.smallSize) + (row.swatch == Row::Swatch::None ? 0 : kSwatchWidth));
  const double height = static_cast<double>(rows.size()) * lineHeight + theme.space;
  std::vector<render::Rect> taken;
  if (frame.layout.legend) {
    const Placed legend = legendPlace(frame);
    if (!frame.figure || legend.bare) taken.push_back(legend.box);
  }
  const Placed place = placeBox(frame, width + 2 * theme.space, height,
                                {Corner::BottomLeft, Corner::BottomRight, Corner::TopRight, Corner::TopLeft}, taken);
  // A small picture has no room for what the panel says too; a figure hides no data.
  const bool crowded = frame.layout.tiny || !place.free || rows.size() > 2 || !fits(frame, place.box);
  if (frame.layout.compact && crowded) return {};
  if (frame.figure && (!place.bare || !fits(frame, place.box))) return {};
  render::Color fill = boxColor(theme);
  if (place.met) fill.a = kMetOpacity;
  addBox(items, place.box, theme.radius, fill, theme.border);
  double y = place.box.min.y + 0.5 * theme.space + lineHeight / 2;
  for (const Row& row : rows) {
    const double x = place.box.min.x + theme.space;
    addSwatch(items, row, x, y, theme);
    items.push_back(
        textAt({row.swatch == Row::Swatch::None ? x : x + kSwatchWidth, y}, row.text, theme.smallSize, theme.text));
    y += lineHeight;
  }
  return items;
}

}  // namespace sepx::ui
