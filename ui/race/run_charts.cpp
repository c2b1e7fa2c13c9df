// SPDX-License-Identifier: Apache-2.0
// See run_charts.h.
#include "ui/race/run_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/render/color_map.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/race/curve_data.h"

namespace sepx::ui {

namespace {

constexpr float kPale = 0.35f;      // opacity of raw values behind a smoothed curve
constexpr int kLeastQuartiles = 3;  // layers from which on quartiles are drawn beside the lines
constexpr double kMarkerGap = 90;

bool positive(RaceMetric metric) {
  return metric != RaceMetric::Constraint && metric != RaceMetric::Accuracy && !ofLayers(metric);
}

/// Adds the curve of one run: the raw values, and the smoothed curve in front of them.
void addCurve(LineChart& chart, const RaceState& state, const RunSeries& series, std::string name,
              const ChartLook& look, bool smooth) {
  const bool smooths = smooth && state.smooth > 0;
  Envelope raw = envelopeOf(series.steps, series.values);
  if (state.raw || !smooths) {
    ChartSeries& drawn = chart.series.emplace_back();
    drawn.look = look;
    drawn.look.marker.reset();
    if (!smooths) drawn.name = name;
    if (smooths) {
      drawn.look.color = faded(look.color, kPale);
      drawn.look.dash = render::Dash::Solid;
      drawn.look.width = 1;
      drawn.guide = true;
    }
    drawn.x = raw.steps;
    drawn.y = raw.mean;
    if (!raw.low.empty()) {
      drawn.look.spread = Spread::Band;
      drawn.low = std::move(raw.low);
      drawn.high = std::move(raw.high);
    }
  }
  if (!smooths) return;
  ChartSeries& curve = chart.series.emplace_back();
  curve.name = std::move(name);
  curve.look = look;
  curve.look.marker.reset();
  Envelope mean = envelopeOf(series.steps, smoothed(series.steps, series.values, state.smooth));
  curve.x = std::move(mean.steps);
  curve.y = std::move(mean.mean);
}

void addValidation(LineChart& chart, const Run& run, const ChartLook& look) {
  const RunSeries *const mean = run.series("validation"), *const error = run.series("validation_error");
  if (!mean || mean->values.empty()) return;
  ChartSeries& drawn = chart.series.emplace_back();
  drawn.look = look;
  drawn.look.width = 0;
  drawn.look.markerSize = 6;
  drawn.look.markerGap = 14;
  drawn.look.hollow = true;
  if (!drawn.look.marker) drawn.look.marker = render::Shape::Circle;
  drawn.x = mean->steps;
  drawn.y = mean->values;
  if (!error || error->values.size() != mean->values.size()) return;
  drawn.look.spread = Spread::Bars;
  for (std::size_t i = 0; i < mean->values.size(); ++i) {
    drawn.low.push_back(mean->values[i] - error->values[i]);
    drawn.high.push_back(mean->values[i] + error->values[i]);
  }
}

/// The name of a bound in mathematical notation. Data sources use ASCII names.
std::string boundWords(const std::string& name) {
  static constexpr std::pair<const char*, const char*> kWords[] = {
      {"H(pi)", N_("unigram entropy H(π)")},
      {"H(x_{n+1} | x_n)", N_("entropy rate H(x′|x)")},
      {"H(x_{n+1} | x_1..x_n)", N_("entropy rate H(x′|x₁…x)")},
      {"H(unigram)", N_("unigram entropy")},
      {"H(bigram)", N_("bigram entropy")}};
  for (const auto& [plain, written] : kWords)
    if (name == plain) return tr(written);
  return name;
}

/// Adds the bounds of all runs that have a loss curve, each one once. If bounds of one name differ between runs, the
/// names of the runs are appended.
void addBounds(LineChart& chart, const RaceShared& shared, const Theme& theme) {
  struct OfRun {
    data::Bound bound;
    std::string run;
  };
  std::vector<OfRun> bounds;
  for (const RacingRun& racing : shared.runs) {
    if (!racing.run || !racing.run->series("loss")) continue;
    for (const data::Bound& bound : racing.run->bounds()) {
      const auto same = [&](const OfRun& one) {
        return one.bound.name == bound.name && std::abs(one.bound.value - bound.value) < 1e-9;
      };
      if (std::none_of(bounds.begin(), bounds.end(), same)) bounds.push_back({bound, racing.name()});
    }
  }
  for (const OfRun& one : bounds) {
    const auto alike = [&one](const OfRun& other) { return other.bound.name == one.bound.name; };
    const bool several = std::count_if(bounds.begin(), bounds.end(), alike) > 1;
    const std::string words = boundWords(one.bound.name);
    chart.references.push_back({.value = one.bound.value,
                                .name = several ? words + ", " + one.run : words,
                                .look = {.color = theme.textMuted, .dash = render::Dash::Dashed, .width = 1},
                                .counts = false});
  }
}

/// Number of dash patterns. From the fourth run on they are repeated, with hollow markers.
constexpr std::size_t kRunDashes = 3;

ChartLook layerLook(const Theme& theme, std::size_t run, int layer, int layers) {
  ChartLook look = runLook(theme, run);
  look.hollow = run >= kRunDashes;
  look.color = depthColor(theme, layer, layers);
  static constexpr render::Shape kShapes[] = {render::Shape::Circle, render::Shape::Square, render::Shape::Diamond,
                                              render::Shape::Triangle};
  look.marker = kShapes[static_cast<std::size_t>(layer) % std::size(kShapes)];
  look.markerSize = 5;
  look.markerGap = kMarkerGap;
  return look;
}

void addSpread(LineChart& chart, const Theme& theme, std::size_t run, const std::string& name,
               const std::vector<const RunSeries*>& layers) {
  QuartileSeries spread = spreadOf(layers);
  ChartSeries& drawn = chart.series.emplace_back();
  drawn.look = runLook(theme, run);
  drawn.look.marker.reset();
  drawn.look.width = theme.strongLine;
  drawn.look.spread = Spread::Band;
  drawn.name = fmt::format("{}, {}", name, tr("median"));
  drawn.x = std::move(spread.steps);
  drawn.y = std::move(spread.median);
  drawn.low = std::move(spread.q1);
  drawn.high = std::move(spread.q3);
}

/// Quartiles alone are shown for two or more layers if the user chose them, beside the lines for three or more.
bool showsQuartiles(const RaceShared& shared) {
  if (shared.state.layers == LayersShown::Quartiles) return shared.layers > 1;
  return shared.layers >= kLeastQuartiles && shared.state.layers == LayersShown::Both;
}

/// Adds the scores of all layers, of the chosen head or of the sum over the heads.
void addLayers(LineChart& chart, const RaceShared& shared, RaceMetric metric, const Theme& theme) {
  const RaceState& state = shared.state;
  const bool spreads = showsQuartiles(shared);
  const bool lines = !spreads || state.layers == LayersShown::Both;
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    if (!shared.runs[i].run) continue;
    const Run& run = *shared.runs[i].run;
    std::vector<const RunSeries*> layers;
    for (int layer = 0; layer < shared.layers; ++layer) {
      const RunSeries* const series = run.series(wordOf(metric), layer, state.head);
      if (!series || series->values.empty()) continue;
      layers.push_back(series);
      if (!lines) continue;
      ChartSeries& drawn = chart.series.emplace_back();
      drawn.name = fmt::format("{}, {} {}", shared.runs[i].name(), tr("layer"), layer);
      drawn.look = layerLook(theme, i, layer, shared.layers);
      drawn.look.width = layer == state.layer ? theme.strongLine : theme.lineWidth;
      Envelope values = envelopeOf(series->steps, series->values);
      drawn.x = std::move(values.steps);
      drawn.y = std::move(values.mean);
      if (!values.low.empty()) {
        drawn.look.spread = Spread::Band;
        drawn.low = std::move(values.low);
        drawn.high = std::move(values.high);
      }
    }
    if (spreads && !layers.empty()) addSpread(chart, theme, i, shared.runs[i].name(), layers);
  }
}

/// "layers.0.feed_forward.W_1.weight" becomes "W_1", with the number of the layer if there are several.
std::string parameterLabel(std::string_view parameter, bool severalLayers) {
  if (parameter.ends_with(".weight")) parameter.remove_suffix(7);
  const std::size_t dot = parameter.rfind('.');
  std::string name(dot == std::string_view::npos ? parameter : parameter.substr(dot + 1));
  if (severalLayers && parameter.starts_with("layers."))
    name += fmt::format(" ({})", parameter.substr(7, parameter.find('.', 7) - 7));
  return name;
}

void addRatios(LineChart& chart, const RaceShared& shared, const Theme& theme) {
  static constexpr std::string_view kPrefix = "sigma_ratio:";
  std::vector<std::string> names;  // each matrix has a colour, each run a dash
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    if (!shared.runs[i].run) continue;
    const Run& run = *shared.runs[i].run;
    for (const std::string& metric : run.metricNames()) {
      if (!metric.starts_with(kPrefix)) continue;
      const std::vector<const RunSeries*> found = run.seriesOf(metric);
      if (found.empty()) continue;
      const RunSeries* const series = found.front();
      const std::string label = parameterLabel(std::string_view(metric).substr(kPrefix.size()), shared.layers > 1);
      auto at = std::find(names.begin(), names.end(), label);
      if (at == names.end()) at = names.insert(names.end(), label);
      ChartLook look = seriesLook(theme, static_cast<std::size_t>(at - names.begin()));
      look.marker.reset();
      look.dash = runLook(theme, i).dash;
      addCurve(chart, shared.state, *series, fmt::format("{}, {}", shared.runs[i].name(), label), look, false);
    }
  }
}

}  // namespace

