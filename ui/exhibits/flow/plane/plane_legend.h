// SPDX-License-Identifier: Apache-2.0
// What is drawn over the plane: the legend, the square of (p, q) and the read-out. Also the layout of a figure that has
// a legend. Pure functions of a frame.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_layout.h"

namespace sepx::ui {

struct PlaneLegend {
  std::vector<LegendRow> rows;
  float size = 0;  ///< of the text
  double width = 0, height = 0;
  bool whole = true;  ///< no row was left out
  BoxPlacement place{};
};
PlaneLegend legendOf(const FlowFrame& frame, const PlaneLayers& layers);
/// The layout of a figure that has a legend. The legend is beside the plot if a column has room for all of it, else
/// below it; it is omitted if it would take nearly half of the page. `top`: as for layoutFlow().
FlowLayout figureLayout(const FlowFrame& frame, const PlaneLayers& layers, double top);
std::vector<render::Item> legendItems(const FlowFrame& frame, const PlaneLegend& legend);
/// The square of (p, q).
std::vector<render::Item> squareItems(const FlowFrame& frame);
/// The read-out: what is under the pointer, and where the selected point ends; empty in a figure.
std::vector<render::Item> readOutItems(const FlowFrame& frame);

/// A coordinate with as many digits as a window of this span resolves.
std::string shownPlace(double value, double span);

}  // namespace sepx::ui
