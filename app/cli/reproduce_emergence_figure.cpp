// SPDX-License-Identifier: Apache-2.0
// The pictures of figures 3, S3, S4 and S5 of Attention-Structure: panels of loss, medians or layers over the steps.
#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "ui/exhibits/training/shared/emergence_charts.h"
#include "ui/plots/line_chart.h"

namespace sepx::app::cli {

using studies::EmergenceStudy;

render::Scene emergenceFigure(const EmergenceStudy& study, double width, double height, const ui::Theme& theme) {
  render::Scene scene = emptyPage(width, height, theme);
  const std::vector<ui::EmergencePanel> panels = ui::emergencePanels(study);
  const ui::Margins margins = ui::axisMargins(theme, false);
  const double foot = 4.4 * static_cast<double>(theme.smallSize);
  const std::size_t columns = 2, rows = (panels.size() + 1) / columns;
  const double cellWidth = width / columns, cellHeight = (height - foot) / static_cast<double>(rows);
  std::uint64_t revision = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double x = static_cast<double>(i % columns) * cellWidth, y = static_cast<double>(i / columns) * cellHeight;
    const render::Rect box{{x + 8, y}, {x + cellWidth - 8, y + cellHeight}};
    const double wide = cellWidth - margins.left - margins.right - 16;
    if (wide < 40 || cellHeight - margins.bottom < 60) continue;
    ui::LineChart chart = ui::emergenceChart(study, panels[i], theme);
    chart.strongTitle = true;
    const char letter = static_cast<char>('a' + i);
    const studies::EmergenceSource& source = study.sources[panels[i].source];
    chart.title = fittingTitle(fmt::format("({}) {}: {}", letter, tr(source.what), ui::emergencePanelName(panels[i])),
                               fmt::format("({}) {}", letter, source.name), wide, theme);
    scene.layers.push_back({fmt::format("panel {}", letter), ++revision, true, false,
                            ui::PlacedChart(std::move(chart), box, theme).items()});
  }
  std::vector<render::Item> legend;
  ui::addLegend(legend, {margins.left, height - foot}, width - margins.left, ui::emergenceLegend(study, panels, theme),
                theme);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  return scene;
}

}  // namespace sepx::app::cli
