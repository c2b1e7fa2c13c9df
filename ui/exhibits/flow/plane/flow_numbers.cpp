// SPDX-License-Identifier: Apache-2.0
// Tables and grids of the Flow picture. Columns are named as in the paper (e, w, loss in nats), of other fields by
// their own variables. Grids have row 0 at the least second coordinate, as their axis says, and a size of their own
// whatever the picture's is.
#include "ui/exhibits/flow/plane/flow_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "engine/markov/basin.h"
#include "engine/markov/canonical_model.h"
#include "engine/markov/critical_sets.h"
#include "engine/markov/energy.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostPathRows = 1'000'000;
constexpr int kCurveSamples = 512;  // as drawn
const double kNothing = std::numeric_limits<double>::quiet_NaN();

using Texts = std::vector<std::string>;
using Reals = std::vector<double>;

/// The words of a field: its variables, and what its loss is called.
struct Names {
  std::string x, y, loss, unit;
  explicit Names(const FlowState& state)
      : x(state.field->info().variables[0]),
        y(state.field->info().variables[1]),
        loss(state.canonical ? "loss" : "potential"),
        unit(state.canonical ? "nats" : "") {}
};

double energyAt(const FlowModel& model, double x, double y) {
  dynamics::State at(2);
  at << x, y;
  return model.canonical ? markov::energy(markov::Model::EW, at).value_or(kNothing) : kNothing;
}

Table pointTable(const FlowState& state, const FlowResults& results, const Names& names) {
  Texts name, basin, status, limit, color;
  Reals x, y, a, loss, energy, limitX, limitY, limitLoss, time99, drift, rate, rateTheory;
  const std::size_t count = std::min(state.points.size(), results.points());
  for (std::size_t i = 0; i < count; ++i) {
    const FlowPoint& point = state.points[i];
    const PointResult& result = results.point(i);
    name.push_back(point.name);
    x.push_back(point.e);
    y.push_back(point.w);
    loss.push_back(result.loss.value_or(kNothing));
    energy.push_back(result.energy.value_or(kNothing));
    basin.push_back(limitLabel(result.kind));
    status.emplace_back(markov::statusName(result.status));
    limit.push_back(result.limit ? limitLabel(result.kind) : std::string());
    limitX.push_back(result.limit ? result.limit->x : kNothing);
    limitY.push_back(result.limit ? result.limit->y : kNothing);
    limitLoss.push_back(result.limitLoss.value_or(kNothing));
    a.push_back(point.a);
    color.push_back(point.color);
    time99.push_back(result.time99.value_or(kNothing));
    drift.push_back(result.drift.value_or(kNothing));
    rate.push_back(result.rate.value_or(kNothing));
    rateTheory.push_back(result.rateTheory.value_or(kNothing));
  }
  Table table{"points", {{"name", "", name}, {names.x, "", x}, {names.y, "", y}}};
  // Columns that only some tables have, so that plain ones stay short.
  const auto any = [](const auto& values, const auto& none) {
    return std::any_of(values.begin(), values.end(), [&none](const auto& value) { return value != none; });
  };
  if (state.canonical && any(a, 0.0)) table.columns.push_back({"a", "", a});
  const bool shaded = hasLoss(state);
  if (shaded) table.columns.push_back({names.loss, names.unit, loss});
  if (state.canonical) table.columns.push_back({"energy", "", energy});
  table.columns.insert(table.columns.end(), {{"basin", "", basin},
                                             {"status", "", status},
                                             {"limit", "", limit},
                                             {"limit_" + names.x, "", limitX},
                                             {"limit_" + names.y, "", limitY}});
  if (shaded) table.columns.push_back({"limit_" + names.loss, names.unit, limitLoss});
  if (state.canonical)
    table.columns.insert(table.columns.end(), {{"time_to_1_percent", "", time99},
                                               {"energy_drift", "", drift},
                                               {"rate", "", rate},
                                               {"rate_theory", "", rateTheory}});
  if (any(color, std::string())) table.columns.push_back({"color", "", color});
  return table;
}

/// Names of the points where they tell them apart, else their numbers from 1.
Texts pathNames(const FlowState& state) {
  std::set<std::string> seen;
  Texts names;
  for (const FlowPoint& point : state.points)
    names.push_back(point.name);
  const bool apart = std::all_of(names.begin(), names.end(), [&seen](const std::string& name) {
    return !name.empty() && seen.insert(name).second;
  });
  for (std::size_t i = 0; i < names.size() && !apart; ++i)
    names[i] = std::to_string(i + 1);
  return names;
}

