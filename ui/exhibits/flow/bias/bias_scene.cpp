// SPDX-License-Identifier: Apache-2.0
// What the page of the free bias draws: the theory's orbit as a band, the paths over it, three charts over time, and
// the sentences. Pure functions of the page's results.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/bias/bias_page.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::BiasPath;

constexpr double kLeastChart = 9;  // height, in text sizes
constexpr float kBand = 9;         // width of the theory's orbit, points
/// In drawing order from the bottom, so that overlapping paths remain visible.
constexpr BiasKind kDrawn[] = {BiasKind::Exact, BiasKind::Own, BiasKind::Five,
                               BiasKind::Two,   BiasKind::One, BiasKind::Free};

/// Index of the last point at or before a time.
std::size_t indexAt(const BiasPath& path, double time) {
  const auto after = std::upper_bound(path.t.begin(), path.t.end(), time);
  return after == path.t.begin() ? 0 : static_cast<std::size_t>(after - path.t.begin() - 1);
}

/// The place of the path at a time, interpolated between its points.
render::Point placeAt(const BiasPath& path, double time) {
  const std::size_t i = indexAt(path, time);
  const markov::State& from = path.theta[i];
  if (i + 1 >= path.t.size() || time <= path.t[i]) return {from[0], from[1]};
  const markov::State& to = path.theta[i + 1];
  const double share = (time - path.t[i]) / (path.t[i + 1] - path.t[i]);
  return {from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])};
}

}  // namespace

std::string biasName(BiasKind kind, int own) {
  switch (kind) {
    case BiasKind::Free:
      return tr("free flow");
    case BiasKind::One:
      return "m = 1";
    case BiasKind::Two:
      return "m = 2";
    case BiasKind::Five:
      return "m = 5";
    case BiasKind::Own:
      return "m = " + std::to_string(own);
    case BiasKind::Exact:
      return tr("exact b*");
  }
  return {};
}

ChartLook biasLook(const Theme& theme, BiasKind kind) {
  using render::Dash;
  const float usual = theme.lineWidth + 0.25f;
  switch (kind) {
    case BiasKind::Free:
      return {theme.text, Dash::Dashed, usual};
    case BiasKind::One:
      return {theme.saddle, Dash::Solid, theme.strongLine};
    case BiasKind::Two:
      return {theme.localMax, Dash::Dashed, usual};
    case BiasKind::Five:
      return {theme.globalMin, Dash::Dotted, theme.strongLine};
    case BiasKind::Own:
      return {theme.undecided, Dash::Solid, usual};
    case BiasKind::Exact:
      return {theme.attractor, Dash::Solid, usual};
  }
  return {theme.text};
}

/// The legend, as many charts as there is room for, and the sentences.
Arrangement BiasPage::beside(Views& into, const Theme& theme) const {
  constexpr const char* kNames[] = {"energy", "offset", "distance"};
  Arrangement side{.kind = Arrangement::Kind::Column, .gap = theme.space / 2, .margin = theme.space / 2};
  into.views.push_back({"legend", LegendContent{legend(theme)}});
  side.parts.push_back(asHighAsContent("legend"));
  for (std::size_t i = 0; there() && i < std::size(kNames); ++i) {
    into.views.push_back({kNames[i], ChartContent{.chart = chartOf(theme, i), .aligned = true}});
    Arrangement chart = viewNamed(kNames[i]);
    chart.leastHeight = kLeastChart * theme.textSize;
    chart.order = static_cast<int>(i);
    side.parts.push_back(std::move(chart));
  }
  TextContent words;
  for (const std::string& sentence : sentences())
    words.lines.push_back({{sentence}});
  into.views.push_back({"words", std::move(words)});
  Arrangement below = asHighAsContent("words");
  below.mostShare = 0.4;
  side.parts.push_back(std::move(below));
  return side;
}

std::vector<LegendEntry> BiasPage::legend(const Theme& theme) const {
  std::vector<LegendEntry> entries;
  for (const BiasKind kind : kBiasKinds)
    if (state_.shown[static_cast<std::size_t>(kind)])
      entries.push_back({biasName(kind, state_.own), biasLook(theme, kind)});
  return entries;
}

/// The time at which the charts end.
double BiasPage::horizon() const {
  return result().request.options.steps * result().request.options.learningRate;
}

