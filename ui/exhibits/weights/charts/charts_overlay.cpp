// SPDX-License-Identifier: Apache-2.0
// Scores of several models on one chart. A score is a number between -1 and 1 whatever the width of a model, so models
// of any widths stand on one axis. Pure.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/weights/charts/charts_plot.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

double depthOf(const StackSeries& series, const LayerPoint& point, bool relative) {
  if (!relative) return point.layer;
  const int last = series.points.empty() ? 0 : series.points.back().layer;
  return last > 0 ? static_cast<double>(point.layer) / last : 0.5;
}

PlacedChart placedOverlay(const OverlayChart& chart) {
  LineChart made;
  made.title =
      chart.which == ChartScore::Symmetry ? tr("Symmetry of several models") : tr("Directionality of several models");
  made.x = {.name = chart.relative ? tr("relative depth (0: first layer, 1: last)") : tr("layer"),
            .whole = !chart.relative,
            .pad = 0.04,
            .narrowest = 1};
  for (std::size_t i = 0; i < chart.models->size(); ++i) {
    const OverlayModel& model = (*chart.models)[i];
    const StackSeries& stack = model.series[static_cast<std::size_t>(chart.which)];
    ChartSeries& series = made.series.emplace_back();
    series.name = std::isfinite(stack.across.median)
                      ? fmt::format("{} ({} {})", model.name, tr("median"), scoreText(stack.across.median))
                      : model.name;
    series.look = seriesLook(*chart.theme, i);
    if (!series.look.marker) series.look.marker = render::Shape::Circle;
    series.look.markerSize = 6;
    series.look.markerGap = 0;
    for (const LayerPoint& point : stack.points) {
      series.x.push_back(depthOf(stack, point, chart.relative));
      series.y.push_back(point.value);
      series.hollow.push_back(point.samples > 0 && point.band.holds(point.value));
    }
  }
  made.legend = true;
  made.y = scoreAxis(made, chart.which);
  return PlacedChart(std::move(made), chart.box, *chart.theme);
}

}  // namespace sepx::ui
