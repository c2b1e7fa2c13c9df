// SPDX-License-Identifier: Apache-2.0
// See view_page.h.
#include "ui/race/view_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/race/run_charts.h"
#include "ui/race/transport.h"

namespace sepx::ui {

void ViewPage::showSteps(ChartContent& chart, const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  if (!shared.live || frame.figure) chart.cursor = static_cast<double>(shared.step);
  chart.slide = [&shared](Editor& editor, double step, double) { showStep(editor, shared, std::llround(step)); };
}

Arrangement ViewPage::addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                                std::size_t perRow) const {
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

std::uint64_t ViewPage::madeOf(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  return Digest().add(keyOf(frame), shared.formsRevision, shared.step, shared.live).value();
}

}  // namespace sepx::ui
