// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/cases/scaling_plot.h"

#include <cmath>
#include <utility>
#include <vector>

#include "app/cli/text.h"
#include "engine/core/number.h"
#include "engine/render/svg_writer.h"
#include "ui/canvas/theme.h"
#include "ui/views/line_chart.h"

namespace sepx::app::cli {
namespace {

constexpr double kWidth = 260, kHeight = 200;  // of one chart, points
constexpr std::size_t kColumns = 4;

/// The fitted power law through the mean of the logarithms.
ui::ChartSeries fitted(const Scaling& scaling, const ui::Theme& theme) {
  double x = 0, y = 0;
  for (std::size_t i = 0; i < scaling.sizes.size(); ++i)
    x += std::log(scaling.sizes[i]), y += std::log(scaling.milliseconds[i]);
  const double count = static_cast<double>(scaling.sizes.size()), b = scaling.exponent();
  ui::ChartSeries line;
  line.look = {.color = theme.textMuted, .dash = render::Dash::Dashed, .width = 1};
  line.guide = true;
  for (const double size : {scaling.sizes.front(), scaling.sizes.back()}) {
    line.x.push_back(size);
    line.y.push_back(std::exp(y / count + b * (std::log(size) - x / count)));
  }
  return line;
}

ui::LineChart chartOf(const Scaling& scaling, const ui::Theme& theme) {
  ui::LineChart chart;
  chart.title = trf(N_("{}: exponent {}"), scaling.size, formatFixed(scaling.exponent(), 2));
  chart.x = {.name = scaling.size, .logarithmic = true, .pad = 0.05};
  chart.y = {.name = tr(N_("time (ms)")), .logarithmic = true, .pad = 0.05};
  ui::ChartSeries measured;
  measured.look = ui::seriesLook(theme, 0);
  measured.look.marker = render::Shape::Circle;
  measured.x = scaling.sizes;
  measured.y = scaling.milliseconds;
  chart.series.push_back(fitted(scaling, theme));
  chart.series.push_back(std::move(measured));
  return chart;
}

}  // namespace

std::string scalingPlot(std::span<const Scaling> scalings) {
  const ui::Theme& theme = *ui::findTheme("light");
  render::Scene scene;
  const std::size_t columns = std::min(kColumns, std::max<std::size_t>(scalings.size(), 1));
  scene.width = kWidth * static_cast<double>(columns);
  scene.height = kHeight * static_cast<double>((scalings.size() + kColumns - 1) / kColumns);
  scene.plot = scene.window = {{0, 0}, {scene.width, scene.height}};
  scene.background = theme.background;
  for (std::size_t i = 0; i < scalings.size(); ++i) {
    const double left = kWidth * static_cast<double>(i % kColumns), top = kHeight * static_cast<double>(i / kColumns);
    const render::Rect box{{left + theme.space, top + theme.space},
                           {left + kWidth - theme.space, top + kHeight - theme.space}};
    render::Layer layer{.name = scalings[i].name, .clip = false};
    layer.items = ui::PlacedChart(chartOf(scalings[i], theme), box, theme).items();
    scene.layers.push_back(std::move(layer));
  }
  return render::toSvg(scene, {.title = tr(N_("Time against size"))});
}

}  // namespace sepx::app::cli