Table pathTable(const FlowState& state, const FlowResults& results, const Names& names) {
  const std::size_t count = std::min(state.points.size(), results.points());
  std::size_t rows = 0;
  for (std::size_t i = 0; i < count; ++i)
    rows += hasPath(state, i) ? results.point(i).path.size() : 0;
  const std::size_t stride = rows / kMostPathRows + 1;  // of very many points every path, with fewer samples
  const Texts name = pathNames(state);
  Texts point;
  Reals t, x, y, loss, energy;
  for (std::size_t i = 0; i < count; ++i) {
    if (!hasPath(state, i)) continue;
    const PointResult& result = results.point(i);
    for (std::size_t k = 0; k < result.path.size(); ++k) {
      if (k % stride != 0 && k + 1 != result.path.size()) continue;
      const render::Point at = result.path[k];
      point.push_back(name[i]);
      t.push_back(result.time[k]);
      x.push_back(at.x);
      y.push_back(at.y);
      loss.push_back(lossAt(state, at.x, at.y));
      energy.push_back(energyAt(state, at.x, at.y));
    }
  }
  Table table{"paths", {{"point", "", point}, {"t", "", t}, {names.x, "", x}, {names.y, "", y}}};
  if (hasLoss(state)) table.columns.push_back({names.loss, names.unit, loss});
  if (state.canonical) table.columns.push_back({"energy", "", energy});
  return table;
}

/// The flow run backwards: times fall from 0.
Table backTable(const FlowState& state, const FlowResults& results, const Names& names) {
  const std::size_t count = std::min(state.points.size(), results.points());
  const Texts name = pathNames(state);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < count; ++i)
    rows += results.point(i).back ? results.point(i).back->path.size() : 0;
  const std::size_t stride = rows / kMostPathRows + 1;
  Texts point;
  Reals t, x, y, loss;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<WayBack>& back = results.point(i).back;
    for (std::size_t k = 0; back && k < back->path.size(); ++k) {
      if (k % stride != 0 && k + 1 != back->path.size()) continue;
      point.push_back(name[i]);
      t.push_back(back->time[k]);
      x.push_back(back->path[k].x);
      y.push_back(back->path[k].y);
      loss.push_back(lossAt(state, back->path[k].x, back->path[k].y));
    }
  }
  Table table{"ways_back", {{"point", "", point}, {"t", "", t}, {names.x, "", x}, {names.y, "", y}}};
  if (hasLoss(state)) table.columns.push_back({names.loss, names.unit, loss});
  return table;
}

/// Curves, one after the other: branch counts the pieces from 1.
struct CurveRows {
  Texts set;
  Reals branch, x, y;
  double branches = 0;

  void add(markov::LimitKind kind, const std::vector<markov::PlanePoint>& points) {
    ++branches;
    for (const markov::PlanePoint& point : points) {
      set.push_back(limitLabel(kind));
      branch.push_back(branches);
      x.push_back(point.e);
      y.push_back(point.w);
    }
  }
};

Table criticalTable(const FlowState& state, const Names& names) {
  CurveRows rows;
  const render::Rect& v = state.view;
  if (!state.canonical) {
    for (const dynamics::FixedPoint& fixed : state.field->fixedPoints(state.parameters))
      rows.add(fixed.kind, {{fixed.x[0], fixed.x[1]}});
  } else if (state.degenerate()) {  // S* = 0: both lines are minima
    const double w = -1 / std::sqrt(2.0);
    rows.add(markov::LimitKind::GlobalMin, {{0, v.min.y}, {0, v.max.y}});
    rows.add(markov::LimitKind::GlobalMin, {{v.min.x, w}, {v.max.x, w}});
  } else {
    const markov::CriticalSets sets =
        markov::criticalSets(state.chain, v.min.x, v.max.x, v.min.y, v.max.y, kCurveSamples);
    for (const markov::Curve& curve : sets.curves)
      rows.add(curve.kind, curve.points);
    rows.add(markov::LimitKind::Saddle, {sets.saddle});
  }
  return {"critical",
          {{"set", "", rows.set}, {"branch", "", rows.branch}, {names.x, "", rows.x}, {names.y, "", rows.y}}};
}

Table separatrixTable(const FlowState& state, const Names& names) {
  CurveRows rows;
  const render::Rect& v = state.view;
  for (const markov::Curve& curve :
       markov::criticalSets(state.chain, v.min.x, v.max.x, v.min.y, v.max.y, kCurveSamples).separatrix)
    rows.add(curve.kind, curve.points);
  return {"separatrix", {{"branch", "", rows.branch}, {names.x, "", rows.x}, {names.y, "", rows.y}}};
}

Table cloudTable(const Cloud& cloud, const Names& names) {
  Reals x, y;
  Texts basin;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    x.push_back(cloud.points[i].x);
    y.push_back(cloud.points[i].y);
    basin.push_back(limitLabel(cloud.kinds[i]));
  }
  return {"cloud", {{names.x, "", x}, {names.y, "", y}, {"basin", "", basin}}};
}

Table overlayTable(const std::vector<Trajectory>& own, const Names& names) {
  Texts trajectory;
  Reals t, x, y;
  for (const Trajectory& one : own)
    for (std::size_t i = 0; i < one.points.size(); ++i) {
      trajectory.push_back(one.name);
      t.push_back(i < one.time.size() ? one.time[i] : kNothing);
      x.push_back(one.points[i].x);
      y.push_back(one.points[i].y);
    }
  return {"overlays", {{"trajectory", "", trajectory}, {"t", "", t}, {names.x, "", x}, {names.y, "", y}}};
}

