// SPDX-License-Identifier: Apache-2.0
// Identifies columns by name, ignoring case. Coordinates without a known name are accepted only if exactly two columns
// are numeric, besides time and trajectory. Also reads and writes the trajectories of a document.
#include "ui/exhibits/flow/shared/flow_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>

#include "engine/core/number.h"
#include "engine/core/terminal_text.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/properties/color_text.h"
#include "ui/properties/tr.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

using Values = std::vector<double>;

constexpr std::size_t kQuotedCell = 40;  // bytes of a cell or column name that a message quotes

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

const Column* named(const Table& table, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (const Column& column : table.columns)
      if (lower(column.name) == lower(std::string(name))) return &column;
  return nullptr;
}

const Values* numbersIn(const Column* column) {
  return column ? std::get_if<Values>(&column->values) : nullptr;
}

/// The file name without folder and extension.
std::string stemOf(const std::string& name) {
  const std::size_t slash = name.find_last_of("/\\");
  const std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
}

struct Plane {
  const Values* x = nullptr;
  const Values* y = nullptr;
  const Values* time = nullptr;
  const Column* group = nullptr;  ///< which trajectory a row belongs to
  const Column* name = nullptr;   ///< of a point
  const Values* third = nullptr;  ///< attention of a point
  const Column* color = nullptr;  ///< colour of a point
};

std::string columnList(const Table& table) {
  std::string list;
  for (std::size_t i = 0; i < table.columns.size() && i < 8; ++i)
    list += (i > 0 ? ", " : "") + excerpt(table.columns[i].name, kQuotedCell);
  return list + (table.columns.size() > 8 ? ", …" : "");
}

using Pair = std::pair<std::string, std::string>;

/// The error for the first cell of a coordinate column that is not a number; empty if there is none.
std::optional<Error> badCell(const Table& table, const std::string& name, const std::array<Pair, 3>& pairs) {
  for (const auto& [first, second] : pairs) {
    const Column *const x = named(table, {first}), *const y = named(table, {second});
    if (!x || !y) continue;
    for (const Column* column : {x, y}) {
      const auto* texts = std::get_if<std::vector<std::string>>(&column->values);
      if (!texts) continue;
      for (std::size_t row = 0; row < texts->size(); ++row) {
        const std::optional<double> number = parseNumber((*texts)[row]);
        if ((*texts)[row].empty() || (number && std::isfinite(*number))) continue;
        std::string text = tr("{file}: row {n} has \"{cell}\" for {column}; it must be a number");
        text = filled(filled(text, "{file}", name), "{n}", std::to_string(row + 1));
        text = filled(text, "{column}", excerpt(column->name, kQuotedCell));
        return Error{ErrorKind::BadInput, filled(text, "{cell}", excerpt((*texts)[row], kQuotedCell))};
      }
    }
  }
  return std::nullopt;
}

Result<Plane> planeOf(const Table& table, const std::string& name, const FlowState& state) {
  const std::vector<std::string>& variables = state.field->info().variables;
  Plane plane;
  plane.time = numbersIn(named(table, {"t", "time", "step", "steps", "iteration", "iterations", "epoch"}));
  plane.group = named(table, {"point", "trajectory", "path", "run"});
  plane.name = named(table, {"name", "label"});
  plane.color = named(table, {"color", "colour"});
  const std::array<Pair, 3> pairs{Pair{variables[0], variables[1]}, Pair{"e", "w"}, Pair{"x", "y"}};
  for (const auto& [first, second] : pairs) {
    plane.x = numbersIn(named(table, {first}));
    plane.y = numbersIn(named(table, {second}));
    if (!plane.x || !plane.y) continue;
    if (state.canonical) plane.third = numbersIn(named(table, {"a"}));
    return plane;
  }
  if (const auto bad = badCell(table, name, pairs)) return tl::unexpected(*bad);
  std::vector<const Values*> numeric;
  for (const Column& column : table.columns) {
    const Values* const values = numbersIn(&column);
    if (values && values != plane.time && &column != plane.group) numeric.push_back(values);
  }
  if (numeric.size() == 2) {
    plane.x = numeric[0];
    plane.y = numeric[1];
    return plane;
  }
  const std::string hint =
      tr("{file}: it is not clear which of its columns ({columns}) are {x} and {y}; name them in "
         "the first line, \"{x},{y}\" for initial points or \"t,{x},{y}\" for a trajectory");
  // {x} and {y} are filled in first, because the text from the file may contain these placeholders.
  std::string text = hint;
  while (text.find("{x}") != std::string::npos || text.find("{y}") != std::string::npos)
    text = filled(filled(text, "{x}", variables[0]), "{y}", variables[1]);
  return fail(ErrorKind::Usage, filled(filled(text, "{columns}", columnList(table)), "{file}", name));
}

