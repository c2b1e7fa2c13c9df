// SPDX-License-Identifier: Apache-2.0
// The pictures of figures 3, S3, S4 and S5 of Attention-Structure: panels of loss, medians or layers over the steps.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "engine/attention/scores.h"
#include "ui/plots/line_chart.h"

namespace sepx::app::cli {

using studies::EmergenceRun;
using studies::EmergenceStudy;
using studies::ScorePoint;
using studies::Trainee;

namespace {

enum class Drawn { Loss, Symmetry, Directionality };
struct Panel {
  std::size_t source = 0;
  Drawn shown = Drawn::Loss;
  bool byLayer = false;  ///< else the median over the layers
};

std::vector<Panel> panelsOf(const EmergenceStudy& study) {
  if (study.number == 105)
    return {{0, Drawn::Loss}, {0, Drawn::Symmetry}, {0, Drawn::Symmetry, true}, {0, Drawn::Directionality}};
  std::vector<Panel> panels;
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    for (const bool byLayer : {false, true}) {
      if (byLayer ? study.number == 103 : study.number == 104) continue;
      panels.push_back({s, Drawn::Symmetry, byLayer});
      panels.push_back({s, Drawn::Directionality, byLayer});
    }
  return panels;
}

const char* panelName(const Panel& panel) {
  switch (panel.shown) {
    case Drawn::Loss:
      return N_("validation loss");
    case Drawn::Symmetry:
      return panel.byLayer ? N_("symmetry by layer") : N_("median symmetry");
    default:
      return panel.byLayer ? N_("directionality by layer") : N_("median directionality");
  }
}

/// Looks of the medians of two trainees come first, then those of their layers.
std::size_t lookOf(Trainee trainee, int layer, std::size_t layers) {
  const std::size_t second = trainee == Trainee::Encoder ? 0 : 1;
  return layer < 0 ? second : 2 + second * layers + static_cast<std::size_t>(layer);
}

void addLine(ui::LineChart& chart, const EmergenceRun& run, const Panel& panel, int layer, const ui::Theme& theme) {
  ui::ChartSeries& line = chart.series.emplace_back();
  line.look = ui::seriesLook(theme, lookOf(run.trainee, layer, run.scores.front().symmetry.size()));
  const auto add = [&line](std::int64_t step, double value) {
    line.x.push_back(static_cast<double>(step));
    line.y.push_back(value);
  };
  if (panel.shown == Drawn::Loss) {
    for (const auto& point : run.curve)
      add(point.step, point.loss);
    return;
  }
  for (const ScorePoint& point : run.scores) {
    const std::vector<double>& values = panel.shown == Drawn::Symmetry ? point.symmetry : point.directionality;
    add(point.step, layer < 0 ? attention::quartiles(values).median : values[static_cast<std::size_t>(layer)]);
  }
}

void fitY(ui::LineChart& chart) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const ui::ChartSeries& line : chart.series)
    for (const double value : line.y)
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  const double room = std::max(0.05 * (high - low), 0.01);
  chart.y.from = low - room;
  chart.y.to = high + room;
}

ui::LineChart panelChart(const EmergenceStudy& study, const Panel& panel, const ui::Theme& theme) {
  ui::LineChart chart;
  std::int64_t steps = 1;
  for (const EmergenceRun& run : study.runs) {
    if (run.source != panel.source) continue;
    steps = std::max(steps, run.curve.back().step);
    if (!panel.byLayer) addLine(chart, run, panel, -1, theme);
    for (int layer = 0; panel.byLayer && layer < static_cast<int>(run.scores.front().symmetry.size()); ++layer)
      addLine(chart, run, panel, layer, theme);
  }
  chart.x = {.name = tr(N_("step")), .from = 0, .to = static_cast<double>(steps)};
  chart.y.name = tr(panelName(panel));
  chart.strongTitle = true;
  fitY(chart);
  return chart;
}

std::vector<ui::LegendEntry> emergenceLegend(const EmergenceStudy& study, const std::vector<Panel>& panels,
                                             const ui::Theme& theme) {
  std::vector<ui::LegendEntry> legend;
  const std::size_t layers = study.runs.front().scores.front().symmetry.size();
  const bool medians = std::any_of(panels.begin(), panels.end(), [](const Panel& panel) { return !panel.byLayer; });
  const bool single = std::any_of(panels.begin(), panels.end(), [](const Panel& panel) { return panel.byLayer; });
  for (const EmergenceRun& run : study.runs) {
    if (run.source != 0 || run.seed != study.runs.front().seed) continue;
    const std::string name = tr(words(run.trainee));
    if (medians) legend.push_back({name, ui::seriesLook(theme, lookOf(run.trainee, -1, layers))});
    for (int layer = 0; single && layer < static_cast<int>(layers); ++layer)
      legend.push_back(
          {trf(N_("{}, layer {}"), name, layer), ui::seriesLook(theme, lookOf(run.trainee, layer, layers))});
  }
  return legend;
}

}  // namespace

render::Scene emergenceFigure(const EmergenceStudy& study, double width, double height, const ui::Theme& theme) {
  render::Scene scene = emptyPage(width, height, theme);
  const std::vector<Panel> panels = panelsOf(study);
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
    ui::LineChart chart = panelChart(study, panels[i], theme);
    const char letter = static_cast<char>('a' + i);
    const studies::EmergenceSource& source = study.sources[panels[i].source];
    chart.title = fittingTitle(fmt::format("({}) {}: {}", letter, tr(source.what), tr(panelName(panels[i]))),
                               fmt::format("({}) {}", letter, source.name), wide, theme);
    scene.layers.push_back({fmt::format("panel {}", letter), ++revision, true, false,
                            ui::PlacedChart(std::move(chart), box, theme).items()});
  }
  std::vector<render::Item> legend;
  ui::addLegend(legend, {margins.left, height - foot}, width - margins.left, emergenceLegend(study, panels, theme),
                theme);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  return scene;
}

}  // namespace sepx::app::cli