LineChart BiasPage::chartOf(const Theme& theme, std::size_t which) const {
  constexpr const char* kTitles[] = {N_("Energy E over time: the theory's is constant"),
                                     N_("Bias minus the best one, b − b*, over time"),
                                     N_("Distance from the theory's orbit over time")};
  constexpr const char* kNames[] = {"E", "b − b*", N_("distance")};
  LineChart chart;
  chart.title = tr(kTitles[which]);
  chart.x = {.name = "t", .to = horizon()};
  chart.y = {.name = tr(kNames[which]), .pad = kChartPad};
  for (const BiasKind kind : kDrawn) {
    const BiasPath* const one = path(kind);
    if (!one) continue;
    const std::vector<double>& values = which == 0 ? one->energy : which == 1 ? one->offset : one->distance;
    chart.series.push_back({biasName(kind, state_.own), biasLook(theme, kind), one->t, values});
    // The free flow may have points beyond the last step, or come to rest before it: its line ends at the horizon.
    ChartSeries& line = chart.series.back();
    if (kind != BiasKind::Free || line.x.empty()) continue;
    const std::size_t i = indexAt(*one, horizon());
    const double last = values[std::min(i + 1, values.size() - 1)];
    line.x.resize(i + 1);
    line.y.resize(i + 1);
    line.x.push_back(horizon());
    line.y.push_back(last);
  }
  return chart;
}

std::vector<render::Item> BiasPage::pathItems(const FlowFrame& plane) const {
  std::vector<render::Item> items;
  const Theme& theme = plane.theme;
  addLine(items, planePlaces(result().comparison->orbit), {faded(theme.textMuted, 0.6f), kBand, render::Dash::Solid},
          plane);
  for (const BiasKind kind : kDrawn)
    if (const BiasPath* const one = path(kind))
      addPath(items, planePlaces(one->theta), biasLook(theme, kind).stroke(), plane,
              kind != BiasKind::Free || !path(BiasKind::One));
  const auto end = [&](render::Point at, markov::LimitKind kind, render::Color edge, float size) {
    if (nearWindow(plane, at))
      items.emplace_back(render::Marker{at, kindShape(kind), size, kindColor(theme, kind), edge, 2});
  };
  if (const std::optional<markov::Limit>& limit = result().comparison->limit)
    end({limit->theta[0], limit->theta[1]}, limit->kind, theme.textMuted, 14);
  for (const BiasKind kind : kDrawn)
    if (const BiasPath* const one = path(kind); one && !one->theta.empty())
      end({one->theta.back()[0], one->theta.back()[1]}, one->kind, biasLook(theme, kind).color, 9);
  return items;
}

std::vector<NamedPath> BiasPage::namedPaths(const FlowFrame& plane) const {
  std::vector<NamedPath> named;
  for (auto kind = std::rbegin(kDrawn); kind != std::rend(kDrawn); ++kind)
    if (const BiasPath* const one = path(*kind); one && !one->theta.empty())
      named.push_back(
          {planePlaces(one->theta), biasName(*kind, state_.own), biasLook(plane.theme, *kind).color, std::nullopt});
  const std::vector<markov::State>& orbit = result().comparison->orbit;
  named.push_back({planePlaces(orbit), tr("theory"), plane.theme.textMuted, orbit.size() / 2});
  return named;
}

void BiasPage::addHeads(std::vector<render::Item>& items, std::vector<std::string>& lines, const FlowFrame& plane,
                        double time) const {
  lines.push_back("t = " + formatReading(time));
  for (auto kind = std::rbegin(kDrawn); kind != std::rend(kDrawn); ++kind) {
    const BiasPath* const one = path(*kind);
    if (!one || one->t.empty()) continue;
    const std::size_t i = indexAt(*one, time);
    lines.push_back(fmt::format("{}: E = {}, b − b* = {}, {} {}", biasName(*kind, state_.own),
                                formatReading(one->energy[i]), formatReading(one->offset[i]), tr("distance"),
                                formatReading(one->distance[i])));
    const render::Point at = placeAt(*one, time);
    if (nearWindow(plane, at))
      items.emplace_back(render::Marker{at, render::Shape::Circle, 10, biasLook(plane.theme, *kind).color,
                                        plane.theme.plotBackground, 2});
  }
}

std::string BiasPage::missing() const {
  if (!start_) return tr("The comparison needs an initial point: double-click the plane, or press A, to add one.");
  return sentenceCase(result().failure);
}

}  // namespace sepx::ui
