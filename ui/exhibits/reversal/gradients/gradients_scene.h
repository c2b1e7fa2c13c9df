// SPDX-License-Identifier: Apache-2.0
// Draws the numbers of the page Gradients: bars by group, charts over steps and rates, lines of text. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/reversal/gradients/gradients_result.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// Name of a group: "token embedding", "W_Q", ...; translated.
std::string wordsOf(nn::ParameterGroup group);
/// The cosine of a group by the idealised theory; NaN if it gives none.
double idealisedCosine(const GradientsResult& result, nn::ParameterGroup group);

/// One bar per group from 0 to its cosine (-1 to 1), with the number, the part that the group adds to the cosine of all
/// parameters, and a hollow diamond at the value of the idealised theory.
std::vector<render::Item> groupBars(const GradientsResult& result, const ViewPlace& place);
/// Names and values under headings. `singles` null: not counted yet.
std::vector<NoteLine> factLines(const GradientsResult& result, const SinglePairs* singles);
LineChart historyChart(const CosineHistory& history, double end, const Theme& theme);
LineChart ratesChart(const GradientsResult& result, const Theme& theme);

}  // namespace sepx::ui