/// What the codes of a basin grid mean.
Table labelTable(const FlowState& state, const Names& names) {
  Reals code, x, y;
  Texts label;
  const auto add = [&](std::size_t number, markov::LimitKind kind, double atX, double atY) {
    code.push_back(static_cast<double>(number));
    label.push_back(limitLabel(kind));
    x.push_back(atX);
    y.push_back(atY);
  };
  if (state.canonical) {
    for (const markov::LimitKind kind :
         {markov::LimitKind::Undecided, markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin,
          markov::LimitKind::Saddle, markov::LimitKind::LocalMax})
      add(static_cast<std::size_t>(kind), kind, kNothing, kNothing);
    return {"labels", {{"code", "", code}, {"label", "", label}}};
  }
  add(0, markov::LimitKind::Undecided, kNothing, kNothing);
  std::size_t number = static_cast<std::size_t>(markov::LimitKind::Attractor);
  for (const dynamics::FixedPoint& fixed : state.field->fixedPoints(state.parameters))
    if (fixed.kind == markov::LimitKind::Attractor) add(number++, fixed.kind, fixed.x[0], fixed.x[1]);
  return {"labels", {{"code", "", code}, {"label", "", label}, {names.x, "", x}, {names.y, "", y}}};
}

Grid axis(const std::string& name, int count, double (*at)(const dynamics::BasinWindow&, int),
          const dynamics::BasinWindow& window) {
  Reals values;
  for (int i = 0; i < count; ++i)
    values.push_back(at(window, i));
  return {name, {static_cast<std::size_t>(count)}, std::move(values)};
}

/// A picture's rows run downwards, a grid's upwards.
Grid labelGrid(const std::string& name, const dynamics::BasinMap& map) {
  const auto width = static_cast<std::size_t>(map.window.width), height = static_cast<std::size_t>(map.window.height);
  std::vector<std::uint8_t> labels;
  labels.reserve(map.labels.size());
  for (std::size_t row = height; row-- > 0;)
    labels.insert(labels.end(), map.labels.begin() + static_cast<std::ptrdiff_t>(row * width),
                  map.labels.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  return {name, {height, width}, std::move(labels)};
}

dynamics::BasinMap exactMap(const FlowState& state, const dynamics::BasinWindow& window) {
  dynamics::BasinMap map{window, {}};
  for (int row = 0; row < window.height; ++row)
    for (int column = 0; column < window.width; ++column)
      map.labels.push_back(static_cast<std::uint8_t>(markov::basinLabel(state.chain, window.x(column), window.y(row))));
  return map;
}

Grid lossGrid(const FlowState& state, const Names& names, const dynamics::BasinWindow& window) {
  Reals values;
  for (int row = window.height; row-- > 0;)
    for (int column = 0; column < window.width; ++column)
      values.push_back(lossAt(state, window.x(column), window.y(row)));
  return {
      names.loss, {static_cast<std::size_t>(window.height), static_cast<std::size_t>(window.width)}, std::move(values)};
}

void addGrids(const FlowState& state, const FlowResults& results, const Names& names, Numbers& numbers) {
  const dynamics::BasinWindow window = countingGrid(state, state.view);
  numbers.grids.push_back(axis(
      names.x, window.width, [](const dynamics::BasinWindow& w, int i) { return w.x(i); }, window));
  numbers.grids.push_back(axis(
      names.y, window.height, [](const dynamics::BasinWindow& w, int i) { return w.y(w.height - 1 - i); }, window));
  if (state.showLoss && hasLoss(state)) numbers.grids.push_back(lossGrid(state, names, window));
  if (!state.showBasin || state.degenerate()) return;
  const BasinPicture& basin = results.basin();
  const bool integrated = basin.integrated && basin.integrated->window == window;
  const bool exact = state.canonical && state.method != BasinMethod::Integrate;
  if (exact) numbers.grids.push_back(labelGrid("basin", exactMap(state, window)));
  if (integrated) numbers.grids.push_back(labelGrid(exact ? "basin_integrated" : "basin", *basin.integrated));
  if (exact || integrated) numbers.tables.push_back(labelTable(state, names));
}

}  // namespace

std::string limitLabel(markov::LimitKind kind) {
  return kind == markov::LimitKind::Attractor ? "attractor" : std::string(markov::limitName(kind));
}

Numbers flowNumbers(const FlowState& state, const FlowResults& results) {
  const Names names(state);
  Numbers numbers;
  numbers.tables.push_back(pointTable(state, results, names));
  if (state.showPaths) numbers.tables.push_back(pathTable(state, results, names));
  if (state.showBackward) numbers.tables.push_back(backTable(state, results, names));
  if (state.showCritical) numbers.tables.push_back(criticalTable(state, names));
  if (state.showSeparatrix && state.canonical && !state.degenerate())
    numbers.tables.push_back(separatrixTable(state, names));
  if (results.cloud()) numbers.tables.push_back(cloudTable(*results.cloud(), names));
  if (!state.own->empty()) numbers.tables.push_back(overlayTable(*state.own, names));
  addGrids(state, results, names, numbers);
  return numbers;
}

}  // namespace sepx::ui
