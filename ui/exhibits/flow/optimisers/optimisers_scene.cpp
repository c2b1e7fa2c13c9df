// SPDX-License-Identifier: Apache-2.0
// What the page of optimisers draws: paths, names, where each leaves the basin, the chart of the loss, the table of
// ends. Pure functions of the page's results.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/optimisers/optimisers_page.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::OptimiserPath;

constexpr double kLeastExcess = 1e-9;  // nats: the lower end of the chart
constexpr double kLeastChart = 11.2;   // least height of the chart, in text sizes

render::Point placeAt(const OptimiserPath& path, std::size_t step) {
  const markov::State& theta = path.theta[std::min(step, path.theta.size() - 1)];
  return {theta[0], theta[1]};
}

render::Marker cross(render::Point at, render::Color color, float size, float width) {
  return {at, render::Shape::Cross, size, color, color, width};
}

std::string lossText(const OptimiserPath& path) {
  const double loss = path.loss.back();
  return std::abs(loss) < 10 ? shownFixed(loss, 4) : formatReading(loss);
}

std::string leavesText(const OptimiserPath& path) {
  std::string leaves = "–";
  if (path.leftAt) leaves = std::to_string(*path.leftAt);
  if (path.backAt) leaves += fmt::format(", {} {}", tr("back"), *path.backAt);
  return leaves;
}

}  // namespace

/// The chart, the table below it if there is room, and the reason why the start has no basin.
Arrangement OptimiserPage::beside(Views& into, const Theme& theme) const {
  Arrangement side{.kind = Arrangement::Kind::Column};
  if (!result()) return side;
  TableContent table{.make = [this](const ViewPlace& place) { return endTable(place.theme); },
                     .of = Digest().add(revision(), documents()).value()};
  into.views.push_back({"chart", ChartContent{.chart = chartOf(theme)}});
  into.views.push_back({"table", std::move(table)});
  into.views.push_back(
      {"words", TextContent{.lines = {{{startWords({request().p, request().q}, request().e, request().w)}}}}});
  Arrangement chart = viewNamed("chart"), below = asHighAsContent("table"), words = asHighAsContent("words");
  chart.leastHeight = kLeastChart * theme.textSize;
  below.margin = words.margin = theme.space;
  below.order = 1;
  words.order = 2;
  words.called = tr("the explanation");
  side.parts = {std::move(chart), std::move(below), std::move(words)};
  return side;
}

LineChart OptimiserPage::chartOf(const Theme& theme) const {
  LineChart chart;
  chart.title = tr("Loss above H(xₙ₊₁|xₙ), nats");
  chart.x = {.name = tr("step"), .logarithmic = state_.logSteps};
  chart.y = {.name = tr("excess loss"), .logarithmic = true, .least = kLeastExcess, .pad = kChartPad, .narrowest = 1};
  chart.legend = true;
  const markov::Chain chain{request().p, request().q};
  const double rate = chain.entropyRate(), gap = chain.marginalEntropy() - rate;
  for (const OptimiserPath& path : result()->paths) {
    const markov::OptimiserKind kind = path.settings.kind;
    ChartSeries line{optimiserWords(kind, true), optimiserLook(theme, kind)};
    for (std::size_t k = 0; k < path.loss.size(); ++k) {
      line.x.push_back(static_cast<double>(k));
      line.y.push_back(std::max(path.loss[k] - rate, 0.0));
    }
    if (path.leftAt) {
      const auto k = static_cast<std::size_t>(*path.leftAt);
      chart.marks.push_back(cross({line.x[k], line.y[k]}, optimiserLook(theme, kind).color, 10, 2));
    }
    chart.series.push_back(std::move(line));
  }
  if (gap > 0)
    chart.references.push_back({gap, tr("a local minimum: H(π)"), {theme.textMuted, render::Dash::Dotted, 1}});
  return chart;
}

std::vector<render::Item> OptimiserPage::pathItems(const FlowFrame& plane) const {
  std::vector<render::Item> items;
  const Theme& theme = plane.theme;
  // Flow and gradient descent nearly coincide. They are drawn last: the dashes of the latter on the band of the former.
  const auto draw = [&](const OptimiserPath& path, bool casing) {
    const markov::OptimiserKind kind = path.settings.kind;
    addPath(items, planePlaces(path.theta), optimiserLook(theme, kind).stroke(), plane, casing);
  };
  for (const OptimiserPath& path : result()->paths)
    if (path.settings.kind != markov::OptimiserKind::Flow &&
        path.settings.kind != markov::OptimiserKind::GradientDescent)
      draw(path, true);
  const OptimiserPath* const flow = this->path(markov::OptimiserKind::Flow);
  if (flow) draw(*flow, true);
  if (const OptimiserPath* const descent = this->path(markov::OptimiserKind::GradientDescent)) draw(*descent, !flow);
  for (const OptimiserPath& path : result()->paths) {
    const render::Point end = placeAt(path, path.theta.size() - 1);
    if (nearWindow(plane, end))
      items.emplace_back(render::Marker{end, kindShape(path.label.back()), 10, kindColor(theme, path.label.back()),
                                        optimiserLook(theme, path.settings.kind).color, 2});
    if (!path.leftAt) continue;
    const render::Point left = placeAt(path, static_cast<std::size_t>(*path.leftAt));
    if (!nearWindow(plane, left)) continue;
    items.emplace_back(cross(left, theme.plotBackground, 15, 5));
    items.emplace_back(cross(left, optimiserLook(theme, path.settings.kind).color, 13, 2.5f));
  }
  return items;
}

