// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/training/shared/emergence_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/scores.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::EmergenceRun;
using studies::EmergenceStudy;
using studies::ScorePoint;
using studies::Trainee;

namespace {

/// Looks of the medians of two trainees come first, then those of their layers.
std::size_t lookOf(Trainee trainee, int layer, std::size_t layers) {
  const std::size_t second = trainee == Trainee::Encoder ? 0 : 1;
  return layer < 0 ? second : 2 + second * layers + static_cast<std::size_t>(layer);
}

/// The score of one layer, or the median over the layers, with quartiles over heads or layers; `layer` -1: the median.
void addScores(ChartSeries& line, const EmergenceRun& run, const EmergencePanel& panel, int layer) {
  const bool symmetry = panel.shown == EmergenceShown::Symmetry;
  line.look.spread = Spread::Band;
  for (const ScorePoint& point : run.scores) {
    const std::vector<double>& layers = symmetry ? point.symmetry : point.directionality;
    const auto& heads = symmetry ? point.headSymmetry : point.headDirectionality;
    const auto of = static_cast<std::size_t>(std::max(0, layer));
    const attention::Quartiles spread = attention::quartiles(layer < 0           ? layers
                                                             : of < heads.size() ? heads[of]
                                                                                 : std::vector<double>());
    line.x.push_back(static_cast<double>(point.step));
    line.y.push_back(layer < 0 ? spread.median : layers[of]);
    line.low.push_back(spread.q1);
    line.high.push_back(spread.q3);
  }
}

void addLine(LineChart& chart, const EmergenceRun& run, const EmergencePanel& panel, int layer, const Theme& theme) {
  ChartSeries& line = chart.series.emplace_back();
  line.look = seriesLook(theme, lookOf(run.trainee, layer, run.scores.front().symmetry.size()));
  if (panel.shown != EmergenceShown::Loss) return addScores(line, run, panel, layer);
  for (const auto& point : run.curve) {
    line.x.push_back(static_cast<double>(point.step));
    line.y.push_back(point.loss);
  }
}

void fitY(LineChart& chart) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const ChartSeries& line : chart.series)
    for (const std::vector<double>* const values : {&line.y, &line.low, &line.high})
      for (const double value : *values)
        if (std::isfinite(value)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
  if (!(low <= high)) return;
  const double room = std::max(0.05 * (high - low), 0.01);
  chart.y.from = low - room;
  chart.y.to = high + room;
}

}  // namespace

std::vector<EmergencePanel> emergencePanels(const EmergenceStudy& study) {
  using Shown = EmergenceShown;
  if (study.number == 105)
    return {{0, Shown::Loss}, {0, Shown::Symmetry}, {0, Shown::Symmetry, true}, {0, Shown::Directionality}};
  std::vector<EmergencePanel> panels;
  for (std::size_t s = 0; s < study.sources.size(); ++s) {
    if (study.number == 1) panels.push_back({s, Shown::Loss});
    for (const bool byLayer : {false, true}) {
      if (study.number == 1 || (byLayer ? study.number == 103 : study.number == 104)) continue;
      panels.push_back({s, Shown::Symmetry, byLayer});
      panels.push_back({s, Shown::Directionality, byLayer});
    }
  }
  return panels;
}

std::string emergencePanelName(const EmergencePanel& panel) {
  switch (panel.shown) {
    case EmergenceShown::Loss:
      return tr("validation loss");
    case EmergenceShown::Symmetry:
      return panel.byLayer ? tr("symmetry by layer") : tr("median symmetry");
    default:
      return panel.byLayer ? tr("directionality by layer") : tr("median directionality");
  }
}

LineChart emergenceChart(const EmergenceStudy& study, const EmergencePanel& panel, const Theme& theme) {
  LineChart chart;
  std::int64_t steps = 1;
  for (const EmergenceRun& run : study.runs) {
    if (run.source != panel.source || run.scores.empty()) continue;
    steps = std::max(steps, run.curve.back().step);
    if (!panel.byLayer) addLine(chart, run, panel, -1, theme);
    for (int layer = 0; panel.byLayer && layer < static_cast<int>(run.scores.front().symmetry.size()); ++layer)
      addLine(chart, run, panel, layer, theme);
  }
  chart.x = {.name = tr("step"), .from = 0, .to = static_cast<double>(steps)};
  chart.y.name = emergencePanelName(panel);
  fitY(chart);
  return chart;
}

std::vector<LegendEntry> emergenceLegend(const EmergenceStudy& study, const std::vector<EmergencePanel>& panels,
                                         const Theme& theme) {
  std::vector<LegendEntry> legend;
  if (study.runs.empty() || study.runs.front().scores.empty()) return legend;
  const std::size_t layers = study.runs.front().scores.front().symmetry.size();
  const bool medians =
      std::any_of(panels.begin(), panels.end(), [](const EmergencePanel& panel) { return !panel.byLayer; });
  const bool single =
      std::any_of(panels.begin(), panels.end(), [](const EmergencePanel& panel) { return panel.byLayer; });
  for (const EmergenceRun& run : study.runs) {
    if (run.source != 0 || run.seed != study.runs.front().seed) continue;
    const std::string name = tr(words(run.trainee));
    if (medians) legend.push_back({name, seriesLook(theme, lookOf(run.trainee, -1, layers))});
    for (int layer = 0; single && layer < static_cast<int>(layers); ++layer)
      legend.push_back({trFormat("{}, layer {}", name, layer), seriesLook(theme, lookOf(run.trainee, layer, layers))});
  }
  const bool scores = std::any_of(panels.begin(), panels.end(),
                                  [](const EmergencePanel& panel) { return panel.shown != EmergenceShown::Loss; });
  ChartLook band{.color = theme.textMuted, .width = 0, .spread = Spread::Band};
  if (scores && medians) legend.push_back({tr("band: quartiles over the layers"), band});
  if (scores && single) legend.push_back({tr("band by layer: quartiles over the heads"), band});
  return legend;
}

}  // namespace sepx::ui
