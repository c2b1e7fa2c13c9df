// SPDX-License-Identifier: Apache-2.0
// Draws the charts of a study's result in the colours of a theme, for a page and for a figure. Pure.
#pragma once

#include <vector>

#include "engine/studies/study_result.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// A chart for a page: the title says what y is, and the y axis has no name.
LineChart lineChart(const studies::StudyChart& chart, const Theme& theme);
std::vector<LegendEntry> chartLegend(const std::vector<studies::StudyLegend>& legend, const Theme& theme);
/// All charts of a result in rows on one page, with the legend below them. A chart with a title for figures gets a
/// letter and the long title, or the short one if there is no room.
render::Scene chartsFigure(const studies::StudyResult& result, double width, double height, const Theme& theme);
/// An empty page in the theme's colours.
render::Scene emptyPage(double width, double height, const Theme& theme);
/// `whole` if it fits above a plot of that width, otherwise `brief`.
std::string fittingTitle(const std::string& whole, const std::string& brief, double width, const Theme& theme);

}  // namespace sepx::ui
