// SPDX-License-Identifier: Apache-2.0
// What is written over the Flow picture beside its legend: the square of (p, q), what is under the pointer and where
// the selected point ends. Part of the scene, so that exported figures have it. Pure.
#include "ui/exhibits/flow/plane/plane_layer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace overlay;
using Row = LegendRow;

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
  if (frame.headTime) text += "   t = " + shownFixed(*frame.headTime, 1);
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

constexpr double kRowHeight = 1.5;  // sizes of the text

struct Written {
  std::vector<Row> rows;
  Placed place;
};

/// The rows in a corner that is free of the legend and of what layers write; where none has room for them, in shorter
/// lines.
Written writtenIn(const FlowFrame& frame, const std::vector<Row>& rows) {
  const Theme& theme = frame.theme;
  std::vector<render::Rect> taken;
  if (frame.layout.legend) {
    const Placed legend = legendPlace(frame);
    if (!frame.figure || legend.bare) taken.push_back(legend.box);
  }
  if (frame.layers)
    for (const auto& layer : *frame.layers)
      layer->taken(frame, taken);
  const double room = std::max(60.0, frame.layout.plot.width() - 2 * kBoxInset - 2 * theme.space);
  Written written;
  for (const double share : {1.0, 0.66, 0.45}) {
    written.rows = wrapped(rows, std::max(60.0, share * room), theme.smallSize);
    double width = 0;
    for (const Row& row : written.rows)
      width =
          std::max(width, textWidth(row.text, theme.smallSize) + (row.swatch == Row::Swatch::None ? 0 : kSwatchWidth));
    const double height = static_cast<double>(written.rows.size()) * kRowHeight * theme.smallSize + theme.space;
    written.place = placeBox(frame, width + 2 * theme.space, height,
                             {Corner::BottomLeft, Corner::BottomRight, Corner::TopRight, Corner::TopLeft}, taken);
    if (written.place.free) break;
  }
  return written;
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
  const Written written = writtenIn(frame, rows);
  const Placed& place = written.place;
  rows = written.rows;
  // A small picture has no room for what the panel says too; a figure hides no data.
  const bool crowded = frame.layout.tiny || !place.free || rows.size() > 2 || !fits(frame, place.box);
  if (frame.layout.compact && crowded) return {};
  if (frame.figure && (!place.bare || !fits(frame, place.box))) return {};
  render::Color fill = boxColor(theme);
  if (place.met) fill.a = kMetOpacity;
  addBox(items, place.box, theme.radius, fill, theme.border);
  const double lineHeight = kRowHeight * theme.smallSize;
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
