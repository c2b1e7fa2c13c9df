// SPDX-License-Identifier: Apache-2.0
// The charts as data: a score by layer, of several models by depth, and against the number of parameters, with what is
// said under the pointer. Pure functions of plain numbers, which the charts refer to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/canvas/theme.h"
#include "ui/exhibits/weights/shared/charts_data.h"
#include "ui/views/line_chart.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// One plot with its numbers.
struct LayerChart {
  ChartScore which = ChartScore::Symmetry;
  const std::vector<StackSeries>* series = nullptr;
  const Theme* theme = nullptr;
  double width = 0;  ///< with title and axes
  bool heads = true;
  std::optional<int> chosenLayer{};                      ///< marked; a figure marks none
  const attention::PublishedModel* published = nullptr;  ///< of this very checkpoint
};
ChartContent layerChart(const LayerChart& chart);
/// What the marks mean.
std::vector<LegendEntry> layerLegend(const std::vector<StackSeries>& series, bool heads, const Theme& theme);
/// The axis of a score: 0 and all values of the chart, within what a score can be.
ChartAxis scoreAxis(const LineChart& chart, ChartScore which);

/// One stack of a model among several.
struct OverlayModel {
  std::string name;       ///< with the stack where the model has several
  StackSeries series[2];  ///< by ChartScore
};

/// Where a layer stands by depth: the layer's number, or its share of the way from the first layer (0) to the last (1),
/// so that models of different depths can be compared. A model of one layer stands in the middle.
double depthOf(const StackSeries& series, const LayerPoint& point, bool relative);
/// A score of several models by depth.
LineChart overlayChart(const std::vector<OverlayModel>& models, ChartScore which, bool relative, const Theme& theme);

ChartContent scatterChart(const std::vector<ModelDot>& dots, ChartScore which, const Theme& theme);
std::vector<LegendEntry> scatterLegend(const std::vector<ModelDot>& dots, const Theme& theme);
std::string classWords(ModelClass kind);

}  // namespace sepx::ui
