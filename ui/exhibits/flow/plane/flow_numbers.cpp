// SPDX-License-Identifier: Apache-2.0
// Tables and grids of the Flow picture, and its caption. Columns are named as in the paper (e, w, loss in nats); for
// other fields they have the names of the field's variables. Row 0 of a grid is at the smallest second coordinate, as
// its axis says. The size of a grid does not depend on the size of the picture.

#include "ui/exhibits/flow/plane/flow_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "engine/markov/canonical_model.h"
#include "engine/markov/energy.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

const double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The names of a field's variables, and the name and unit of its loss.
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
  Table table{"points",
              {textColumn("name"), numberColumn(names.x), numberColumn(names.y), numberColumn("a"),
               numberColumn(names.loss, names.unit), numberColumn("energy"), textColumn("basin"), textColumn("status"),
               textColumn("limit"), numberColumn("limit_" + names.x), numberColumn("limit_" + names.y),
               numberColumn("limit_" + names.loss, names.unit), numberColumn("time_to_1_percent"),
               numberColumn("energy_drift"), numberColumn("rate"), numberColumn("rate_theory"), textColumn("color")}};
  const std::size_t count = std::min(state.points.size(), results.points());
  bool third = false, colored = false;
  for (std::size_t i = 0; i < count; ++i) {
    const FlowPoint& point = state.points[i];
    const PointResult& result = results.point(i);
    const render::Point limit = result.limit.value_or(render::Point{kNothing, kNothing});
    addRow(table, point.name, point.e, point.w, point.a, result.loss, result.energy, declaring::labelOf(result.kind),
           markov::statusName(result.status), result.limit ? declaring::labelOf(result.limitKind) : std::string(),
           limit.x, limit.y, result.limitLoss, result.time99, result.drift, result.rate, result.rateTheory,
           point.color);
    third = third || point.a != 0;
    colored = colored || !point.color.empty();
  }
  // Columns that do not apply are removed, so that plain tables stay short.
  std::set<std::string> none;
  if (!state.canonical) none = {"a", "energy", "time_to_1_percent", "energy_drift", "rate", "rate_theory"};
  if (!third) none.insert("a");
  if (!colored) none.insert("color");
  if (!hasLoss(state)) none.insert({names.loss, "limit_" + names.loss});
  std::erase_if(table.columns, [&none](const Column& column) { return none.contains(column.name); });
  return table;
}

/// The names of the points if they are unique and not empty, else the numbers of the points from 1.
std::vector<std::string> pathNames(const FlowState& state) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const FlowPoint& point : state.points)
    names.push_back(point.name);
  const bool apart = std::all_of(names.begin(), names.end(), [&seen](const std::string& name) {
    return !name.empty() && seen.insert(name).second;
  });
  for (std::size_t i = 0; i < names.size() && !apart; ++i)
    names[i] = std::to_string(i + 1);
  return names;
}

/// Only every strideOf(rows)-th sample of a path has a row. With very many points, all paths are exported with fewer
/// samples.
std::size_t strideOf(std::size_t rows) {
  constexpr std::size_t kMostPathRows = 1'000'000;
  return rows / kMostPathRows + 1;
}

Table pathTable(const FlowState& state, const FlowResults& results, const Names& names) {
  const std::size_t count = std::min(state.points.size(), results.points());
  std::size_t rows = 0;
  for (std::size_t i = 0; i < count; ++i)
    rows += hasPath(state, i) ? results.point(i).path.size() : 0;
  const std::vector<std::string> name = pathNames(state);
  Table table{"paths",
              {textColumn("point"), numberColumn("t"), numberColumn(names.x), numberColumn(names.y),
               numberColumn(names.loss, names.unit), numberColumn("energy")}};
  for (std::size_t i = 0; i < count; ++i) {
    const PointResult& result = results.point(i);
    for (std::size_t k = 0; hasPath(state, i) && k < result.path.size(); ++k) {
      if (k % strideOf(rows) != 0 && k + 1 != result.path.size()) continue;
      const render::Point at = result.path[k];
      addRow(table, name[i], result.time[k], at.x, at.y, lossAt(state, at.x, at.y), energyAt(state, at.x, at.y));
    }
  }
  if (!state.canonical) table.columns.pop_back();
  if (!hasLoss(state)) table.columns.pop_back();
  return table;
}

