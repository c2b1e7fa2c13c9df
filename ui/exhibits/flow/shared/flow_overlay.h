// SPDX-License-Identifier: Apache-2.0
// What the Flow picture is drawn with: rows of text with a swatch in front, as legend and read-out have them; lines cut
// to the window, thinned to what can be seen at this size, with an edge around them so that they are read on every
// colour below; names beside places. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/markov/chain.h"
#include "engine/render/scene.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// A row of the legend: what is drawn in front of the text.
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

/// How many pixels theory and integration differ on, of so many: the marks {n} and {m} of `text`.
LegendRow disagreementRow(const Theme& theme, const std::string& text, std::size_t count, std::size_t all);

/// A probability in at most three decimals, or by its power of ten where they would say 0 or 1.
std::string chance(double value);

double rowWidth(const LegendRow& row, float size);
/// Rows no wider than `room`; what does not fit goes on in a row of its own, below the text.
std::vector<LegendRow> wrappedRows(const std::vector<LegendRow>& rows, double room, float size);
/// Rows from `corner` downwards in lines of this height; texts are cut at `right`. `text`: their colour.
void addRows(std::vector<render::Item>& items, const std::vector<LegendRow>& rows, render::Point corner, double right,
             float size, double lineHeight, render::Color text, const Theme& theme);
/// The mark at the right of a legend's first row that says whether a click folds it (down) or unfolds it.
void addFoldMark(std::vector<render::Item>& items, double right, double y, bool open, render::Color color);
/// Whether a box lies inside the plot.
bool fits(const FlowFrame& frame, const render::Rect& box);

/// "p + q = 1.30 > 1", with the digits that tell a sum near 1 from 1.
std::string relation(const markov::Chain& chain);

}  // namespace overlay

/// The window and a margin around it: what lies further out is not drawn at all.
render::Rect drawnWindow(const render::Rect& window);
bool nearWindow(const FlowFrame& frame, render::Point at);

/// A line with its casing. `fade` per point, may be empty. Points that are not finite break it.
void addLine(std::vector<render::Item>& items, const std::vector<render::Point>& points, const render::Stroke& stroke,
             const FlowFrame& frame, const std::vector<double>& fade = {});

/// A name beside a place in the plane: above (or below) and to the right of it, turned where the plot ends there.
render::Label nameAt(const FlowFrame& frame, render::Point at, const std::string& name, render::Color color,
                     double away, bool above);

/// Rows of a legend in columns, for a figure whose plot they would hide: they stand below it or beside it.
struct LegendGrid {
  std::vector<std::vector<LegendRow>> columns;
  double columnWidth = 0, height = 0;  ///< points
  float size = 0;                      ///< of the text
};

/// In as many columns of equal width, at most `most`, as make it lowest. Texts are broken; a row stays in one column.
LegendGrid legendGrid(const std::vector<LegendRow>& rows, double width, float size, std::size_t most = 4);
/// `corner`: the upper left one.
void addLegendGrid(std::vector<render::Item>& items, const LegendGrid& grid, render::Point corner, const Theme& theme);

}  // namespace sepx::ui