bool inside(double x, double y) {
  return std::abs(x) <= kFarthest && std::abs(y) <= kFarthest;  // false for a NaN
}

std::string cellText(const Column& column, std::size_t row) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) return (*texts)[row];
  return formatShortest(std::get<Values>(column.values)[row]);
}

Result<ImportedTable> asPoints(const Plane& plane, const std::string& name, const FlowState& state) {
  const std::size_t rows = plane.x->size();
  if (rows + state.points.size() > kMostPoints) {
    std::string text =
        tr("{file}: with its {n} points there would be more than {most} points; remove some of its rows");
    text = filled(filled(text, "{file}", name), "{n}", std::to_string(rows));
    return fail(ErrorKind::BadInput, filled(text, "{most}", std::to_string(kMostPoints)));
  }
  ImportedTable taken;
  taken.points.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const double x = (*plane.x)[row], y = (*plane.y)[row];
    if (!inside(x, y)) {
      std::string text =
          tr("{file}: data row {n} is not a point: both coordinates must be numbers between −1e9 and 1e9");
      return fail(ErrorKind::BadInput, filled(filled(text, "{file}", name), "{n}", std::to_string(row + 1)));
    }
    FlowPoint point{x, y, plane.name ? cellText(*plane.name, row) : std::string()};
    if (point.name.size() > kLongestText) {
      std::string text = tr("{file}: the name in row {n} has more than {most} bytes; shorten it");
      text = filled(filled(text, "{file}", name), "{n}", std::to_string(row + 1));
      return fail(ErrorKind::BadInput, filled(text, "{most}", std::to_string(kLongestText)));
    }
    if (plane.third && inside((*plane.third)[row], 0)) point.a = (*plane.third)[row];
    if (plane.color)
      if (const std::optional<Rgb> color = rgbOf(cellText(*plane.color, row))) point.color = colorText(*color);
    taken.points.push_back(std::move(point));
  }
  return taken;
}

/// Rows with the same group form one trajectory. Without groups, a new trajectory begins where the time decreases.
std::vector<std::vector<std::size_t>> groupsOf(const Plane& plane) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> known;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < plane.x->size(); ++row) {
    if (plane.group) {
      const auto [at, fresh] = known.try_emplace(cellText(*plane.group, row), groups.size());
      if (fresh) groups.emplace_back();
      groups[at->second].push_back(row);
      continue;
    }
    const double time = (*plane.time)[row];
    if (groups.empty() || time < last) groups.emplace_back();
    if (std::isfinite(time)) last = time;
    groups.back().push_back(row);
  }
  return groups;
}

Result<ImportedTable> asTrajectories(const Plane& plane, const std::string& name, const FlowState& state) {
  std::size_t samples = plane.x->size();
  for (const Trajectory& one : *state.own)
    samples += one.points.size();
  if (samples > kMostSamples) {
    const std::string text =
        tr("{file}: with it the imported trajectories would have more than {most} rows; remove some of its rows");
    return fail(ErrorKind::BadInput, filled(filled(text, "{file}", name), "{most}", std::to_string(kMostSamples)));
  }
  const std::vector<std::vector<std::size_t>> groups = groupsOf(plane);
  const double gap = std::numeric_limits<double>::quiet_NaN();
  ImportedTable taken;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Trajectory one;
    one.name = stemOf(name);
    if (plane.group) one.name = groups.size() > 1 ? cellText(*plane.group, groups[g].front()) : one.name;
    if (!plane.group && groups.size() > 1) one.name += " " + std::to_string(g + 1);
    one.field = state.field->info().key;
    for (const std::size_t row : groups[g]) {
      const double x = (*plane.x)[row], y = (*plane.y)[row];
      one.points.push_back(inside(x, y) ? render::Point{x, y} : render::Point{gap, gap});
      if (plane.time) one.time.push_back((*plane.time)[row]);
    }
    const bool any =
        std::any_of(one.points.begin(), one.points.end(), [](render::Point at) { return std::isfinite(at.x); });
    if (any) taken.trajectories.push_back(std::move(one));
  }
  if (!taken.trajectories.empty()) return taken;
  return fail(ErrorKind::BadInput,
              filled(tr("{file}: none of its rows has two numbers between −1e9 and 1e9"), "{file}", name));
}

}  // namespace

