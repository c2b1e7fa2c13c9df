// SPDX-License-Identifier: Apache-2.0
// See correlation_charts.h.
#include "ui/exhibits/reversal/correlation/correlation_charts.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

enum Curve : std::size_t { kMeasured, kTrace, kAsymmetric, kAssumed, kLimit };

ChartSeries seriesOf(std::string name, const Theme& theme, std::size_t look, std::vector<double> x,
                     std::vector<double> y) {
  ChartSeries series;
  series.name = std::move(name);
  series.look = seriesLook(theme, look);
  series.look.marker.reset();
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

ChartReference referenceAt(double value, std::string name, bool vertical, const Theme& theme) {
  ChartReference line;
  line.value = value;
  line.name = std::move(name);
  line.vertical = vertical;
  line.counts = false;
  line.look = {.color = theme.textMuted, .dash = render::Dash::Dotted, .width = 1.25f};
  return line;
}

}  // namespace

LineChart sumChart(const CorrelationResult* result, const RopeBounds* bounds, const Theme& theme) {
  LineChart chart;
  chart.title = tr("By Δ1 + Δ2");
  chart.x = {.name = "Δ1 + Δ2", .whole = true};
  chart.y = {.name = tr("correlation"), .from = -1, .to = 1.05};
  chart.legend = true;
  chart.references.push_back(referenceAt(0, "", false, theme));
  if (result && result->scores.sums() > 0) {
    std::vector<double> sums;
    for (int i = 0; i < result->scores.sums(); ++i)
      sums.push_back(reversal::ScoreCorrelation::sumOf(i));
    ChartSeries measured =
        seriesOf(tr("measured, with its range"), theme, kMeasured, std::move(sums), result->scores.mean);
    measured.look.width = theme.strongLine;
    measured.look.dash = render::Dash::Solid;
    measured.look.marker = render::Shape::Circle;
    measured.look.markerSize = 5;
    measured.look.spread = Spread::Band;
    measured.low = result->scores.least;
    measured.high = result->scores.largest;
    chart.series.push_back(std::move(measured));
  }
  if (!bounds) return chart;
  chart.series.push_back(seriesOf(tr("trace bound, Δ1 = Δ2"), theme, kTrace, bounds->sums, bounds->traceOfSum));
  chart.series.push_back(seriesOf(tr("least asymmetric bound"), theme, kAsymmetric, bounds->sums, bounds->asymmetric));
  return chart;
}

LineChart farChart(const CorrelationResult* result, const RopeBounds* bounds, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Δ1 = Δ2 = Δ, far beyond the sequence length");
  chart.x = {.name = "Δ", .logarithmic = true};
  chart.y = {.name = tr("correlation"), .from = -1, .to = 1.05};
  chart.legend = true;
  chart.references.push_back(referenceAt(0, "", false, theme));
  if (bounds) {
    chart.x.from = 1;
    chart.x.to = bounds->of.reach;
    ChartSeries trace = seriesOf(trFormat("trace bound, D = {}", bounds->of.dimensions), theme, kTrace,
                                 bounds->distances, bounds->trace);
    trace.look.width = theme.strongLine;
    chart.series.push_back(std::move(trace));
    chart.series.push_back(seriesOf(tr("its limit, D → ∞"), theme, kLimit, bounds->distances, bounds->limit));
    if (bounds->negative)
      chart.references.push_back(referenceAt(
          *bounds->negative, trFormat("below 0 from {}", static_cast<int>(*bounds->negative)), true, theme));
  }
  if (result && result->planes) {
    chart.series.push_back(seriesOf(tr("this model"), theme, kMeasured, result->distances, result->far));
    chart.series.push_back(seriesOf(tr("by its w and ρ"), theme, kAssumed, result->distances, result->assumed));
    chart.references.push_back(referenceAt(result->length - 1, "L − 1", true, theme));
  }
  return chart;
}

LineChart cantelliChart(const RopeBounds& bounds, const Theme& theme) {
  LineChart chart;
  chart.title = trFormat("Cantelli: least probability of a correlation ≥ {}", shownFixed(bounds.of.threshold, 2));
  chart.x = {.name = "Δ", .logarithmic = true, .from = 1, .to = static_cast<double>(bounds.of.reach)};
  chart.y = {.name = tr("probability"), .from = 0, .to = 1.02};
  chart.legend = true;
  chart.series.push_back(seriesOf(trFormat("D = {}; no bound where c ≥ trace", bounds.of.dimensions), theme, kTrace,
                                  bounds.distances, bounds.cantelli));
  return chart;
}

}  // namespace sepx::ui
