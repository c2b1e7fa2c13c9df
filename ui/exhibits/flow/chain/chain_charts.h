// SPDX-License-Identifier: Apache-2.0
// The charts beside the square of (p,q) and what is read at a place: pure functions of what is known.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/views/board.h"

namespace sepx::ui {

/// P(I_min) against sigma: quadrature as lines, counts of integrated starts with their 95 % intervals, the present
/// sigma.
ChartContent curveChart(const ChainState& state, const ChainResults& results, const Theme& theme);
std::vector<LegendEntry> curveLegend(const ChainState& state, const Theme& theme);
/// Charts of what is read along the path and at its head, where it is shown ("along1" …), and a sentence about its
/// ends: their views go into `into`, and where they stand is answered.
Arrangement addAlongPath(Views& into, const ChainState& state, const ChainResults& results, const Theme& theme);
/// Of the marker on the path.
std::pair<std::string, std::string> alongGesture();
/// Everything at one place: what it is called and its value, a line each.
std::vector<NoteLine> readingLines(const ChainReading& reading);

}  // namespace sepx::ui
