// SPDX-License-Identifier: Apache-2.0
// The charts as items: a plot of a score by layer, and one against the number of parameters. Pure functions of plain
// numbers; also what lies under the pointer, so that what is said and what is drawn are the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/weights/charts/charts_data.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

/// One plot with its numbers.
struct LayerChart {
  ChartScore which = ChartScore::Symmetry;
  const std::vector<StackSeries>* series = nullptr;
  const Theme* theme = nullptr;
  render::Rect box;  ///< with title and axes
  bool heads = true;
  std::optional<int> chosenLayer{};                      ///< marked; a figure marks none
  const attention::PublishedModel* published = nullptr;  ///< of this very checkpoint
};

/// A place of a chart: stack and layer.
struct ChartPlace {
  std::size_t series = 0, point = 0;
  bool operator==(const ChartPlace&) const = default;
};

PlacedChart placedLayers(const LayerChart& chart);
/// The layer nearest to the pointer.
std::optional<ChartPlace> layerAt(const LayerChart& chart, render::Point pointer);
/// Marks the place and says what is known of it.
std::vector<render::Item> layerTip(const LayerChart& chart, ChartPlace place, render::Point pointer,
                                   const render::Rect& area);
/// What the marks mean.
std::vector<LegendEntry> layerLegend(const std::vector<StackSeries>& series, bool heads, const Theme& theme);
/// The axis of a score: 0 and all values of the chart, within what a score can be.
ChartAxis scoreAxis(const LineChart& chart, ChartScore which);

/// One stack of a model among several.
struct OverlayModel {
  std::string name;       ///< with the stack where the model has several
  StackSeries series[2];  ///< by ChartScore
};

/// A score of several models by depth: the layer's number, or its share of the way from the first layer (0) to the last
/// (1), so that models of different depths can be compared. A model of one layer stands in the middle.
struct OverlayChart {
  ChartScore which = ChartScore::Symmetry;
  const std::vector<OverlayModel>* models = nullptr;
  const Theme* theme = nullptr;
  render::Rect box;
  bool relative = true;
};
double depthOf(const StackSeries& series, const LayerPoint& point, bool relative);
PlacedChart placedOverlay(const OverlayChart& chart);

struct ScatterChart {
  ChartScore which = ChartScore::Symmetry;
  const std::vector<ModelDot>* dots = nullptr;
  const Theme* theme = nullptr;
  render::Rect box;
  bool compact = false;
};

std::vector<render::Item> scatterItems(const ScatterChart& chart);
std::optional<std::size_t> dotAt(const ScatterChart& chart, render::Point pointer);
std::vector<render::Item> dotTip(const ScatterChart& chart, std::size_t dot, render::Point pointer,
                                 const render::Rect& area);
std::vector<LegendEntry> scatterLegend(const ScatterChart& chart);
std::string classWords(ModelClass kind);

}  // namespace sepx::ui