ChartAxis stepAxis(const RaceShared& shared) {
  ChartAxis axis;
  axis.name = tr("step");
  axis.logarithmic = shared.state.logX;
  axis.from = shared.state.logX ? 1 : 0;
  // The axis ends at all steps, a half, a quarter, … of them, so that the curves fill the chart and the axis rarely
  // changes.
  double to = std::max<double>(static_cast<double>(shared.end), 2);
  for (int i = 0; i < 6 && static_cast<double>(shared.newest) <= to / 2 && to >= 20; ++i)
    to /= 2;
  axis.to = to;
  return axis;
}

bool ofLayers(RaceMetric metric) {
  return metric == RaceMetric::Symmetry || metric == RaceMetric::Directionality || metric == RaceMetric::RowColumnCv;
}

std::string metricTitle(RaceMetric metric) {
  static constexpr std::array<const char*, kRaceMetrics> kTitles{
      N_("loss (nats)"),          N_("symmetry s"),    N_("directionality d"),
      N_("CV(row) − CV(column)"), N_("gradient norm"), N_("learning rate"),
      N_("constraint"),           N_("σ₁/σ₂"),         N_("accuracy")};
  return tr(kTitles[static_cast<std::size_t>(metric)]);
}

ChartLook runLook(const Theme& theme, std::size_t i) {
  ChartLook look = seriesLook(theme, i);
  look.width = theme.strongLine;
  return look;
}

