// SPDX-License-Identifier: Apache-2.0
// Rows with their swatches: an area with its hatch, a line with its dashes, a glyph. Pure.
#include <algorithm>
#include <utility>

#include "engine/core/number.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/number_words.h"

namespace sepx::ui::overlay {

namespace {

constexpr float kBoxOpacity = 0.92f;

/// Two whole dashes, however wide the line and its pattern are.
void addSwatchLine(std::vector<render::Item>& items, const LegendRow& row, double left, double right, double y,
                   const Theme& theme) {
  const bool dashed = row.dash == render::Dash::Dashed;
  const double dash = dashed ? 0.4 * (right - left) : right - left;
  const render::Stroke stroke{row.color, theme.strongLine, dashed ? render::Dash::Solid : row.dash};
  items.push_back(render::Polyline{{{left, y}, {left + dash, y}}, stroke, {}, render::Space::Page});
  if (dashed) items.push_back(render::Polyline{{{right - dash, y}, {right, y}}, stroke, {}, render::Space::Page});
}

}  // namespace

render::Color boxColor(const Theme& theme) {
  render::Color color = theme.surface;
  color.a = kBoxOpacity;
  return color;
}

LegendRow areaRow(const FlowFrame& frame, markov::LimitKind kind, bool hatched, std::string text) {
  LegendRow row{LegendRow::Swatch::Area, kindColor(frame.theme, kind), {}, {}, hatched, std::move(text), false};
  row.color.a = std::min(1.0f, 2 * frame.theme.basinOpacity);
  return row;
}

LegendRow lineRow(render::Color color, render::Dash dash, std::string text) {
  return {LegendRow::Swatch::Line, color, dash, {}, false, std::move(text), false};
}

LegendRow glyphRow(const FlowFrame& frame, markov::LimitKind kind, std::string text) {
  return {LegendRow::Swatch::Glyph, kindColor(frame.theme, kind), {}, kindShape(kind), false, std::move(text), false};
}

LegendRow textRow(std::string text, bool bold) {
  return {LegendRow::Swatch::None, {}, {}, {}, false, std::move(text), bold};
}

std::string chance(double value) {
  std::string text = shownProbability(value, 3);
  while (text.size() > 3 && text.back() == '0' && text.rfind("0.", 0) == 0)
    text.pop_back();
  return text;
}

void addSwatch(std::vector<render::Item>& items, const LegendRow& row, double x, double y, const Theme& theme) {
  const double middle = x + kSwatchWidth / 2 - 3;
  const double half = kSwatchWidth / 2 - 4;
  const render::Rect box{{middle - half, y - 5}, {middle + half, y + 5}};
  switch (row.swatch) {
    case LegendRow::Swatch::None:
      return;
    case LegendRow::Swatch::Area:
      items.push_back(render::Fill{{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}}, row.color});
      for (int i = 0; row.hatched && i < 4; ++i) {
        const double at = box.min.x + (i + 0.25) * box.width() / 4.5;
        items.push_back(render::Polyline{{{at, box.max.y}, {std::min(box.max.x, at + 5), box.min.y}},
                                         {theme.text, 1, render::Dash::Solid},
                                         {},
                                         render::Space::Page});
      }
      return;
    case LegendRow::Swatch::Line:
      addSwatchLine(items, row, box.min.x, box.max.x, y, theme);
      return;
    case LegendRow::Swatch::Glyph:
      items.push_back(
          render::Marker{{middle, y}, row.shape, 9, row.color, theme.plotBackground, 1.0f, render::Space::Page});
      return;
  }
}

bool fits(const FlowFrame& frame, const render::Rect& box) {
  return frame.layout.plot.contains(box.min) && frame.layout.plot.contains(box.max);
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

}  // namespace sepx::ui::overlay
