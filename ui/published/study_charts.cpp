// SPDX-License-Identifier: Apache-2.0
#include "ui/published/study_charts.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::StudyChart;

LineChart lineChart(const StudyChart& from, const Theme& theme) {
  LineChart chart;
  chart.title = trFormat(from.title);
  chart.x = {.name = trFormat(from.xName), .whole = from.integerTicksX, .from = from.xFrom, .to = from.xTo};
  chart.y = {.from = from.yFrom, .to = from.yTo};
  if (from.zero) chart.references.push_back({.value = 0, .look = {.color = theme.textMuted, .width = 1}});
  for (const studies::StudySeries& series : from.series) {
    ChartSeries& line = chart.series.emplace_back();
    line.look = seriesLook(theme, series.look);
    if (series.band) line.look.spread = Spread::Band;
    line.x = series.x;
    line.y = series.y;
    line.low = series.low;
    line.high = series.high;
  }
  for (const double level : from.levels)
    chart.references.push_back({level, "", {theme.textMuted, render::Dash::Dashed, 1}});
  return chart;
}

std::vector<LegendEntry> chartLegend(const std::vector<studies::StudyLegend>& legend, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (const studies::StudyLegend& one : legend)
    entries.push_back(
        {trFormat(one.name), one.mark == studies::StudyLegend::Mark::Series ? seriesLook(theme, one.look)
                             : one.mark == studies::StudyLegend::Mark::Band
                                 ? ChartLook{.color = theme.textMuted, .width = 0, .spread = Spread::Band}
                                 : ChartLook{.color = theme.textMuted, .dash = render::Dash::Dashed, .width = 1}});
  return entries;
}

render::Scene chartsFigure(const studies::StudyResult& result, double width, double height, const Theme& theme) {
  render::Scene scene = emptyPage(width, height, theme);
  const Margins margins = axisMargins(theme, false);
  const double small = static_cast<double>(theme.smallSize);
  std::vector<render::Item> legend;
  const std::vector<LegendEntry> entries = chartLegend(result.legend, theme);
  const double foot = addLegend(legend, {}, width - margins.left, entries, theme) + 0.6 * small;
  const std::size_t columns = result.chartsPerRow, rows = (result.charts.size() + columns - 1) / columns;
  const double cellWidth = width / static_cast<double>(columns),
               cellHeight = (height - foot) / static_cast<double>(rows);
  const double wide = cellWidth - margins.left - margins.right - 16;
  std::uint64_t revision = 0;
  for (std::size_t i = 0; i < result.charts.size(); ++i) {
    if (wide < 40 || cellHeight - margins.bottom < 60) continue;
    const StudyChart& from = result.charts[i];
    const std::size_t row = i / columns, column = i % columns;
    const double x = static_cast<double>(column) * cellWidth, y = static_cast<double>(row) * cellHeight;
    LineChart chart = lineChart(from, theme);
    chart.y.name = trFormat(from.yName);
    if (chart.strongTitle = *from.whole.pattern != '\0'; chart.strongTitle) {
      const auto lettered = [i](const std::string& title) {
        return fmt::format("({}) {}", static_cast<char>('a' + i), title);
      };
      chart.title = fittingTitle(lettered(trFormat(from.whole)), lettered(trFormat(from.brief)), wide, theme);
    }
    scene.layers.push_back(
        {fmt::format("panel {} {}", row, column), ++revision, true, false,
         PlacedChart(std::move(chart), {{x + 8, y}, {x + cellWidth - 8, y + cellHeight}}, theme).items()});
  }
  legend.clear();
  addLegend(legend, {margins.left, height - foot}, width - margins.left, entries, theme);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  for (render::Layer& layer : scene.layers)
    typesetSymbols(layer.items);
  return scene;
}

render::Scene emptyPage(double width, double height, const Theme& theme) {
  render::Scene scene;
  scene.width = width;
  scene.height = height;
  scene.background = theme.plotBackground;
  scene.plot = scene.window = {{0, 0}, {width, height}};
  return scene;
}

std::string fittingTitle(const std::string& whole, const std::string& brief, double width, const Theme& theme) {
  constexpr double kBold = 1.1;
  return kBold * textWidth(whole, static_cast<double>(theme.textSize)) < width ? whole : brief;
}

}  // namespace sepx::ui
