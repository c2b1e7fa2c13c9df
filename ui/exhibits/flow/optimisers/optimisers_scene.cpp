// SPDX-License-Identifier: Apache-2.0
// What the page of optimisers draws: paths, names, where each leaves the basin, the chart of the loss, the table of
// ends. Pure functions of the page's results.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/optimisers/optimisers_page.h"
#include "ui/exhibits/flow/shared/flow_lines.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/plane_names.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::RacePath;

constexpr double kPlaneShare = 0.56;   // of the width or height
constexpr double kLeastExcess = 1e-9;  // nats: below it the chart does not go
constexpr double kChartPad = 0.06;     // of the span of the losses
constexpr double kLeastTable = 7;      // rows and title, in text sizes

render::Point placeAt(const RacePath& path, std::size_t step) {
  const markov::State& theta = path.theta[std::min(step, path.theta.size() - 1)];
  return {theta[0], theta[1]};
}

std::vector<render::Point> placesOf(const RacePath& path) {
  std::vector<render::Point> points;
  points.reserve(path.theta.size());
  for (const markov::State& theta : path.theta)
    points.push_back({theta[0], theta[1]});
  return points;
}

render::Marker cross(render::Point at, render::Color color, float size, float width) {
  return {at, render::Shape::Cross, size, color, color, width};
}

std::string lossText(const RacePath& path) {
  const double loss = path.loss.back();
  return std::abs(loss) < 10 ? shownFixed(loss, 4) : formatReading(loss);
}

std::string leavesText(const RacePath& path) {
  std::string leaves = "–";
  if (path.leftAt) leaves = std::to_string(*path.leftAt);
  if (path.backAt) leaves += fmt::format(", {} {}", tr("back"), *path.backAt);
  return leaves;
}

}  // namespace

OptimiserPage::Layout OptimiserPage::layoutOf(const FlowPageFrame& frame) const {
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
  const double rows = static_cast<double>(std::count(state_.shown.begin(), state_.shown.end(), true));
  const double width = side.width() - 4 * frame.theme.space;
  if (race())
    layout.words = wrapped(startWords({raceRequest().p, raceRequest().q}, raceRequest().e, raceRequest().w),
                           frame.theme.smallSize, width);
  const double table = (rows + 1) * TableView::rowHeight(frame.theme) +
                       static_cast<double>(layout.words.size()) * 1.55 * frame.theme.smallSize + 3 * frame.theme.space;
  layout.chart = side;
  if (side.height() - table > kLeastTable * frame.theme.textSize * 1.6) {
    layout.chart->max.y = side.max.y - table;
    layout.table = render::Rect{{side.min.x, layout.chart->max.y}, side.max};
  }
  return layout;
}

LineChart OptimiserPage::chartOf(const Theme& theme) const {
  LineChart chart;
  chart.title = tr("Loss above H(xₙ₊₁|xₙ), nats, by step");
  chart.x = {.name = tr("step"), .logarithmic = state_.logSteps};
  chart.y = {.name = tr("excess loss"), .logarithmic = true, .least = kLeastExcess, .pad = kChartPad, .narrowest = 1};
  const markov::Chain chain{raceRequest().p, raceRequest().q};
  const double rate = chain.entropyRate(), gap = chain.marginalEntropy() - rate;
  for (const RacePath& path : race()->paths) {
    const markov::Racer racer = path.entrant.racer;
    ChartSeries line{racerWords(racer, true), racerLook(theme, racer)};
    for (std::size_t k = 0; k < path.loss.size(); ++k) {
      line.x.push_back(static_cast<double>(k));
      line.y.push_back(std::max(path.loss[k] - rate, 0.0));
    }
    if (path.leftAt) {
      const auto k = static_cast<std::size_t>(*path.leftAt);
      chart.marks.push_back(cross({line.x[k], line.y[k]}, racerLook(theme, racer).color, 10, 2));
    }
    chart.series.push_back(std::move(line));
  }
  if (gap > 0)
    chart.references.push_back({gap, tr("a local minimum: H(π)"), {theme.textMuted, render::Dash::Dotted, 1}});
  return chart;
}

void OptimiserPage::refresh(const FlowPageFrame& frame) {
  LayerKey key = raceKey(frameKey(frame));
  key.push_back(static_cast<std::uint64_t>(std::count(state_.shown.begin(), state_.shown.end(), true)));
  if (key == made_) return;
  made_ = std::move(key);
  layout_ = layoutOf(frame);
  chart_.reset();
  if (!layout_.chart || !race()) return;
  chart_.emplace(chartOf(frame.theme), *layout_.chart, frame.theme);
}

