// SPDX-License-Identifier: Apache-2.0
// The charts of a study's result in the colours of a theme, for a page and for a figure. Pure.
#pragma once

#include <vector>

#include "engine/studies/study_result.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// As a page has it: the title says what y is, whose axis has no name.
LineChart lineChart(const studies::StudyChart& chart, const Theme& theme);
std::vector<LegendEntry> chartLegend(const std::vector<studies::StudyLegend>& legend, const Theme& theme);
/// All charts of a result on one page in rows, each with its letter where it has a title of a figure (the long one
/// where there is room), and the legend below them.
render::Scene chartsFigure(const studies::StudyResult& result, double width, double height, const Theme& theme);
/// An empty page in the theme's colours.
render::Scene emptyPage(double width, double height, const Theme& theme);
/// `whole` where it fits above a plot of that width, else `brief`.
std::string fittingTitle(const std::string& whole, const std::string& brief, double width, const Theme& theme);

}  // namespace sepx::ui