render::Color depthColor(const Theme& theme, int layer, int layers) {
  const double share = layers > 1 ? static_cast<double>(layer) / (layers - 1) : 0;
  return render::colorAt(render::ColorMap::Viridis, theme.dark ? 0.95 - 0.55 * share : 0.7 - 0.7 * share);
}

bool hasNumbers(const RaceShared& shared, RaceMetric metric) {
  const auto with = [metric](const RacingRun& racing) {
    if (!racing.run || !racing.run->config()) return metric == RaceMetric::Loss;
    const train::RunConfig& config = *racing.run->config();
    if (ofLayers(metric)) return config.schedule.scoresEvery > 0;
    if (metric == RaceMetric::Constraint) return config.constraint.kind != nn::ConstraintKind::None;
    if (metric == RaceMetric::Accuracy) return config.model.readsImages() && config.schedule.evaluateEvery > 0;
    if (metric == RaceMetric::SigmaRatio) return config.schedule.spectraEvery > 0;
    return true;
  };
  return std::any_of(shared.runs.begin(), shared.runs.end(), with);
}

/// One entry per run (dash) and per layer (colour and marker), not one per combination.
std::vector<LegendEntry> layerLegend(const RaceShared& shared, const Theme& theme) {
  std::vector<LegendEntry> entries;
  const bool spreads = showsQuartiles(shared), lines = !spreads || shared.state.layers == LayersShown::Both;
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    ChartLook look = runLook(theme, i);
    look.marker.reset();
    if (spreads) {
      ChartLook median = look;
      median.width = theme.strongLine;
      median.spread = Spread::Band;
      entries.push_back({fmt::format("{}, {}", shared.runs[i].name(), tr("median and quartiles")), median});
    }
    look.hollow = i >= kRunDashes;
    if (look.hollow) look.marker = render::Shape::Circle;
    look.color = theme.textMuted;
    if (lines) entries.push_back({shared.runs[i].name(), look});
  }
  constexpr int kMost = 4;  // up to this number every layer has an entry
  for (int layer = 0; lines && layer < shared.layers; ++layer) {
    if (shared.layers > kMost && layer > 0 && layer + 1 < shared.layers && layer != shared.state.layer) continue;
    ChartLook look = layerLook(theme, 0, layer, shared.layers);
    look.dash = render::Dash::Solid;
    entries.push_back({fmt::format("{} {}", tr("layer"), layer), look});
  }
  return entries;
}