/// The flow run backwards: times decrease from 0.
Table backTable(const FlowState& state, const FlowResults& results, const Names& names) {
  const std::size_t count = std::min(state.points.size(), results.points());
  const std::vector<std::string> name = pathNames(state);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < count; ++i)
    rows += results.point(i).back ? results.point(i).back->path.size() : 0;
  Table table{"ways_back",
              {textColumn("point"), numberColumn("t"), numberColumn(names.x), numberColumn(names.y),
               numberColumn(names.loss, names.unit)}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<BackwardPath>& back = results.point(i).back;
    for (std::size_t k = 0; back && k < back->path.size(); ++k) {
      if (k % strideOf(rows) != 0 && k + 1 != back->path.size()) continue;
      const render::Point at = back->path[k];
      addRow(table, name[i], back->time[k], at.x, at.y, lossAt(state, at.x, at.y));
    }
  }
  if (!hasLoss(state)) table.columns.pop_back();
  return table;
}

/// A row for every point of a piece of a curve; `branch` counts the pieces from 1.
template <class... Set>
void addCurve(Table& table, double branch, const std::vector<markov::PlanePoint>& points, const Set&... set) {
  for (const markov::PlanePoint& point : points)
    addRow(table, set..., branch, point.e, point.w);
}

Table criticalTable(const FlowState& state, const Names& names) {
  Table table{"critical", {textColumn("set"), numberColumn("branch"), numberColumn(names.x), numberColumn(names.y)}};
  double branches = 0;
  const auto add = [&](markov::LimitKind kind, const std::vector<markov::PlanePoint>& points) {
    addCurve(table, ++branches, points, declaring::labelOf(kind));
  };
  const render::Rect& v = state.view;
  if (!state.canonical) {
    for (const dynamics::FixedPoint& fixed : state.field->fixedPoints(state.parameters))
      add(fixed.kind, {{fixed.x[0], fixed.x[1]}});
  } else if (state.degenerate()) {  // S* = 0: both lines are minima
    const double w = -1 / std::sqrt(2.0);
    add(markov::LimitKind::GlobalMin, {{0, v.min.y}, {0, v.max.y}});
    add(markov::LimitKind::GlobalMin, {{v.min.x, w}, {v.max.x, w}});
  } else {
    const markov::CriticalSets sets = criticalSetsOf(state);
    for (const markov::Curve& curve : sets.curves)
      add(curve.kind, curve.points);
    add(markov::LimitKind::Saddle, {sets.saddle});
  }
  return table;
}

Table separatrixTable(const FlowState& state, const Names& names) {
  Table table{"separatrix", {numberColumn("branch"), numberColumn(names.x), numberColumn(names.y)}};
  double branches = 0;
  for (const markov::Curve& curve : criticalSetsOf(state).separatrix)
    addCurve(table, ++branches, curve.points);
  return table;
}

Table cloudTable(const Cloud& cloud, const Names& names) {
  Table table{"cloud", {numberColumn(names.x), numberColumn(names.y), textColumn("basin")}};
  for (std::size_t i = 0; i < cloud.points.size(); ++i)
    addRow(table, cloud.points[i].x, cloud.points[i].y, declaring::labelOf(cloud.kinds[i]));
  return table;
}

Table overlayTable(const std::vector<Trajectory>& own, const Names& names) {
  Table table{"overlays", {textColumn("trajectory"), numberColumn("t"), numberColumn(names.x), numberColumn(names.y)}};
  for (const Trajectory& one : own)
    for (std::size_t i = 0; i < one.points.size(); ++i)
      addRow(table, one.name, i < one.time.size() ? one.time[i] : kNothing, one.points[i].x, one.points[i].y);
  return table;
}

