// SPDX-License-Identifier: Apache-2.0
// The pictures of the figures that are trained: a plot for each setting, loss or the logarithm of sigma1/sigma2 over
// the steps, in page coordinates.
#include <algorithm>
#include <cmath>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "ui/plots/line_chart.h"

namespace sepx::app::cli {

using studies::kStarts;
using studies::kWatched;
using studies::LossPoint;
using studies::SpectrumPoint;
using studies::TrainingFigure;
using studies::TrainingRun;

namespace {

constexpr double kRankOne = 9;  // log10 of a ratio that is infinite: above every plot
constexpr double kHighest = 8;  // of the logarithm's axis

void addLosses(ui::LineChart& chart, const TrainingFigure& figure, std::size_t setting, const ui::Theme& theme) {
  double unigram = 0, bigram = 0;
  for (const TrainingRun& run : figure.runs) {
    if (run.setting != setting) continue;
    ui::ChartSeries& line = chart.series.emplace_back();
    line.look = ui::seriesLook(theme, static_cast<std::size_t>(run.start));
    for (const LossPoint& point : run.curve) {
      line.x.push_back(static_cast<double>(point.step));
      line.y.push_back(point.loss);
    }
    unigram = run.unigram;
    bigram = run.bigram;
  }
  // The two levels in the middle: what starts far above leaves the plot at its top.
  chart.y.from = bigram - 0.3 * (unigram - bigram);
  chart.y.to = unigram + 0.6 * (unigram - bigram);
  for (const double level : {unigram, bigram})
    chart.references.push_back({level, "", {theme.textMuted, render::Dash::Dashed, 1}});
}

void addSpectra(ui::LineChart& chart, const TrainingFigure& figure, std::size_t setting, const ui::Theme& theme) {
  double high = 2;
  for (const TrainingRun& run : figure.runs) {
    if (run.setting != setting) continue;
    for (std::size_t i = 0; i < kWatched.size(); ++i) {
      ui::ChartSeries& line = chart.series.emplace_back();
      line.look = ui::seriesLook(theme, i);
      for (const SpectrumPoint& point : run.spectra) {
        const double ratio = point.ratio[i];
        line.x.push_back(static_cast<double>(point.step));
        line.y.push_back(std::isfinite(ratio) ? std::log10(ratio) : kRankOne);
        if (point.step > 0) high = std::max(high, line.y.back() + 0.1);
      }
    }
  }
  chart.y.from = 0;
  chart.y.to = std::min(high, kHighest);
}

ui::LineChart settingChart(const TrainingFigure& figure, std::size_t setting, const ui::Theme& theme) {
  ui::LineChart chart;
  chart.x = {
      .name = tr(N_("step")), .from = 0, .to = static_cast<double>(figure.settings[setting].config.schedule.steps)};
  chart.y.name = figure.figure == 4 ? tr(N_("loss")) : "log10 \u03c3\u2081/\u03c3\u2082";
  chart.strongTitle = true;
  if (figure.figure == 4)
    addLosses(chart, figure, setting, theme);
  else
    addSpectra(chart, figure, setting, theme);
  return chart;
}

std::vector<ui::LegendEntry> legendOf(const TrainingFigure& figure, const ui::Theme& theme) {
  std::vector<ui::LegendEntry> legend;
  if (figure.figure != 4) {
    for (std::size_t i = 0; i < kWatched.size(); ++i)
      legend.push_back({kWatched[i], ui::seriesLook(theme, i)});
    return legend;
  }
  for (const int start : figure.settings.front().starts)
    legend.push_back(
        {tr(kStarts[static_cast<std::size_t>(start)].words), ui::seriesLook(theme, static_cast<std::size_t>(start))});
  legend.push_back({tr(N_("unigram entropy (above) and entropy rate")), {theme.textMuted, render::Dash::Dashed, 1}});
  return legend;
}

}  // namespace

render::Scene trainingFigureScene(const TrainingFigure& figure, double width, double height, const ui::Theme& theme) {
  render::Scene scene;
  scene.width = width;
  scene.height = height;
  scene.background = theme.plotBackground;
  scene.plot = scene.window = {{0, 0}, {width, height}};
  const ui::Margins margins = ui::axisMargins(theme, false);
  const double foot = 2.2 * static_cast<double>(theme.smallSize);
  const std::size_t columns = 2, rows = (figure.settings.size() + 1) / columns;
  const double cellWidth = width / columns, cellHeight = (height - foot) / static_cast<double>(rows);
  std::uint64_t revision = 0;
  for (std::size_t i = 0; i < figure.settings.size(); ++i) {
    const double x = static_cast<double>(i % columns) * cellWidth, y = static_cast<double>(i / columns) * cellHeight;
    const render::Rect box{{x + 8, y}, {x + cellWidth - 8, y + cellHeight}};
    const double wide = cellWidth - margins.left - margins.right - 16;
    if (wide < 40 || cellHeight - margins.bottom < 60) continue;
    ui::LineChart chart = settingChart(figure, i, theme);
    const std::string brief = fmt::format("({}) {}", static_cast<char>('a' + i), figure.settings[i].name);
    const std::string whole = fmt::format("({}) {}", static_cast<char>('a' + i), tr(figure.settings[i].what));
    chart.title = fittingTitle(whole, brief, wide, theme);
    scene.layers.push_back(
        {figure.settings[i].name, ++revision, true, false, ui::PlacedChart(std::move(chart), box, theme).items()});
  }
  std::vector<render::Item> legend;
  ui::addLegend(legend, {margins.left, height - foot}, width - margins.left, legendOf(figure, theme), theme);
  scene.layers.push_back({"legend", ++revision, true, false, std::move(legend)});
  return scene;
}

}  // namespace sepx::app::cli
