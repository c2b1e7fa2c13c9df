// SPDX-License-Identifier: Apache-2.0
// See race_page.h.
#include "ui/race/race_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/race/transport.h"

namespace sepx::ui {

std::uint64_t contentDigest(const RaceShared& shared) {
  return Digest().add(shared.revision, shared.end, shared.matricesRevision, shared.step, shared.live).value();
}

PageFacts RacePage::facts(const RaceShared& shared) const {
  return {.playing = shared.replays, .moving = shared.trains() || shared.replays};
}

std::vector<RacePage::Command> RacePage::commands(const RaceShared& shared, const Document&) {
  const char *const menu = tr("Run"), *const exhibit = tr("Exhibit");
  const RaceState& state = shared.state;
  const auto seek = [&shared](bool forward) {
    return [&shared, forward](ExhibitContext& context) { shared.seek(context, forward); };
  };
  const auto walk = [&shared](int layers) {
    return [&shared, layers](ExhibitContext& context) { shared.walk(context, layers, 0); };
  };
  return {{shared.key("earlier"), tr("Previous recorded step"), "Left", menu, shared.step > 0, seek(false)},
          {shared.key("later"), tr("Next recorded step"), "Right", menu, !shared.live, seek(true)},
          {shared.key("next-layer"), tr("Next layer"), "Down", exhibit, state.layer + 1 < shared.layers, walk(1)},
          {shared.key("previous-layer"), tr("Previous layer"), "Up", exhibit, state.layer > 0, walk(-1)}};
}

void RacePage::showSteps(ChartContent& chart, const RaceFrame& frame) {
  const RaceShared& shared = frame.shared;
  if (!shared.live || frame.figure) chart.cursor = static_cast<double>(shared.step);
  chart.slide = [&shared](Editor& editor, double step, double) { showStep(editor, shared, std::llround(step)); };
}

Arrangement RacePage::addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                                std::size_t perRow) {
  Arrangement charts = gridOfViews(perRow, frame.theme.space, {});
  for (const RaceMetric metric : metrics) {
    ChartContent chart{makeRunChart(frame.shared, metric, frame.theme, true)};
    showSteps(chart, frame);
    into.views.push_back({wordOf(metric), std::move(chart)});
    charts.parts.push_back(viewNamed(wordOf(metric)));
  }
  if (std::none_of(metrics.begin(), metrics.end(), ofLayers)) return charts;
  into.views.push_back({"legend", LegendContent{layerLegend(frame.shared, frame.theme)}});
  return {.kind = Arrangement::Kind::Column, .parts = {asHighAsContent("legend"), std::move(charts)}};
}

}  // namespace sepx::ui
