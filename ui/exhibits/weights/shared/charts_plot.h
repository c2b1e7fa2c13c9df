// SPDX-License-Identifier: Apache-2.0
// The charts as data: a score by layer, a score of several models by depth, and a score against the number of
// parameters, with the text for the point under the pointer. Pure functions of plain numbers, which must outlive the
// charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/canvas/theme.h"
#include "ui/exhibits/weights/shared/charts_data.h"
#include "ui/views/line_chart.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// One plot of a score by layer, with its numbers.
struct LayerChart {
  ChartScore which = ChartScore::Symmetry;
  const std::vector<StackSeries>* series = nullptr;
  const Theme* theme = nullptr;
  double width = 0;  ///< with title and axes
  bool heads = true;
  std::optional<int> chosenLayer{};                      ///< marked; a figure marks none
  const attention::PublishedModel* published = nullptr;  ///< the row of this checkpoint; null: none
};
ChartContent layerChart(const LayerChart& chart);
/// The legend of the marks.
std::vector<LegendEntry> layerLegend(const std::vector<StackSeries>& series, bool heads, const Theme& theme);
/// The axis of a score. It contains 0 and all values of the chart, and is limited to the range of scores.
ChartAxis scoreAxis(const LineChart& chart, ChartScore which);

/// One stack of one of several models.
struct OverlayModel {
  std::string name;       ///< with the stack if the model has several
  StackSeries series[2];  ///< by ChartScore
};

/// The depth of a layer: the layer's number, or if `relative` its share of the way from the first layer (0) to the last
/// (1), so that models of different depths can be compared. The layer of a model with one layer is at 0.5.
double depthOf(const StackSeries& series, const LayerPoint& point, bool relative);
/// A score of several models by depth.
LineChart overlayChart(const std::vector<OverlayModel>& models, ChartScore which, bool relative, const Theme& theme);

ChartContent scatterChart(const std::vector<ModelDot>& dots, ChartScore which, const Theme& theme);
std::vector<LegendEntry> scatterLegend(const std::vector<ModelDot>& dots, const Theme& theme);
std::string classWords(ModelClass kind);

}  // namespace sepx::ui