std::optional<int> OptimiserPage::shownStep(const FlowPageFrame& frame) const {
  if (!race()) return std::nullopt;
  const int steps = raceRequest().options.steps;
  if (chart_ && frame.pointer && !frame.figure)
    if (const std::optional<double> at = chart_->xAt(*frame.pointer))
      return std::clamp(static_cast<int>(std::lround(*at)), 0, steps);
  if (played_) return static_cast<int>(std::lround(*played_ * steps));
  return std::nullopt;
}

std::vector<render::Item> OptimiserPage::pathItems(const FlowPageFrame& frame, const FlowFrame& plane) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  // Flow and gradient descent last, nearly on each other: the dashes of the one on the band of the other.
  const auto draw = [&](const RacePath& path, bool casing) {
    const markov::Racer racer = path.entrant.racer;
    addPath(items, placesOf(path), racerLook(theme, racer).stroke(), plane, casing);
  };
  for (const RacePath& path : race()->paths)
    if (path.entrant.racer != markov::Racer::Flow && path.entrant.racer != markov::Racer::GradientDescent)
      draw(path, true);
  const RacePath* const flow = this->path(markov::Racer::Flow);
  if (flow) draw(*flow, true);
  if (const RacePath* const descent = this->path(markov::Racer::GradientDescent)) draw(*descent, !flow);
  for (const RacePath& path : race()->paths) {
    const render::Point end = placeAt(path, path.theta.size() - 1);
    if (nearWindow(plane, end))
      items.emplace_back(render::Marker{end, kindShape(path.label.back()), 10, kindColor(theme, path.label.back()),
                                        racerLook(theme, path.entrant.racer).color, 2});
    if (!path.leftAt) continue;
    const render::Point left = placeAt(path, static_cast<std::size_t>(*path.leftAt));
    if (!nearWindow(plane, left)) continue;
    items.emplace_back(cross(left, theme.plotBackground, 15, 5));
    items.emplace_back(cross(left, racerLook(theme, path.entrant.racer).color, 13, 2.5f));
  }
  return items;
}

/// Those that leave the basin first: their place is where they do.
std::vector<render::Item> OptimiserPage::nameItems(const FlowPageFrame& frame, const FlowFrame& plane) const {
  std::vector<NamedPath> named;
  for (const bool leaving : {true, false})
    for (const RacePath& path : race()->paths) {
      if (path.leftAt.has_value() != leaving) continue;
      NamedPath& one = named.emplace_back();
      one.places = placesOf(path);
      one.text = racerWords(path.entrant.racer, true);
      one.color = racerLook(frame.theme, path.entrant.racer).color;
      if (!leaving) continue;
      one.text += fmt::format(": {} {}", frame.compact ? tr("leaves at") : tr("leaves at step"), *path.leftAt);
      one.at = static_cast<std::size_t>(*path.leftAt);
    }
  std::vector<render::Item> items;
  addNames(items, plane, {raceRequest().e, raceRequest().w}, named);
  return items;
}

std::vector<render::Item> OptimiserPage::headItems(const FlowPageFrame& frame, int step) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const FlowFrame plane = ground_.flowFrame(frame, layout_.plane);
  std::vector<std::string> lines{fmt::format("{} {}", tr("step"), step)};
  const double rate = markov::Chain{raceRequest().p, raceRequest().q}.entropyRate();
  for (const RacePath& path : race()->paths) {
    const auto k = static_cast<std::size_t>(step);
    const bool there = k < path.theta.size();
    const render::Point at = placeAt(path, k);
    const std::string name = racerWords(path.entrant.racer, true);
    lines.push_back(there ? fmt::format("{}: ({}, {}), {} {}", name, shownFixed(at.x, 3), shownFixed(at.y, 3),
                                        tr("excess"), formatReading(std::max(0.0, path.loss[k] - rate)))
                          : fmt::format("{}: {}", name, tr("diverged")));
    if (there && nearWindow(plane, at))
      items.emplace_back(render::Marker{at, render::Shape::Circle, 11, racerLook(theme, path.entrant.racer).color,
                                        theme.plotBackground, 2});
  }
  if (!chart_) return items;
  append(items, chart_->cursor(step));
  if (frame.pointer && chart_->xAt(*frame.pointer)) addTip(items, *frame.pointer, lines, frame.area, theme);
  return items;
}