/// What the codes of a basin grid mean; attractors of other fields with their places.
Table labelTable(const FlowState& state, const Names& names) {
  using markov::LimitKind;
  Table table{"labels", {numberColumn("code"), textColumn("label"), numberColumn(names.x), numberColumn(names.y)}};
  const auto add = [&](std::size_t number, LimitKind kind, double x, double y) {
    addRow(table, static_cast<double>(number), declaring::labelOf(kind), x, y);
  };
  add(0, LimitKind::Undecided, kNothing, kNothing);
  if (state.canonical || state.field->hasClassifier()) {
    for (const LimitKind kind : {LimitKind::GlobalMin, LimitKind::LocalMin, LimitKind::Saddle, LimitKind::LocalMax})
      add(static_cast<std::size_t>(kind), kind, kNothing, kNothing);
    table.columns.resize(2);
    return table;
  }
  std::size_t number = static_cast<std::size_t>(LimitKind::Attractor);
  for (const dynamics::FixedPoint& fixed : state.field->fixedPoints(state.parameters))
    if (fixed.kind == LimitKind::Attractor) add(number++, fixed.kind, fixed.x[0], fixed.x[1]);
  return table;
}

Grid labelGrid(const std::string& name, const dynamics::BasinMap& map) {
  const auto width = static_cast<std::size_t>(map.window.width), height = static_cast<std::size_t>(map.window.height);
  return {name, {height, width}, rowsUpwards(map.labels, width)};
}

dynamics::BasinMap exactMap(const FlowState& state, const dynamics::BasinWindow& window) {
  dynamics::BasinMap map{window, {}};
  for (int row = 0; row < window.height; ++row)
    for (int column = 0; column < window.width; ++column)
      map.labels.push_back(static_cast<std::uint8_t>(markov::basinLabel(state.chain, window.x(column), window.y(row))));
  return map;
}

Grid lossGrid(const FlowState& state, const Names& names, const dynamics::BasinWindow& window) {
  std::vector<double> values;
  for (int row = window.height; row-- > 0;)
    for (int column = 0; column < window.width; ++column)
      values.push_back(lossAt(state, window.x(column), window.y(row)));
  return {
      names.loss, {static_cast<std::size_t>(window.height), static_cast<std::size_t>(window.width)}, std::move(values)};
}

