// SPDX-License-Identifier: Apache-2.0
// The panels of figures 3 and 5 of Reversal, for a page and for a file: correlation of scores by the sum of distances,
// cosine of gradients and probability of the target over the steps, a row of three each length. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/studies/transfer_study.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

/// The lengths of the runs, ascending.
std::vector<int> transferLengths(const studies::TransferFigure& figure);
/// [lengths, 3]: correlation, cosine, probability; lines of all seeds.
std::vector<LineChart> transferCharts(const studies::TransferFigure& figure, const Theme& theme);
/// Of all these charts.
std::vector<LegendEntry> transferLegend(const Theme& theme);

}  // namespace sepx::ui