/// A row an optimiser. The names of basins are the first to go where there is no room: their marks stay.
TableView OptimiserPage::endTable(const Theme& theme) const {
  constexpr double kSwatch = 26, kGlyph = 15;
  TableView table;
  table.columns = {{.title = tr("optimiser, rate"), .mark = kSwatch + 6},
                   {.title = tr("in the basin of"), .mark = kGlyph, .gives = true},
                   {.title = tr("loss"), .right = true},
                   {.title = tr("leaves at step"), .right = true}};
  table.rows = race()->paths.size();
  table.fitted = true;
  table.text = [this](std::size_t row, std::size_t column) -> std::string {
    const RacePath& path = race()->paths[row];
    switch (column) {
      case 0:
        return racerWords(path.entrant.racer, true) + "  " + formatShortest(path.entrant.rule.learningRate);
      case 1:
        return path.end == markov::RaceEnd::Diverged ? std::string(tr("diverged")) : kindWords(path.label.back());
      case 2:
        return lossText(path);
      default:
        return leavesText(path);
    }
  };
  table.drawMark = [this, &theme](std::vector<render::Item>& items, std::size_t row, std::size_t column,
                                  render::Point left) {
    const RacePath& path = race()->paths[row];
    if (column == 0) return addSwatch(items, left, kSwatch, racerLook(theme, path.entrant.racer), theme);
    // Hollow while it is still on its way.
    const bool diverged = path.end == markov::RaceEnd::Diverged, moving = path.end == markov::RaceEnd::Moving;
    const markov::LimitKind kind = diverged ? markov::LimitKind::Undecided : path.label.back();
    items.emplace_back(render::Marker{{left.x + 5, left.y},
                                      kindShape(kind),
                                      9,
                                      moving ? theme.plotBackground : kindColor(theme, kind),
                                      kindColor(theme, kind),
                                      1.5f,
                                      render::Space::Page});
  };
  return table;
}

std::vector<render::Item> OptimiserPage::tableItems(const FlowPageFrame& frame, const render::Rect& box) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const TableView table = endTable(theme);
  const render::Point corner{box.min.x + theme.space, box.min.y + theme.space};
  const render::Rect rows{corner, {box.max.x - 0.5 * theme.space, corner.y + table.height(theme)}};
  table.draw(items, {&theme, rows, std::nullopt, std::nullopt, frame.figure}, 0);
  double y = rows.max.y + 0.5 * theme.space;
  for (const std::string& line : layout_.words) {
    y += 1.55 * theme.smallSize;
    items.emplace_back(textAt({corner.x + 6, y}, line, theme.smallSize, theme.text));
  }
  return items;
}

std::vector<render::Item> OptimiserPage::sentenceItems(const FlowPageFrame& frame) const {
  std::vector<render::Item> items;
  std::string text;
  if (!state_.start)
    text = tr("Optimisers start at a point: double-click the plane, or press A, to place one.");
  else if (!state_.request)
    text = tr("No optimiser is chosen: switch one on.");
  else if (!race() && !failure().empty())
    text = sentenceCase(failure());
  if (!text.empty() && !frame.figure) addSentence(items, layout_.chart.value_or(layout_.plane.plot), text, frame.theme);
  return items;
}

LayerKey OptimiserPage::raceKey(LayerKey key) const {
  key.push_back(race_.revision());
  key.push_back(static_cast<std::uint64_t>(state_.logSteps));
  return key;
}

void OptimiserPage::scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) {
  refresh(frame);
  const LayerKey key = raceKey(ground_.key(frame, layout_.plane));
  ground_.below(frame, layout_.plane, layers_, into);
  const FlowFrame plane = ground_.flowFrame(frame, layout_.plane);
  if (race()) {
    layers_.add(into, "paths", key, [&] { return pathItems(frame, plane); });
    layers_.add(into, "names", key, [&] { return nameItems(frame, plane); });
  }
  ground_.above(frame, layout_.plane, state_.start ? static_cast<int>(*state_.start) : -1, layers_, into);
  if (chart_)
    layers_.add(
        into, "chart", key, [&] { return chart_->items(); }, true, false);
  if (layout_.table && race())
    layers_.add(
        into, "table", key, [&] { return tableItems(frame, *layout_.table); }, true, false);
  LayerKey words = key;
  words.push_back(static_cast<std::uint64_t>(state_.start.has_value()) + 2 * (state_.request.has_value() ? 1u : 0u));
  layers_.add(
      into, "words", std::move(words), [&] { return sentenceItems(frame); }, true, false);
  if (const std::optional<int> step = shownStep(frame)) {
    LayerKey heads = key;
    heads.push_back(static_cast<std::uint64_t>(*step));
    const render::Point pointer = frame.pointer.value_or(render::Point{-1, -1});
    heads.push_back(bits(pointer.x));
    heads.push_back(bits(pointer.y));
    layers_.add(
        into, "heads", std::move(heads), [&] { return headItems(frame, *step); }, false, false);
  }
}

}  // namespace sepx::ui
