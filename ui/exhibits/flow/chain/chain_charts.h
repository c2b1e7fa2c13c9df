// SPDX-License-Identifier: Apache-2.0
// The charts beside the square of (p,q), and the lines of text about a place. Pure functions of state and results.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// P(I_min) against sigma: quadrature as lines, counts of integrated starts with 95 % intervals, the current sigma.
ChartContent curveChart(const ChainState& state, const ChainResults& results, const Theme& theme);
std::vector<LegendEntry> curveLegend(const ChainState& state, const Theme& theme);
/// Adds the views of the charts of the quantities along the path and at its head ("along1" …, if the path is shown),
/// and of a sentence about its ends. Returns their arrangement.
Arrangement addPathCharts(Views& into, const ChainState& state, const ChainResults& results, const Theme& theme);
/// The gesture that moves the marker on the path, and what it does.
std::pair<std::string, std::string> pathGesture();
/// All quantities at one place: one line each, with name and value.
std::vector<NoteLine> readingLines(const ChainReading& reading);

}  // namespace sepx::ui
