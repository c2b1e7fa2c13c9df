// SPDX-License-Identifier: Apache-2.0
// What the page Gradients draws of its numbers: bars by group, charts over steps and rates, lines of words. Pure.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/reversal/gradients/gradients_result.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// "token embedding E", "W_Q", ...: translated.
std::string wordsOf(nn::ParameterGroup group);
/// What the idealised theory says of the cosine of a group; NaN where it says nothing.
double idealisedCosine(const GradientsResult& result, nn::ParameterGroup group);

/// A bar a group from 0 to its cosine, -1 ... 1, with the number, what the group adds to the cosine of all, and a
/// hollow diamond at what the idealised theory says.
std::vector<render::Item> groupBars(const GradientsResult& result, const ViewPlace& place);
/// Names and values under headings. `singles` null: not counted yet.
std::vector<NoteLine> factLines(const GradientsResult& result, const SinglePairs* singles);
LineChart historyChart(const CosineHistory& history, double end, const Theme& theme);
LineChart ratesChart(const GradientsResult& result, const Theme& theme);

}  // namespace sepx::ui
