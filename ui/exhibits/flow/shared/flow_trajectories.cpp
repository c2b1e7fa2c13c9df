// SPDX-License-Identifier: Apache-2.0
// overlays.trajectories[] = {name, field, x: […], y: […], t?: […]}; null is a gap. Unknown members stay where they are.
#include "ui/exhibits/flow/shared/flow_trajectories.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/exhibits/flow/shared/flow_state.h"

namespace sepx::ui {

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
