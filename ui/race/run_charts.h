// SPDX-License-Identifier: Apache-2.0
// The charts of a race: one metric over steps for all runs. Each run has a colour or a dash, and layers are coloured
// from the first to the last. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// Whether any run of the race has numbers for the metric, or may still get them.
bool hasNumbers(const RaceShared& shared, RaceMetric metric);
/// Whether the metric is a score of W_qk, which has one series per layer.
bool ofLayers(RaceMetric metric);
/// Colour and dash of run i: the same in every chart and pane.
ChartLook runLook(const Theme& theme, std::size_t i);
/// The colour of a layer on the scale from the first layer to the last.
render::Color depthColor(const Theme& theme, int layer, int layers);
/// "loss (nats)", translated.
std::string metricTitle(RaceMetric metric);

/// Legend of charts by layer: dashes for runs, colours for layers. Of many layers it has the first, the last and the
/// chosen one.
std::vector<LegendEntry> layerLegend(const RaceShared& shared, const Theme& theme);

/// A step axis that ends at the newest step of the runs or somewhat beyond it.
ChartAxis stepAxis(const RaceShared& shared);
LineChart makeRunChart(const RaceShared& shared, RaceMetric metric, const Theme& theme, bool compact);

}  // namespace sepx::ui
