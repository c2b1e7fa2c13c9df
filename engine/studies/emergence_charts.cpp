// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/emergence_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/scores.h"

namespace sepx::studies {

namespace {

enum class PanelOf { Loss, Symmetry, Directionality };
struct Panel {
  std::size_t source = 0;
  PanelOf of = PanelOf::Loss;
  bool byLayer = false;  ///< one line per layer; else the median over the layers
};

std::vector<Panel> panelsOf(const EmergenceStudy& study) {
  if (study.id == EmergenceId::FigureS5)
    return {{0, PanelOf::Loss}, {0, PanelOf::Symmetry}, {0, PanelOf::Symmetry, true}, {0, PanelOf::Directionality}};
  std::vector<Panel> panels;
  for (std::size_t s = 0; s < study.sources.size(); ++s) {
    if (study.id == EmergenceId::Table1) {
      panels.push_back({s, PanelOf::Loss});
      continue;
    }
    for (const bool byLayer : {false, true}) {
      if (study.id == (byLayer ? EmergenceId::FigureS3 : EmergenceId::FigureS4)) continue;
      panels.push_back({s, PanelOf::Symmetry, byLayer});
      panels.push_back({s, PanelOf::Directionality, byLayer});
    }
  }
  return panels;
}

const char* panelName(const Panel& panel) {
  switch (panel.of) {
    case PanelOf::Loss:
      return N_("validation loss");
    case PanelOf::Symmetry:
      return panel.byLayer ? N_("symmetry by layer") : N_("median symmetry");
    default:
      return panel.byLayer ? N_("directionality by layer") : N_("median directionality");
  }
}

/// Number of layers of the deepest model.
std::size_t layersOf(const EmergenceStudy& study) {
  std::size_t most = 0;
  for (const EmergenceRun& run : study.runs)
    if (!run.scores.empty()) most = std::max(most, run.scores.front().symmetry.size());
  return most;
}

/// Index of a line's look: first the medians of both trainees, then their layers. `layer` -1: the median.
std::size_t lookOf(Trainee trainee, int layer, std::size_t layers) {
  const std::size_t second = trainee == Trainee::Encoder ? 0 : 1;
  return layer < 0 ? second : 2 + second * layers + static_cast<std::size_t>(layer);
}

/// The line of a run: the loss, or the score of one layer with quartiles over its heads, or the median over the layers
/// with quartiles over them.
StudySeries lineOf(const EmergenceRun& run, const Panel& panel, int layer, std::size_t layers) {
  StudySeries line;
  line.look = lookOf(run.trainee, layer, layers);
  if (panel.of == PanelOf::Loss) {
    for (const LossPoint& point : run.curve) {
      line.x.push_back(static_cast<double>(point.step));
      line.y.push_back(point.loss);
    }
    return line;
  }
  line.band = true;
  for (const ScorePoint& point : run.scores) {
    const bool symmetry = panel.of == PanelOf::Symmetry;
    const std::vector<double>& scores = symmetry ? point.symmetry : point.directionality;
    const auto& heads = symmetry ? point.headSymmetry : point.headDirectionality;
    const auto of = static_cast<std::size_t>(std::max(0, layer));
    const attention::Quartiles spread = attention::quartiles(layer < 0           ? scores
                                                             : of < heads.size() ? heads[of]
                                                                                 : std::vector<double>());
    line.x.push_back(static_cast<double>(point.step));
    line.y.push_back(layer < 0 ? spread.median : scores[of]);
    line.low.push_back(spread.q1);
    line.high.push_back(spread.q3);
  }
  return line;
}

void fitY(StudyChart& chart) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const StudySeries& line : chart.series)
    for (const std::vector<double>* const values : {&line.y, &line.low, &line.high})
      for (const double value : *values)
        if (std::isfinite(value)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
  if (!(low <= high)) return;
  const double room = std::max(0.05 * (high - low), 0.01);
  chart.yFrom = low - room;
  chart.yTo = high + room;
}

StudyChart chartOf(const EmergenceStudy& study, const Panel& panel) {
  const EmergenceSource& source = study.sources[panel.source];
  StudyChart chart;
  chart.title = study.sources.size() > 1 ? sentence("{}: {}", source.name, panelName(panel)) : panelName(panel);
  chart.whole = sentence("{}: {}", source.what, panelName(panel));
  chart.brief = source.name;
  std::int64_t steps = 1;
  for (const EmergenceRun& run : study.runs) {
    if (run.source != panel.source || run.scores.empty()) continue;
    steps = std::max(steps, run.curve.back().step);
    if (!panel.byLayer) chart.series.push_back(lineOf(run, panel, -1, layersOf(study)));
    for (int layer = 0; panel.byLayer && layer < static_cast<int>(run.scores.front().symmetry.size()); ++layer)
      chart.series.push_back(lineOf(run, panel, layer, layersOf(study)));
  }
  chart.xName = N_("step");
  chart.xFrom = 0;
  chart.xTo = static_cast<double>(steps);
  chart.yName = panelName(panel);
  fitY(chart);
  return chart;
}

}  // namespace

void addCharts(StudyResult& result, const EmergenceStudy& study) {
  const std::vector<Panel> panels = panelsOf(study);
  const auto any = [&panels](auto is) { return std::any_of(panels.begin(), panels.end(), is); };
  for (const Panel& panel : panels)
    result.charts.push_back(chartOf(study, panel));
  if (study.runs.empty() || study.runs.front().scores.empty()) return;
  const std::size_t layers = layersOf(study);
  const bool medians = any([](const Panel& panel) { return !panel.byLayer; });
  const bool single = any([](const Panel& panel) { return panel.byLayer; });
  const bool scores = any([](const Panel& panel) { return panel.of != PanelOf::Loss; });
  for (const EmergenceRun& run : study.runs) {
    if (run.source != 0 || run.seed != study.runs.front().seed) continue;
    if (medians) result.legend.push_back({words(run.trainee), lookOf(run.trainee, -1, layers)});
    for (int layer = 0; single && layer < static_cast<int>(layers); ++layer)
      result.legend.push_back(
          {sentence(N_("{}, layer {}"), words(run.trainee), layer), lookOf(run.trainee, layer, layers)});
  }
  using enum StudyLegend::Mark;
  if (scores && medians) result.legend.push_back({N_("band: quartiles over the layers"), 0, Band});
  if (scores && single) result.legend.push_back({N_("band by layer: quartiles over the heads"), 0, Band});
}

}  // namespace sepx::studies
