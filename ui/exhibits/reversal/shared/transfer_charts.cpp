// SPDX-License-Identifier: Apache-2.0
// See transfer_charts.h.
#include "ui/exhibits/reversal/shared/transfer_charts.h"

#include <utility>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::TransferFigure;
using studies::TransferPoint;
using studies::TransferRun;

namespace {

/// Correlation by Δ1 + Δ2 at the end of the runs of one length.
LineChart correlationPanel(const TransferFigure& figure, int length, const Theme& theme) {
  LineChart chart;
  chart.title = trFormat("L = {}: correlation of scores by Δ1 + Δ2", length);
  chart.x = {.name = "Δ1 + Δ2", .whole = true};
  chart.y = {.from = -1, .to = 1.02};
  chart.references.push_back({.value = 0, .look = {.color = theme.textMuted, .width = 1}});
  for (const TransferRun& run : figure.runs) {
    if (run.length != length) continue;
    ChartSeries& line = chart.series.emplace_back();
    line.look = seriesLook(theme, chart.series.size() - 1);
    line.look.spread = Spread::Band;
    line.y = run.end.mean;
    line.low = run.end.least;
    line.high = run.end.largest;
    for (int i = 0; i < run.end.sums(); ++i)
      line.x.push_back(reversal::ScoreCorrelation::sumOf(i));
  }
  return chart;
}

/// Some numbers of the points over the steps, a line each run and number.
template <class... Of>
LineChart stepPanel(const TransferFigure& figure, int length, std::string title, const Theme& theme, Of... of) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x = {.name = tr("step"), .from = 0, .to = static_cast<double>(figure.steps)};
  chart.y = {.from = -0.2, .to = 1.02};
  for (const TransferRun& run : figure.runs) {
    if (run.length != length) continue;
    std::size_t look = 0;
    const auto add = [&](auto value) {
      ChartSeries& line = chart.series.emplace_back();
      line.look = seriesLook(theme, look++);
      for (const TransferPoint& point : run.points) {
        line.x.push_back(static_cast<double>(point.step));
        line.y.push_back(value(point));
      }
    };
    (add(of), ...);
  }
  return chart;
}

}  // namespace

std::vector<int> transferLengths(const TransferFigure& figure) {
  std::vector<int> lengths;
  for (const TransferRun& run : figure.runs)
    if (lengths.empty() || lengths.back() != run.length) lengths.push_back(run.length);
  return lengths;
}

std::vector<LineChart> transferCharts(const TransferFigure& figure, const Theme& theme) {
  std::vector<LineChart> charts;
  for (const int length : transferLengths(figure)) {
    charts.push_back(correlationPanel(figure, length, theme));
    charts.push_back(stepPanel(
        figure, length, trFormat("L = {}: cosine of gradients", length), theme,
        [](const TransferPoint& point) { return point.alignment.all.cosine(); },
        [](const TransferPoint& point) { return point.single; }));
    charts.push_back(stepPanel(
        figure, length, trFormat("L = {}: probability of the target", length), theme,
        [](const TransferPoint& point) { return point.forward; },
        [](const TransferPoint& point) { return point.reverse; }));
  }
  return charts;
}

std::vector<LegendEntry> transferLegend(const Theme& theme) {
  return {
      {tr("cosine: mean of 128 pairs; probability: forward"), seriesLook(theme, 0)},
      {tr("cosine: single pairs; probability: reverse"), seriesLook(theme, 1)},
      {tr("correlation: least to largest of one sum"), {.color = theme.textMuted, .width = 0, .spread = Spread::Band}}};
}

}  // namespace sepx::ui