LineChart makeRunChart(const RaceShared& shared, RaceMetric metric, const Theme& theme, bool compact) {
  LineChart chart;
  chart.compact = compact;
  chart.legend = !compact && !ofLayers(metric);
  chart.x = stepAxis(shared);
  chart.y.name = metricTitle(metric);
  chart.y.pad = 0.05;
  chart.y.logarithmic = shared.state.logY && positive(metric);
  if (metric == RaceMetric::SigmaRatio) chart.y.logarithmic = true;
  if (ofLayers(metric)) {
    addLayers(chart, shared, metric, theme);
    chart.references.push_back({.value = 0, .look = {.color = theme.axisZero, .width = 1}});
    return chart;
  }
  if (metric == RaceMetric::SigmaRatio) {
    addRatios(chart, shared, theme);
    chart.legend = true;
    return chart;
  }
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    const Run* const run = shared.runs[i].run.get();
    const std::string name = shared.runs[i].name();
    const RunSeries* const series = run ? run->series(wordOf(metric)) : nullptr;
    const ChartLook look = runLook(theme, i);
    const bool smooth = metric == RaceMetric::Loss || metric == RaceMetric::Gradient;
    if (series) addCurve(chart, shared.state, *series, name, look, smooth);
    if (run && metric == RaceMetric::Loss && shared.state.validation) addValidation(chart, *run, look);
  }
  if (metric == RaceMetric::Loss && shared.state.validation) {
    ChartSeries& entry = chart.series.emplace_back();  // only for the legend
    entry.name = tr("validation, standard error");
    entry.look = {
        .color = theme.textMuted, .width = 0, .marker = render::Shape::Circle, .markerSize = 6, .hollow = true};
    entry.look.spread = Spread::Bars;
    entry.guide = true;
  }
  if (metric == RaceMetric::Loss && shared.state.bounds) addBounds(chart, shared, theme);
  return chart;
}

}  // namespace sepx::ui
