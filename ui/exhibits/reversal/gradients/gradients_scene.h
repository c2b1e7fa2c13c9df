// SPDX-License-Identifier: Apache-2.0
// What the page Gradients draws of its numbers: bars by group, charts over steps and rates, lines of words. Pure.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ui/canvas/theme.h"
#include "ui/exhibits/reversal/gradients/gradients_view.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

inline constexpr double kBoldType = 1.14;  ///< width of bold type, of that of other type

/// "token embedding E", "W_Q", ...: translated.
std::string wordsOf(nn::ParameterGroup group);
/// What the idealised theory says of the cosine of a group; NaN where it says nothing.
double idealisedCosine(const GradientsView& view, nn::ParameterGroup group);

/// A bar a group from 0 to its cosine, -1 ... 1, with the number, what the group adds to the cosine of all, and a
/// hollow diamond at what the idealised theory says.
void addGroupBars(std::vector<render::Item>& items, const render::Rect& box, const GradientsView& view,
                  const Theme& theme);
LineChart historyChart(const CosineHistory& history, double end, const Theme& theme, bool compact);
LineChart ratesChart(const GradientsView& view, const Theme& theme, bool compact);

/// A heading, or a name with its value.
struct GradientsFact {
  std::string name, value;
  bool heading = false;
};
/// `singles` null: not counted yet.
std::vector<GradientsFact> factsOf(const GradientsView& view, const SinglePairs* singles);

}  // namespace sepx::ui
