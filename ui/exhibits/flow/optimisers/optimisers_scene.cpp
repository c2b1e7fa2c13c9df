// SPDX-License-Identifier: Apache-2.0
// What the page of optimisers draws: paths, names, where each leaves the basin, the chart of the loss, the table of
// ends. Pure functions of the page's results.
#include <algorithm>
#include <array>
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
  if (race_) layout.words = wrapped(startWords({raced_.p, raced_.q}, raced_.e, raced_.w), frame.theme.smallSize, width);
  const double table =
      (rows + 1.6 + static_cast<double>(layout.words.size())) * 1.55 * frame.theme.smallSize + 2 * frame.theme.space;
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
  const markov::Chain chain{raced_.p, raced_.q};
  const double rate = chain.entropyRate(), gap = chain.marginalEntropy() - rate;
  for (const RacePath& path : race_->paths) {
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
  if (!layout_.chart || !race_) return;
  chart_.emplace(chartOf(frame.theme), *layout_.chart, frame.theme);
}

std::optional<int> OptimiserPage::shownStep(const FlowPageFrame& frame) const {
  if (!race_) return std::nullopt;
  const int steps = raced_.options.steps;
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
  for (const RacePath& path : race_->paths)
    if (path.entrant.racer != markov::Racer::Flow && path.entrant.racer != markov::Racer::GradientDescent)
      draw(path, true);
  const RacePath* const flow = this->path(markov::Racer::Flow);
  if (flow) draw(*flow, true);
  if (const RacePath* const descent = this->path(markov::Racer::GradientDescent)) draw(*descent, !flow);
  for (const RacePath& path : race_->paths) {
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
    for (const RacePath& path : race_->paths) {
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
  addNames(items, plane, {raced_.e, raced_.w}, named);
  return items;
}

std::vector<render::Item> OptimiserPage::headItems(const FlowPageFrame& frame, int step) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const FlowFrame plane = ground_.flowFrame(frame, layout_.plane);
  std::vector<std::string> lines{fmt::format("{} {}", tr("step"), step)};
  const double rate = markov::Chain{raced_.p, raced_.q}.entropyRate();
  for (const RacePath& path : race_->paths) {
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
  for (render::Item& item : chart_->cursor(step))
    items.push_back(std::move(item));
  if (frame.pointer && chart_->xAt(*frame.pointer)) addTip(items, *frame.pointer, lines, frame.area, theme);
  return items;
}

std::array<double, 4> OptimiserPage::tableColumns(double left, double swatch, double width, double size) const {
  // Numbers keep their room; the names of basins are the first to go: their marks stay.
  double name = textWidth(tr("optimiser, rate"), size), kind = textWidth(tr("in the basin of"), size),
         loss = textWidth(tr("loss"), size), leaves = textWidth(tr("leaves at step"), size);
  for (const RacePath& path : race_->paths) {
    const std::string text =
        racerWords(path.entrant.racer, true) + "  " + formatShortest(path.entrant.rule.learningRate);
    name = std::max(name, textWidth(text, size));
    const bool diverged = path.end == markov::RaceEnd::Diverged;
    kind = std::max(kind, 15 + textWidth(diverged ? tr("diverged") : kindWords(path.label.back()), size));
    loss = std::max(loss, textWidth(lossText(path), size));
    leaves = std::max(leaves, textWidth(leavesText(path), size));
  }
  const double gap = 10, needed = swatch + name + loss + leaves + 3 * gap + 4;
  const double first = left + swatch, second = first + name + gap;
  if (width - needed >= kind) {
    const double spare = (width - needed - kind) / 3;
    const double third = second + spare + kind + gap;
    return {first, second + spare, third + spare, third + 2 * spare + loss + gap};
  }
  const double third = second + 22;
  return {first, second, third, third + loss + gap};
}

std::vector<render::Item> OptimiserPage::tableItems(const FlowPageFrame& frame, const render::Rect& box) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const float size = theme.smallSize;
  const double row = 1.55 * size, left = box.min.x + 1.5 * theme.space;
  const double width = box.max.x - 2 * theme.space - left;
  const double swatch = 26;
  const std::array<double, 4> columns = tableColumns(left, swatch + 6, width, size);
  const bool words = columns[2] - columns[1] > 40;
  double y = box.min.y + theme.space + row / 2;
  const auto cell = [&](int column, const std::string& text, render::Color color) {
    const double end = column == 3 ? left + width : columns[column + 1] - 4;
    items.emplace_back(textAt({columns[column], y}, elided(text, size, end - columns[column]), size, color));
  };
  cell(0, tr("optimiser, rate"), theme.textMuted);
  if (words) cell(1, tr("in the basin of"), theme.textMuted);
  cell(2, tr("loss"), theme.textMuted);
  cell(3, tr("leaves at step"), theme.textMuted);
  for (const RacePath& path : race_->paths) {
    y += row;
    const markov::Racer racer = path.entrant.racer;
    addSwatch(items, {left, y}, swatch, racerLook(theme, racer), theme);
    cell(0, racerWords(racer, true) + "  " + formatShortest(path.entrant.rule.learningRate), theme.text);
    // Hollow while it is still on its way.
    const bool diverged = path.end == markov::RaceEnd::Diverged, moving = path.end == markov::RaceEnd::Moving;
    const markov::LimitKind kind = diverged ? markov::LimitKind::Undecided : path.label.back();
    items.emplace_back(render::Marker{{columns[1] + 5, y},
                                      kindShape(kind),
                                      9,
                                      moving ? theme.plotBackground : kindColor(theme, kind),
                                      kindColor(theme, kind),
                                      1.5f,
                                      render::Space::Page});
    const std::string kindText = diverged ? std::string(tr("diverged")) : kindWords(kind);
    if (words)
      items.emplace_back(
          textAt({columns[1] + 15, y}, elided(kindText, size, columns[2] - columns[1] - 19), size, theme.text));
    cell(2, lossText(path), theme.text);
    cell(3, leavesText(path), theme.text);
  }
  for (const std::string& line : layout_.words) {
    y += row;
    items.emplace_back(textAt({left, y}, line, size, theme.text));
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
  else if (!race_ && !failure_.empty())
    text = sentenceCase(failure_);
  if (!text.empty() && !frame.figure) addSentence(items, layout_.chart.value_or(layout_.plane.plot), text, frame.theme);
  return items;
}

LayerKey OptimiserPage::raceKey(LayerKey key) const {
  key.push_back(revision_);
  key.push_back(static_cast<std::uint64_t>(state_.logSteps));
  return key;
}

void OptimiserPage::scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) {
  refresh(frame);
  const LayerKey key = raceKey(ground_.key(frame, layout_.plane));
  ground_.below(frame, layout_.plane, layers_, into);
  const FlowFrame plane = ground_.flowFrame(frame, layout_.plane);
  if (race_) {
    layers_.add(into, "paths", key, [&] { return pathItems(frame, plane); });
    layers_.add(into, "names", key, [&] { return nameItems(frame, plane); });
  }
  ground_.above(frame, layout_.plane, state_.start ? static_cast<int>(*state_.start) : -1, layers_, into);
  if (chart_)
    layers_.add(
        into, "chart", key, [&] { return chart_->items(); }, true, false);
  if (layout_.table && race_)
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
