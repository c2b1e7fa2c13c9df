// SPDX-License-Identifier: Apache-2.0
// A picture of an HTML page: its drawing as an element, and what a script shows of it under the pointer, namely cells
// of its views and values over its planes. Plain data; made on the frame thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/table.h"
#include "engine/render/scene_types.h"
#include "engine/render/svg_writer.h"
#include "ui/document/document.h"

namespace sepx::ui {

class Workbench;

/// Bytes; a longer state is only in the recipe of the page.
inline constexpr std::size_t kLongestShownState = 2000;

struct WebCell {
  render::Point at;  ///< in the picture, units
  std::string text;  ///< full text of the cell
};

struct WebRow {
  std::string name;
  std::vector<WebCell> cells;
};

/// A chart, a matrix or the points that the user placed.
struct WebView {
  std::string name;  ///< "training.curves.loss"
  std::string label, description;
  std::vector<WebRow> rows;
  bool thinned = false;  ///< some cells are left out
};

/// Numbers over two axes, for positions where there is no cell.
struct WebPlane {
  std::string name;                                 ///< "flow", "flow@2"
  std::string x, y;                                 ///< names of the axes
  render::Rect box;                                 ///< in the picture, units
  double left = 0, right = 1, bottom = 0, top = 1;  ///< in the units of the axes, at the edges of `box`
  struct Layer {
    std::string name;
    std::size_t columns = 0, rows = 0;
    std::vector<double> values;      ///< [rows, columns], the first row at `bottom`
    std::vector<std::string> words;  ///< meanings of integer values; empty: plain numbers
  };
  std::vector<Layer> layers;
  bool logX = false, logY = false;  ///< the axis is logarithmic
};

struct WebFormula {
  std::string name, value, formula, numbers, source;  ///< formulas in the markup of formula.h; may be empty
};

struct WebPicture {
  render::SvgElement svg;
  double width = 0, height = 0;  ///< units
  std::string title, caption;
  std::string state;  ///< "sepx:1:…"; empty: it has none
  std::vector<WebView> views;
  std::vector<WebPlane> planes;
  std::vector<WebFormula> formulas;
};

/// Collects the values of what the figure's workbench shows, about `mostCells` cells at most. Activates each pane in
/// turn.
void collectValues(Workbench& figure, double pixelsPerUnit, std::size_t mostCells, WebPicture& into);

}  // namespace sepx::ui
