// SPDX-License-Identifier: Apache-2.0
// A picture of a page (HTML): its drawing as an element, and what a script can say of it under the pointer, cells of
// its views and values over its planes. Plain data; made on the frame thread.
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

/// A longer state is in the recipe of the page alone.
inline constexpr std::size_t kLongestShownState = 2000;

struct WebCell {
  render::Point at;  ///< of the picture, units
  std::string text;  ///< all that is to be said of it
};

struct WebRow {
  std::string name;
  std::vector<WebCell> cells;
};

/// A chart, a matrix or the points of a person.
struct WebView {
  std::string name;  ///< "training.curves.loss"
  std::string label, description;
  std::vector<WebRow> rows;
  bool thinned = false;  ///< not every cell is there
};

/// Numbers over two axes, for places where there is no cell.
struct WebPlane {
  std::string name;                                 ///< "flow", "flow@2"
  std::string x, y;                                 ///< what the axes are called
  render::Rect box;                                 ///< of the picture, units
  double left = 0, right = 1, bottom = 0, top = 1;  ///< in the units of the axes, at the edges of `box`
  struct Layer {
    std::string name;
    std::size_t columns = 0, rows = 0;
    std::vector<double> values;      ///< [rows, columns], the first row at `bottom`
    std::vector<std::string> words;  ///< what a whole number means; empty: it is a number
  };
  std::vector<Layer> layers;
  bool logX = false, logY = false;  ///< along the axis values grow by factors
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

/// Of what the figure's workbench shows, at most about so many cells. Its panes become active one after the other.
void collectValues(Workbench& figure, double pixelsPerUnit, std::size_t mostCells, WebPicture& into);

}  // namespace sepx::ui
