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

LineChart overlayChart(const std::vector<OverlayModel>& models, ChartScore which, bool relative, const Theme& theme) {
  LineChart made;
  made.title =
      which == ChartScore::Symmetry ? tr("Symmetry of several models") : tr("Directionality of several models");
  made.x = {.name = relative ? tr("relative depth (0: first layer, 1: last)") : tr("layer"),
            .whole = !relative,
            .pad = 0.04,
            .narrowest = 1};
  for (std::size_t i = 0; i < models.size(); ++i) {
    const OverlayModel& model = models[i];
    const StackSeries& stack = model.series[static_cast<std::size_t>(which)];
    ChartSeries& series = made.series.emplace_back();
    series.name = std::isfinite(stack.across.median)
                      ? fmt::format("{} ({} {})", model.name, tr("median"), scoreText(stack.across.median))
                      : model.name;
    series.look = seriesLook(theme, i);
    if (!series.look.marker) series.look.marker = render::Shape::Circle;
    series.look.markerSize = 6;
    series.look.markerGap = 0;
    for (const LayerPoint& point : stack.points) {
      series.x.push_back(depthOf(stack, point, relative));
      series.y.push_back(point.value);
      series.hollow.push_back(point.samples > 0 && point.band.holds(point.value));
    }
  }
  made.legend = true;
  made.y = scoreAxis(made, which);
  return made;
}

}  // namespace sepx::ui
