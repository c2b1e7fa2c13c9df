// SPDX-License-Identifier: Apache-2.0
// The plane's own views: what follows from the model, what a person placed, and what is written over it. Pure functions
// of a frame.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

/// What follows from the model, and what a person placed.
void addPlaneViews(const FlowFrame& frame, PlaneViews& into);
/// What the read-out says, and the bar of time.
void addWordViews(const FlowFrame& frame, PlaneViews& into);

struct PlaneLegend {
  std::vector<LegendRow> rows;
  float size = 0;  ///< of the text
  double width = 0, height = 0;
  bool whole = true;  ///< no row was left out
  Placed place{};
};
PlaneLegend legendOf(const FlowFrame& frame, const PlaneLayers& layers);
/// The layout of a figure that has a legend: beside the plot where a column has room for all of it, else below it; none
/// where that would take half of the page. `top`: as layoutFlow().
FlowLayout figureLayout(const FlowFrame& frame, const PlaneLayers& layers, double top);
std::vector<render::Item> legendItems(const FlowFrame& frame, const PlaneLegend& legend);
/// The square of (p, q).
std::vector<render::Item> squareItems(const FlowFrame& frame);
/// What is under the pointer, and where the selected point ends; nothing in a figure.
std::vector<render::Item> readOutItems(const FlowFrame& frame);
/// The loss of the selected point along the time of the flow, and the moment at which the moving markers are.
std::vector<render::Item> timeItems(const FlowFrame& frame);
/// Tables points, paths, ways_back, critical, separatrix, cloud, overlays, labels; grids of the axes, the loss and the
/// basins. What is not shown is left out, but for the points.
Numbers flowNumbers(const FlowState& state, const FlowResults& results);
/// What the picture shows, with the parameters and where the points end. Translated, no markup.
std::string flowCaption(const FlowState& state, const FlowResults& results);
/// A coordinate to the digits that a window of this span can tell.
std::string shownPlace(double value, double span);

}  // namespace sepx::ui
