// SPDX-License-Identifier: Apache-2.0
// See reversal_race_charts.h.
#include "ui/exhibits/reversal/race/reversal_race_charts.h"

#include <cmath>

#include "engine/core/number.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

namespace {

using reversal::Direction;

ChartLook groupLook(const Theme& theme, std::size_t index, bool dashed) {
  ChartLook look = seriesLook(theme, index);
  look.dash = dashed ? render::Dash::Dashed : render::Dash::Solid;
  look.width = dashed ? theme.lineWidth : theme.strongLine;
  look.markerSize = 6;
  look.markerGap = 60;
  return look;
}

void addGroup(LineChart& chart, const ReversalShared& shared, const SeedGroup& group, PairMeasure measure,
              Direction direction, std::string name, const ChartLook& look) {
  std::vector<const RunSeries*> series;
  for (const std::size_t i : group.runs) {
    const Run& run = *shared.runs[i].run;
    if (const auto* one = run.series(pairMetric(measure, direction, showsAveraged(shared, run)))) series.push_back(one);
  }
  if (series.empty()) return;
  SeedBand band = seedBand(series);
  ChartSeries& drawn = chart.series.emplace_back();
  drawn.name = std::move(name);
  drawn.look = look;
  drawn.x = std::move(band.steps);
  drawn.y = std::move(band.mean);
  if (series.size() < 2) return;
  drawn.look.spread = Spread::Band;
  drawn.low = std::move(band.low);
  drawn.high = std::move(band.high);
}

LineChart emptyChart(const ReversalShared& shared, bool compact) {
  LineChart chart;
  chart.compact = compact;
  chart.x = stepAxis(shared);
  chart.y.from = 0;
  chart.y.to = 1;
  chart.y.pad = 0.03;
  return chart;
}

std::string percent(double share) {
  return formatShortest(std::round(1000 * share) / 10);
}

}  // namespace

LineChart raceChart(const ReversalShared& shared, const std::vector<SeedGroup>& groups, const RaceChart& wanted,
                    const Theme& theme, bool compact) {
  LineChart chart = emptyChart(shared, compact);
  const bool forward = wanted.direction == Direction::Forward;
  chart.y.name = wanted.probability ? (forward ? tr("forward: p of the answer") : tr("reverse: p of the answer"))
                                    : (forward ? tr("forward accuracy") : tr("reverse accuracy"));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (wanted.probability) {
      addGroup(chart, shared, groups[i], PairMeasure::Probability, wanted.direction, groups[i].name,
               groupLook(theme, i, false));
      continue;
    }
    if (wanted.answers != AnswersShown::Letters)
      addGroup(chart, shared, groups[i], PairMeasure::Accuracy, wanted.direction,
               trFormat("{}, all tokens", groups[i].name), groupLook(theme, i, false));
    if (wanted.answers != AnswersShown::All)
      addGroup(chart, shared, groups[i], PairMeasure::Letters, wanted.direction,
               trFormat("{}, letters only", groups[i].name), groupLook(theme, i, true));
  }
  return chart;
}

LineChart groupChart(const ReversalShared& shared, const SeedGroup& group, bool probability, AnswersShown answers,
                     const Theme& theme, bool compact) {
  LineChart chart = emptyChart(shared, compact);
  chart.y.name = probability ? tr("p(answer)") : tr("accuracy");
  chart.title = group.name + ": " + chart.y.name;
  const auto add = [&](PairMeasure measure, Direction direction, const char* name, std::size_t look, bool dashed) {
    addGroup(chart, shared, group, measure, direction, tr(name), groupLook(theme, look, dashed));
  };
  if (probability) {
    add(PairMeasure::Probability, Direction::Forward, N_("forward"), 0, false);
    add(PairMeasure::Probability, Direction::Reverse, N_("reverse"), 1, false);
    return chart;
  }
  if (answers != AnswersShown::Letters) add(PairMeasure::Accuracy, Direction::Forward, N_("forward"), 0, false);
  if (answers != AnswersShown::Letters) add(PairMeasure::Accuracy, Direction::Reverse, N_("reverse"), 1, false);
  if (answers != AnswersShown::All) add(PairMeasure::Letters, Direction::Reverse, N_("reverse, letters only"), 1, true);
  return chart;
}

std::vector<LegendEntry> groupLegend(AnswersShown answers, const Theme& theme) {
  std::vector<LegendEntry> entries{{tr("forward"), groupLook(theme, 0, false)},
                                   {tr("reverse"), groupLook(theme, 1, false)}};
  if (answers != AnswersShown::All) entries.push_back({tr("reverse, letters only"), groupLook(theme, 1, true)});
  return entries;
}

std::string hiddenSentence(const ReversalShared& shared, const std::vector<SeedGroup>& groups) {
  const SeedGroup* shown = nullptr;
  double all = 0, letters = 0, zero = 0;
  for (const SeedGroup& group : groups) {
    double sums[3] = {0, 0, 0};
    int count = 0;
    for (const std::size_t i : group.runs) {
      const Run& run = *shared.runs[i].run;
      if (!run.config() || run.config()->model.causal) continue;
      const auto at = [&](PairMeasure measure) { return pairValue(shared, run, measure, Direction::Reverse); };
      const auto right = at(PairMeasure::Accuracy), only = at(PairMeasure::Letters), none = at(PairMeasure::Zero);
      if (!right || !only || !none) continue;
      sums[0] += *right;
      sums[1] += *only;
      sums[2] += *none;
      ++count;
    }
    if (count == 0) continue;
    const double gap = (sums[1] - sums[0]) / count;
    if (shown && gap <= letters - all) continue;  // the group with the largest gap is shown
    shown = &group;
    all = sums[0] / count;
    letters = sums[1] / count;
    zero = sums[2] / count;
  }
  if (!shown) return {};
  if (all >= 1)
    return trFormat("{} at step {}: every reverse answer is right, whichever answers are allowed.", shown->name,
                    stepText(shared.step));
  return trFormat(
      "{} at step {}: {} % of the reverse answers are right, and {} % of the wrong ones are the placeholder 0. Among "
      "small letters only, {} % are right.",
      shown->name, stepText(shared.step), percent(all), percent(zero / (1 - all)), percent(letters));
}

}  // namespace sepx::ui