/// The paths that leave the basin come first, and their names belong to the places where they leave it.
std::vector<NamedPath> OptimiserPage::namedPaths(const FlowFrame& plane) const {
  std::vector<NamedPath> named;
  for (const bool leaving : {true, false})
    for (const OptimiserPath& path : result()->paths) {
      if (path.leftAt.has_value() != leaving) continue;
      NamedPath& one = named.emplace_back();
      one.places = planePlaces(path.theta);
      one.text = optimiserWords(path.settings.kind, true);
      one.color = optimiserLook(plane.theme, path.settings.kind).color;
      if (!leaving) continue;
      one.text += fmt::format(": {} {}", plane.layout.compact ? tr("leaves at") : tr("leaves at step"), *path.leftAt);
      one.at = static_cast<std::size_t>(*path.leftAt);
    }
  return named;
}

void OptimiserPage::addHeads(std::vector<render::Item>& items, std::vector<std::string>& lines, const FlowFrame& plane,
                             double step) const {
  const auto k = static_cast<std::size_t>(step);
  lines.push_back(fmt::format("{} {}", tr("step"), k));
  const double rate = markov::Chain{request().p, request().q}.entropyRate();
  for (const OptimiserPath& path : result()->paths) {
    const bool there = k < path.theta.size();
    const render::Point at = placeAt(path, k);
    const std::string name = optimiserWords(path.settings.kind, true);
    lines.push_back(there ? fmt::format("{}: ({}, {}), {} {}", name, shownFixed(at.x, 3), shownFixed(at.y, 3),
                                        tr("excess"), formatReading(std::max(0.0, path.loss[k] - rate)))
                          : fmt::format("{}: {}", name, tr("diverged")));
    if (there && nearWindow(plane, at))
      items.emplace_back(render::Marker{at, render::Shape::Circle, 11,
                                        optimiserLook(plane.theme, path.settings.kind).color,
                                        plane.theme.plotBackground, 2});
  }
}

/// One row per optimiser. If there is not enough room, the names of the basins are left out first; their marks stay.
TableView OptimiserPage::endTable(const Theme& theme) const {
  constexpr double kGlyph = 15;
  TableView table;
  table.columns = {{.title = tr("optimiser, rate"), .mark = kSwatch + 4},
                   {.title = tr("in the basin of"), .mark = kGlyph, .dropsText = true},
                   {.title = tr("loss"), .right = true}};
  const auto leaves = [](const OptimiserPath& path) { return path.leftAt.has_value(); };
  if (std::any_of(result()->paths.begin(), result()->paths.end(), leaves))
    table.columns.push_back({.title = tr("left at"), .right = true});
  table.rows = result()->paths.size();
  table.fitted = true;
  table.text = [this](std::size_t row, std::size_t column) -> std::string {
    const OptimiserPath& path = result()->paths[row];
    switch (column) {
      case 0:
        return optimiserWords(path.settings.kind, true) + " " + formatShortest(path.settings.rule.learningRate);
      case 1:
        return path.end == markov::OptimiserEnd::Diverged ? std::string(tr("diverged")) : kindWords(path.label.back());
      case 2:
        return lossText(path);
      default:
        return leavesText(path);
    }
  };
  table.drawMark = [this, &theme](std::vector<render::Item>& items, std::size_t row, std::size_t column,
                                  render::Point left) {
    const OptimiserPath& path = result()->paths[row];
    if (column == 0) return addSwatch(items, left, kSwatch, optimiserLook(theme, path.settings.kind), theme);
    // The mark is hollow while the optimiser is still moving.
    const bool diverged = path.end == markov::OptimiserEnd::Diverged, moving = path.end == markov::OptimiserEnd::Moving;
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

std::string OptimiserPage::missing() const {
  if (!start_) return tr("Optimisers need an initial point: double-click the plane, or press A, to add one.");
  if (!state_.request) return tr("No optimiser is chosen: switch one on.");
  return sentenceCase(failure());
}

}  // namespace sepx::ui
