// SPDX-License-Identifier: Apache-2.0
// The charts of a race: one metric over steps for all runs, a colour or dash a run, layers by colour from the first to
// the last. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// Whether any run of the race has numbers for it, or may still get them.
bool hasNumbers(const RaceShared& shared, RaceMetric metric);
/// A score of W_qk: a series a layer.
bool ofLayers(RaceMetric metric);
/// Colour and dash of run i: the same in every chart and pane.
ChartLook runLook(const Theme& theme, std::size_t i);
/// Layers from the first to the last.
render::Color depthColor(const Theme& theme, int layer, int layers);
/// "loss (nats)", translated.
std::string metricTitle(RaceMetric metric);

/// What the dashes (runs) and colours (layers) of charts by layer mean; the first, last and chosen of many layers.
std::vector<LegendEntry> layerLegend(const RaceShared& shared, const Theme& theme);

/// Steps, up to where the runs have got or somewhat beyond.
ChartAxis stepAxis(const RaceShared& shared);
LineChart makeRunChart(const RaceShared& shared, RaceMetric metric, const Theme& theme, bool compact);

}  // namespace sepx::ui
