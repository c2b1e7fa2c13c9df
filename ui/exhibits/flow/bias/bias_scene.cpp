// SPDX-License-Identifier: Apache-2.0
// What the page of the free bias draws: the theory's orbit as a band, the paths over it, three charts over time, and
// the words. Pure functions of the page's results.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/bias/bias_page.h"
#include "ui/exhibits/flow/shared/flow_lines.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/plane_names.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::BiasPath;

constexpr double kPlaneShare = 0.56;
constexpr double kChartPad = 0.06;  // of the values' span
constexpr double kLeastChart = 9;   // height, in text sizes
constexpr float kBand = 9;          // width of the theory's orbit, points
/// From the bottom up, so that what overlaps is seen.
constexpr BiasKind kDrawn[] = {BiasKind::Exact, BiasKind::Own, BiasKind::Five,
                               BiasKind::Two,   BiasKind::One, BiasKind::Free};

std::vector<render::Point> placesOf(const std::vector<markov::State>& path) {
  std::vector<render::Point> points;
  points.reserve(path.size());
  for (const markov::State& theta : path)
    points.push_back({theta[0], theta[1]});
  return points;
}

double rowHeight(const Theme& theme, const std::string& line) {
  return line.empty() ? 0.5 * theme.space : 1.4 * static_cast<double>(theme.smallSize);
}

/// Index of the last point at or before a time.
std::size_t indexAt(const BiasPath& path, double time) {
  const auto after = std::upper_bound(path.t.begin(), path.t.end(), time);
  return after == path.t.begin() ? 0 : static_cast<std::size_t>(after - path.t.begin() - 1);
}

/// Where the path is at a time, between its points.
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
      return {theme.accent, Dash::Solid, usual};
  }
  return {theme.text};
}

BiasPage::Layout BiasPage::layoutOf(const FlowPageFrame& frame) const {
  Layout layout;
  const render::Rect& area = frame.area;
  render::Rect plane = area, side = area;
  const Arrangement how = PlaneGround::arrange(frame);
  if (how == Arrangement::Beside)
    plane.max.x = side.min.x = area.min.x + kPlaneShare * area.width();
  else if (how == Arrangement::Above)
    plane.max.y = side.min.y = area.min.y + kPlaneShare * area.height();
  layout.plane = PlaneGround::layoutIn(frame, plane);
  if (how == Arrangement::Alone) return layout;
  const double unit = frame.theme.textSize;
  const double width = side.width() - axisMargins(frame.theme, false).left - 2 * frame.theme.space;
  for (const std::string& sentence : sentences()) {
    if (!layout.lines.empty()) layout.lines.emplace_back();
    for (std::string& line : wrapped(sentence, frame.theme.smallSize, width - frame.theme.space))
      layout.lines.push_back(std::move(line));
  }
  double words = 0;
  for (const std::string& line : layout.lines)
    words += rowHeight(frame.theme, line);
  if (words > 0) words += 1.5 * frame.theme.space;
  if (words > 0.4 * side.height()) words = 0;
  std::vector<render::Item> ignored;
  const render::Point corner{side.max.x - width - frame.theme.space, side.min.y + 0.5 * frame.theme.space};
  const double legendHeight = addLegend(ignored, corner, width, legend(frame.theme), frame.theme);
  if (legendHeight > 0) layout.legend = render::Rect{corner, {side.max.x, corner.y + legendHeight}};
  side.min.y = corner.y + legendHeight;
  const double room = side.height() - words;
  const int count = std::clamp(static_cast<int>(room / (kLeastChart * unit)), 1, 3);
  for (int i = 0; i < count; ++i)
    layout.charts.push_back(
        {{side.min.x, side.min.y + i * room / count}, {side.max.x, side.min.y + (i + 1) * room / count}});
  if (words > 0) layout.words = render::Rect{{side.max.x - width - frame.theme.space, side.max.y - words}, side.max};
  return layout;
}

std::vector<LegendEntry> BiasPage::legend(const Theme& theme) const {
  std::vector<LegendEntry> entries;
  for (const BiasKind kind : kBiasKinds)
    if (state_.shown[static_cast<std::size_t>(kind)])
      entries.push_back({biasName(kind, state_.own), biasLook(theme, kind)});
  return entries;
}

/// Where the charts end.
double BiasPage::horizon() const {
  return result().request.options.steps * result().request.options.learningRate;
}