void addGrids(const FlowState& state, const FlowResults& results, const Names& names, Numbers& numbers) {
  const dynamics::BasinWindow window = countingGrid(state, state.view);
  std::vector<double> xs, ys;
  for (int i = 0; i < window.width; ++i)
    xs.push_back(window.x(i));
  for (int i = window.height; i-- > 0;)
    ys.push_back(window.y(i));
  numbers.grids.push_back({names.x, {xs.size()}, xs});
  numbers.grids.push_back({names.y, {ys.size()}, ys});
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

namespace {

std::string shown(double value) {
  return withMinus(formatShortest(value));
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? tr(std::string(N_(" and "))) : std::string(", ");
    text += parts[i];
  }
  return text;
}

std::string modelSentence(const FlowState& state) {
  if (!state.canonical) {
    const dynamics::FieldInfo& info = state.field->info();
    std::vector<std::string> values;
    for (std::size_t i = 0; i < info.parameters.size() && i < state.parameters.size(); ++i)
      values.push_back(info.parameters[i].symbol + " = " + shown(state.parameters[i]));
    std::string text = values.empty() ? tr("{name}: {equation}.") : tr("{name}: {equation}, with {values}.");
    text = filled(filled(text, "{name}", tr(info.name)), "{equation}", info.equation);
    return filled(text, "{values}", listed(values));
  }
  const double sum = state.chain.switching();
  const char* const sign = sum > 0 ? "p + q > 1" : sum < 0 ? "p + q < 1" : "p + q = 1";
  std::string text = tr("Gradient flow in the (e, w) plane, p = {p}, q = {q} ({sum}).");
  return filled(filled(filled(text, "{p}", shown(state.chain.p)), "{q}", shown(state.chain.q)), "{sum}", sign);
}

std::string hatchClause(const FlowState& state, const FlowResults& results) {
  const std::vector<double>& shares = results.basin().shares;
  const auto local = static_cast<std::size_t>(markov::LimitKind::LocalMin);
  if (!state.showBasin || state.degenerate() || shares.size() <= local) return {};
  return filled(tr("hatched: ends in a local minimum ({share} of the window)"), "{share}", shownShare(shares[local]));
}

std::string shadingClause(const FlowState& state, const FlowResults& results) {
  if (!state.showLoss || !results.limits()) return {};
  std::string text = tr("shading: the loss from {low} to {high} nats");
  if (state.color == PlaneColor::Time) text = tr("shading: the time to 99 % of the decrease in loss, {low} to {high}");
  if (state.color == PlaneColor::Gradient) text = tr("shading: the norm of the gradient, {low} to {high} nats");
  const auto end = [&](double value) { return logarithmic(state.color) ? shown(value) : shownFixed(value, 3); };
  return filled(filled(text, "{low}", end(results.limits()->low)), "{high}", end(results.limits()->high));
}

/// Explains the areas and lines that the picture itself does not name. The colour bar explains the colours of the loss,
/// unless its scale is locked.
std::string meaningSentence(const FlowState& state, const FlowResults& results) {
  if (!state.canonical) return {};
  std::vector<std::string> clauses{hatchClause(state, results)};
  if (state.locked || state.color != PlaneColor::Loss) clauses.push_back(shadingClause(state, results));
  if (state.showCritical && state.degenerate()) clauses.emplace_back(tr("lines: minima"));
  if (state.showSeparatrix && !state.degenerate()) clauses.emplace_back(tr("lines through the saddle: separatrix"));
  std::string text;
  for (const std::string& clause : clauses)
    if (!clause.empty()) text += (text.empty() ? "" : "; ") + clause;
  if (text.empty()) return {};
  // Only ASCII letters are capitalised; a translation chooses its own first letter.
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

std::string pointSentence(const FlowState& state, const FlowResults& results) {
  const std::size_t count = std::min(state.points.size(), results.points());
  if (count == 0 || state.degenerate()) return {};
  std::array<std::size_t, 6> ends{};
  for (std::size_t i = 0; i < count; ++i)
    ++ends[static_cast<std::size_t>(results.point(i).kind)];
  struct Words {
    markov::LimitKind kind;
    const char *some, *all;
  };
  const Words words[] = {
      {markov::LimitKind::GlobalMin, N_("{n} in a global minimum"),
       N_("All {n} initial points end in a global minimum.")},
      {markov::LimitKind::LocalMin, N_("{n} in a local minimum"), N_("All {n} initial points end in a local minimum.")},
      {markov::LimitKind::Saddle, N_("{n} in the saddle"), N_("All {n} initial points end in the saddle.")},
      {markov::LimitKind::LocalMax, N_("{n} at a local maximum"), N_("All {n} initial points end at a local maximum.")},
      {markov::LimitKind::Attractor, N_("{n} at an attractor"), N_("All {n} initial points end at an attractor.")},
      {markov::LimitKind::Undecided, N_("{n} undecided"), N_("The ends of all {n} initial points are undecided.")}};
  std::vector<std::string> parts;
  for (const Words& one : words) {
    const std::size_t n = ends[static_cast<std::size_t>(one.kind)];
    if (n == count && count > 1) return filled(tr(one.all), "{n}", std::to_string(n));
    if (n > 0) parts.push_back(filled(tr(one.some), "{n}", std::to_string(n)));
  }
  if (count == 1) return filled(tr("Limit of the initial point: {kind}."), "{kind}", kindWords(results.point(0).kind));
  const std::string text = filled(tr("Ends of the {n} initial points: {ends}."), "{n}", std::to_string(count));
  return filled(text, "{ends}", listed(parts));
}

std::string extraSentence(const FlowState& state, const FlowResults& results) {
  std::string text;
  if (results.cloud()) {
    text = tr("Cloud: {n} Gaussian initialisations with σ = {s}, {share} of them in a local minimum.");
    text = filled(filled(text, "{n}", std::to_string(results.cloud()->points.size())), "{s}", shown(state.sigma));
    text = filled(text, "{share}", shownShare(results.cloud()->share));
  }
  if (state.own->empty()) return text;
  return text + (text.empty() ? "" : " ") + tr("Dashed lines from a ring to a dot: imported trajectories.");
}

}  // namespace

std::string flowCaption(const FlowState& state, const FlowResults& results) {
  std::string caption;
  for (const std::string& sentence : {modelSentence(state), meaningSentence(state, results),
                                      pointSentence(state, results), extraSentence(state, results)})
    if (!sentence.empty()) caption += (caption.empty() ? "" : " ") + sentence;
  return caption;
}

}  // namespace sepx::ui