Result<ImportedTable> readImported(const Table& table, const std::string& name, const FlowState& state) {
  if (table.rows() == 0) return fail(ErrorKind::BadInput, filled(tr("{file}: the table has no rows"), "{file}", name));
  const Result<Plane> plane = planeOf(table, name, state);
  if (!plane) return tl::unexpected(plane.error());
  return plane->time || plane->group ? asTrajectories(*plane, name, state) : asPoints(*plane, name, state);
}

namespace {

constexpr const char* kList = "overlays.trajectories";

std::vector<double> numbersOf(const Json& list) {
  std::vector<double> numbers;
  if (!list.is_array()) return numbers;
  numbers.reserve(list.size());
  for (const Json& value : list)
    numbers.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
  return numbers;
}

const Json& member(const Json& object, const char* name) {
  static const Json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

Trajectory trajectoryOf(const Json& json) {
  Trajectory one;
  const Json &name = member(json, "name"), &field = member(json, "field");
  if (name.is_string()) one.name = name.get<std::string>();
  one.field = field.is_string() ? field.get<std::string>() : std::string(kCanonicalField);
  const std::vector<double> x = numbersOf(member(json, "x")), y = numbersOf(member(json, "y"));
  const std::size_t count = std::min(x.size(), y.size());
  const double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < count; ++i) {
    const bool inside = std::abs(x[i]) <= kFarthest && std::abs(y[i]) <= kFarthest;
    one.points.push_back(inside ? render::Point{x[i], y[i]} : render::Point{gap, gap});
  }
  one.time = numbersOf(member(json, "t"));
  if (one.time.size() != count) one.time.clear();
  return one;
}

Json jsonOf(const Trajectory& one) {
  Json json = Json::object(), x = Json::array(), y = Json::array();
  for (const render::Point& point : one.points) {
    const bool there = std::isfinite(point.x) && std::isfinite(point.y);
    x.push_back(there ? Json(point.x) : Json());
    y.push_back(there ? Json(point.y) : Json());
  }
  json["name"] = one.name;
  json["field"] = one.field;
  json["x"] = std::move(x);
  json["y"] = std::move(y);
  if (!one.time.empty()) {
    Json& t = json["t"] = Json::array();
    for (const double time : one.time)
      t.push_back(std::isfinite(time) ? Json(time) : Json());
  }
  return json;
}

}  // namespace

Trajectories readTrajectories(const Document& document) {
  auto all = std::make_shared<std::vector<Trajectory>>();
  const Json& list = document.at(kList);
  if (!list.is_array()) return all;
  for (const Json& json : list) {
    if (!json.is_object()) continue;
    Trajectory one = trajectoryOf(json);
    if (!one.points.empty()) all->push_back(std::move(one));
  }
  return all;
}

Document withTrajectories(const Document& document, const std::vector<Trajectory>& trajectories) {
  const Json& before = document.at(kList);
  Json all = before.is_array() ? before : Json::array();
  for (const Trajectory& one : trajectories)
    all.push_back(jsonOf(one));
  return document.with(kList, std::move(all));
}

Document withoutTrajectories(const Document& document) {
  if (!document.has(kList)) return document;
  const Document next = document.without(kList);
  return next.at(kOverlaySection).empty() ? next.without(kOverlaySection) : next;
}

}  // namespace sepx::ui
