// SPDX-License-Identifier: Apache-2.0
// See sweep_grid.h.
#include "engine/sweep/sweep_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/core/number.h"

namespace sepx::sweep {

namespace {

using Json = nlohmann::ordered_json;

/// An axis, and the position of every run on it.
struct PlacedRuns {
  SweepAxis axis;
  std::vector<std::size_t> places;
};

PlacedRuns placed(const Sweep& plan, std::size_t field) {
  PlacedRuns made;
  made.axis.field = field;
  std::vector<const Json*> values;  // in the order of the plan
  std::map<std::string, std::size_t> known;
  for (const SweepRun& run : plan.runs) {
    const Json& value = run.values[field];
    const auto [at, fresh] = known.try_emplace(value.dump(), values.size());
    if (fresh) values.push_back(&value);
    made.places.push_back(at->second);
  }
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool numbers = std::ranges::all_of(values, [](const Json* value) { return value->is_number(); });
  if (numbers) std::ranges::stable_sort(order, {}, [&values](std::size_t i) { return values[i]->get<double>(); });
  std::vector<std::size_t> rank(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
    made.axis.labels.push_back(valueLabel(*values[order[i]]));
    if (numbers) made.axis.numbers.push_back(values[order[i]]->get<double>());
  }
  for (std::size_t& place : made.places)
    place = rank[place];
  return made;
}

/// The metric of a run; empty if it does not have it.
std::optional<double> metricOf(const train::RunSummary& run, const std::string& name) {
  for (const auto& [known, value] : run.metrics)
    if (known == name) return value;
  return std::nullopt;
}

void take(SweepCell& cell, const SweepReading& reading, const std::string& metric, std::size_t row, bool counts) {
  cell.runs.push_back(row);
  if (!counts) {
    ++cell.unfinished;
    return;
  }
  const std::optional<double> value = metricOf(*reading.rows[row].run, metric);
  if (!value)
    ++cell.missing;
  else if (std::isfinite(*value))
    cell.spread.add(*value);
  else
    ++cell.notFinite;
}

/// Whether a field has several values within one of the cells.
bool differsWithin(const std::vector<SweepCell>& cells, const Sweep& plan, std::size_t field) {
  return std::ranges::any_of(cells, [&](const SweepCell& cell) {
    return std::ranges::any_of(cell.runs, [&](std::size_t row) {
      return plan.runs[row].values[field] != plan.runs[cell.runs.front()].values[field];
    });
  });
}

}  // namespace

std::string valueLabel(const nlohmann::ordered_json& value) {
  constexpr std::size_t kLongest = 8;  // of a number that a person wrote
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  const auto number = value.get<double>();
  for (int digits = 1; digits <= 6; ++digits)
    if (std::string text = fmt::format("{:.{}g}", number, digits); parseNumber(text) == number)
      return text.size() <= kLongest ? text : fmt::format("{:.4g}", number);
  return fmt::format("{:.4g}", number);  // a number that was drawn at random
}

bool SweepAxis::spansDecades() const {
  return isNumber() && numbers.front() > 0 && numbers.back() >= 10 * numbers.front();
}

const SweepCell* SweepGrid::cell(std::size_t xPlace, std::size_t yPlace) const {
  const auto at = std::ranges::lower_bound(cells, std::pair(yPlace, xPlace), {},
                                           [](const SweepCell& one) { return std::pair(one.y, one.x); });
  return at != cells.end() && at->x == xPlace && at->y == yPlace ? &*at : nullptr;
}

std::optional<std::size_t> SweepGrid::cellOf(std::size_t row) const {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (std::ranges::binary_search(cells[i].runs, row)) return i;
  return std::nullopt;
}

bool SweepGrid::hasValues() const {
  return std::ranges::any_of(cells, [](const SweepCell& cell) { return cell.spread.count > 0; });
}

SweepGrid gridOf(const SweepReading& reading, const std::string& metric, std::size_t x, std::optional<std::size_t> y,
                 const std::function<bool(std::size_t row)>& counts) {
  const Sweep& plan = *reading.plan;
  SweepGrid grid;
  grid.metric = metric;
  PlacedRuns across = placed(plan, x);
  std::optional<PlacedRuns> up = y ? std::optional(placed(plan, *y)) : std::nullopt;
  std::map<std::pair<std::size_t, std::size_t>, SweepCell> cells;  // by y, then x
  for (std::size_t row = 0; row < plan.runs.size(); ++row) {
    const std::pair place(up ? up->places[row] : 0, across.places[row]);
    SweepCell& cell = cells[place];
    cell.y = place.first;
    cell.x = place.second;
    take(cell, reading, metric, row, reading.complete(row) && (!counts || counts(row)));
  }
  for (auto& [place, cell] : cells)
    grid.cells.push_back(std::move(cell));
  grid.x = std::move(across.axis);
  if (up) grid.y = std::move(up->axis);
  for (std::size_t field = 0; field < plan.fields.size(); ++field)
    if (field != x && field != y && differsWithin(grid.cells, plan, field)) grid.averaged.push_back(plan.fields[field]);
  return grid;
}

std::vector<std::size_t> variedFields(const Sweep& plan) {
  std::vector<std::size_t> varied;
  for (std::size_t field = 0; field < plan.fields.size(); ++field) {
    const auto differs = [&](const SweepRun& run) { return run.values[field] != plan.runs.front().values[field]; };
    if (std::ranges::any_of(plan.runs, differs)) varied.push_back(field);
  }
  if (varied.empty() && !plan.fields.empty()) varied.push_back(0);
  return varied;
}

}  // namespace sepx::sweep