LineChart BiasPage::chartOf(const Theme& theme, std::size_t which) const {
  constexpr const char* kTitles[] = {N_("Energy E over time: the theory's is constant"),
                                     N_("Bias less the best one, b − b*, over time"),
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
    // The free flow has points beyond the steps, or comes to rest before them.
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

LayerKey BiasPage::shownKey(LayerKey key) const {
  key.push_back(result_.revision());
  std::uint64_t shown = static_cast<std::uint64_t>(state_.own) << 8;
  for (std::size_t i = 0; i < state_.shown.size(); ++i)
    shown |= state_.shown[i] ? std::uint64_t{1} << i : 0;
  key.push_back(shown);
  return key;
}

void BiasPage::refresh(const FlowPageFrame& frame) {
  LayerKey key = shownKey(frameKey(frame));
  if (key == made_) return;
  made_ = std::move(key);
  layout_ = layoutOf(frame);
  charts_.clear();
  if (!result().comparison) return;
  for (std::size_t i = 0; i < layout_.charts.size(); ++i)
    charts_.emplace_back(chartOf(frame.theme, i), layout_.charts[i], frame.theme);
  double left = 0;
  for (const PlacedChart& chart : charts_)
    left = std::max(left, chart.left());
  for (PlacedChart& chart : charts_)
    chart.leaveLeft(left);
}

std::optional<double> BiasPage::shownTime(const FlowPageFrame& frame) const {
  if (!result().comparison) return std::nullopt;
  if (frame.pointer && !frame.figure)
    for (const PlacedChart& chart : charts_)
      if (const std::optional<double> at = chart.xAt(*frame.pointer)) return std::clamp(*at, 0.0, horizon());
  if (played_) return *played_ * horizon();
  return std::nullopt;
}

std::vector<render::Item> BiasPage::pathItems(const FlowPageFrame& frame, const FlowFrame& plane) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  addLine(items, placesOf(result().comparison->orbit), {faded(theme.textMuted, 0.6f), kBand, render::Dash::Solid},
          plane);
  for (const BiasKind kind : kDrawn)
    if (const BiasPath* const one = path(kind))
      addPath(items, placesOf(one->theta), biasLook(theme, kind).stroke(), plane,
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

std::vector<render::Item> BiasPage::nameItems(const FlowPageFrame& frame, const FlowFrame& plane) const {
  std::vector<NamedPath> named;
  for (auto kind = std::rbegin(kDrawn); kind != std::rend(kDrawn); ++kind)
    if (const BiasPath* const one = path(*kind); one && !one->theta.empty())
      named.push_back(
          {placesOf(one->theta), biasName(*kind, state_.own), biasLook(frame.theme, *kind).color, std::nullopt});
  const std::vector<markov::State>& orbit = result().comparison->orbit;
  named.push_back({placesOf(orbit), tr("theory"), frame.theme.textMuted, orbit.size() / 2});
  std::vector<render::Item> items;
  addNames(items, plane, {result().request.e, result().request.w}, named);
  return items;
}

std::vector<render::Item> BiasPage::headItems(const FlowPageFrame& frame, double time) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const FlowFrame plane = ground_.flowFrame(frame, layout_.plane);
  std::vector<std::string> lines{"t = " + formatReading(time)};
  for (auto kind = std::rbegin(kDrawn); kind != std::rend(kDrawn); ++kind) {
    const BiasPath* const one = path(*kind);
    if (!one || one->t.empty()) continue;
    const std::size_t i = indexAt(*one, time);
    lines.push_back(fmt::format("{}: E = {}, b − b* = {}, {} {}", biasName(*kind, state_.own),
                                formatReading(one->energy[i]), formatReading(one->offset[i]), tr("distance"),
                                formatReading(one->distance[i])));
    const render::Point at = placeAt(*one, time);
    if (nearWindow(plane, at))
      items.emplace_back(
          render::Marker{at, render::Shape::Circle, 10, biasLook(theme, *kind).color, theme.plotBackground, 2});
  }
  bool over = false;
  for (const PlacedChart& chart : charts_) {
    over = over || (frame.pointer && chart.xAt(*frame.pointer));
    append(items, chart.cursor(time));
  }
  if (over) addTip(items, *frame.pointer, lines, frame.area, theme);
  return items;
}

std::vector<render::Item> BiasPage::wordItems(const FlowPageFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  if (!state_.start && !frame.figure) {
    addSentence(items, layout_.charts.empty() ? layout_.plane.plot : layout_.charts.front(),
                tr("The comparison starts at a point: double-click the plane, or press A, to place one."), theme);
  } else if (!result().failure.empty() && !frame.figure) {
    addSentence(items, layout_.charts.empty() ? layout_.plane.plot : layout_.charts.front(),
                sentenceCase(result().failure), theme);
  }
  if (!layout_.words) return items;
  double y = layout_.words->min.y + 0.5 * theme.space;
  for (const std::string& line : layout_.lines) {
    if (!line.empty())
      items.emplace_back(textAt({layout_.words->min.x, y}, line, theme.smallSize, theme.text, render::AlignX::Left,
                                render::AlignY::Top));
    y += rowHeight(theme, line);
  }
  return items;
}

void BiasPage::scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) {
  refresh(frame);
  const LayerKey key = shownKey(ground_.key(frame, layout_.plane));
  ground_.below(frame, layout_.plane, layers_, into);
  const FlowFrame plane = ground_.flowFrame(frame, layout_.plane);
  if (result().comparison) {
    layers_.add(into, "paths", key, [&] { return pathItems(frame, plane); });
    layers_.add(into, "names", key, [&] { return nameItems(frame, plane); });
  }
  ground_.above(frame, layout_.plane, state_.start ? static_cast<int>(*state_.start) : -1, layers_, into);
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    constexpr const char* kNames[] = {"energy", "offset", "distance"};
    LayerKey chart = key;
    chart.push_back(charts_.size());
    chart.push_back(bits(charts_[i].box().max.y));
    layers_.add(
        into, kNames[i], std::move(chart), [&] { return charts_[i].items(); }, true, false);
  }
  if (layout_.legend)
    layers_.add(
        into, "legend", key,
        [&] {
          std::vector<render::Item> items;
          addLegend(items, layout_.legend->min, layout_.legend->width(), legend(frame.theme), frame.theme);
          return items;
        },
        true, false);
  LayerKey words = key;
  words.push_back(state_.start.has_value());
  layers_.add(
      into, "words", std::move(words), [&] { return wordItems(frame); }, true, false);
  if (const std::optional<double> time = shownTime(frame)) {
    LayerKey heads = key;
    const render::Point pointer = frame.pointer.value_or(render::Point{-1, -1});
    for (const double value : {*time, pointer.x, pointer.y})
      heads.push_back(bits(value));
    layers_.add(
        into, "heads", std::move(heads), [&] { return headItems(frame, *time); }, false, false);
  }
}

}  // namespace sepx::ui
