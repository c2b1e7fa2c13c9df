// SPDX-License-Identifier: Apache-2.0
// Drawing helpers of the Flow picture: rows of text with a swatch in front, for the legend and the read-out; lines that
// are clipped to the window, thinned to the visible detail and outlined, so that they are readable on every colour;
// names beside places. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/markov/chain.h"
#include "engine/render/scene.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// A row of the legend: a text and the swatch in front of it.
struct LegendRow {
  enum class Swatch { None, Blank, Area, Line, Glyph } swatch = Swatch::None;
  render::Color color;
  render::Dash dash = render::Dash::Solid;
  render::Shape shape = render::Shape::Circle;
  bool hatched = false;
  std::string text;
  bool bold = false, muted = false;
};

namespace overlay {

inline constexpr double kSwatchWidth = 26;

render::Color boxColor(const Theme& theme);

LegendRow areaRow(const Theme& theme, markov::LimitKind kind, bool hatched, std::string text);
LegendRow lineRow(render::Color color, render::Dash dash, std::string text);
LegendRow glyphRow(const Theme& theme, markov::LimitKind kind, std::string text);
LegendRow textRow(std::string text, bool bold = false);

/// {n} and {m} in `text`: the number of pixels on which theory and integration differ, and of all pixels.
LegendRow disagreementRow(const Theme& theme, const std::string& text, std::size_t count, std::size_t all);

/// A probability with at most three decimals, or with a power of ten where these would read 0 or 1.
std::string chance(double value);

double rowWidth(const LegendRow& row, float size);
/// Wraps rows to the width `room`. The rest of a text continues in rows of its own below it.
std::vector<LegendRow> wrappedRows(const std::vector<LegendRow>& rows, double room, float size);
/// Adds rows from `corner` downwards, `lineHeight` apart. Texts are elided at `right`. `text`: the colour of the texts.
void addRows(std::vector<render::Item>& items, const std::vector<LegendRow>& rows, render::Point corner, double right,
             float size, double lineHeight, render::Color text, const Theme& theme);
/// The mark at the right of a legend's first row: down if a click folds the legend, to the right if it unfolds it.
void addFoldMark(std::vector<render::Item>& items, double right, double y, bool open, render::Color color);
/// Whether a box lies inside the plot.
bool fits(const FlowFrame& frame, const render::Rect& box);

/// "p + q = 1.30 > 1", with enough digits to distinguish a sum near 1 from 1.
std::string relation(const markov::Chain& chain);

}  // namespace overlay

/// The window with a margin around it. Objects outside it are not drawn.
render::Rect drawnWindow(const render::Rect& window);
bool nearWindow(const FlowFrame& frame, render::Point at);

/// Adds a line with its casing (outline). `fade`: opacity per point, may be empty. Non-finite points interrupt it.
void addLine(std::vector<render::Item>& items, const std::vector<render::Point>& points, const render::Stroke& stroke,
             const FlowFrame& frame, const std::vector<double>& fade = {});

/// A name beside a place in the plane: above (or below) and to the right of it, or on the other side where it would
/// leave the plot.
render::Label nameAt(const FlowFrame& frame, render::Point at, const std::string& name, render::Color color,
                     double away, bool above);

/// A legend in columns, beside or below a figure that it would otherwise cover.
struct LegendGrid {
  std::vector<std::vector<LegendRow>> columns;
  double columnWidth = 0, height = 0;  ///< points
  float size = 0;                      ///< of the text
};

/// Uses the number of columns, at most `most`, that gives the smallest height; all columns have the same width. Texts
/// are wrapped; a row stays in one column.
LegendGrid legendGrid(const std::vector<LegendRow>& rows, double width, float size, std::size_t most = 4);
/// `corner`: the upper left one.
void addLegendGrid(std::vector<render::Item>& items, const LegendGrid& grid, render::Point corner, const Theme& theme);

}  // namespace sepx::ui
