// SPDX-License-Identifier: Apache-2.0
// Rows of text with a swatch in front, as the legend and the read-out of the Flow picture have them. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/markov/chain.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// A row of the legend: what is drawn in front of the text.
struct LegendRow {
  enum class Swatch { None, Area, Line, Glyph } swatch = Swatch::None;
  render::Color color;
  render::Dash dash = render::Dash::Solid;
  render::Shape shape = render::Shape::Circle;
  bool hatched = false;
  std::string text;
  bool bold = false;
};

namespace overlay {

inline constexpr double kSwatchWidth = 26;
inline constexpr float kMetOpacity = 0.35f;  ///< of a box with a handle under it, and of what is written in it
inline constexpr float kMetTextOpacity = 0.75f;

render::Color boxColor(const Theme& theme);

LegendRow areaRow(const FlowFrame& frame, markov::LimitKind kind, bool hatched, std::string text);
LegendRow lineRow(render::Color color, render::Dash dash, std::string text);
LegendRow glyphRow(const FlowFrame& frame, markov::LimitKind kind, std::string text);
LegendRow textRow(std::string text, bool bold = false);

/// A probability in at most three decimals, or by its power of ten where they would say 0 or 1.
std::string chance(double value);

/// What stands in front of a row's text, the row's middle at y.
void addSwatch(std::vector<render::Item>& items, const LegendRow& row, double x, double y, const Theme& theme);
/// Whether a box lies inside the plot.
bool fits(const FlowFrame& frame, const render::Rect& box);

/// "p + q = 1.30 > 1", with the digits that tell a sum near 1 from 1.
std::string relation(const markov::Chain& chain);

}  // namespace overlay

}  // namespace sepx::ui
