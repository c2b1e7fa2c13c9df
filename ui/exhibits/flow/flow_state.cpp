// SPDX-License-Identifier: Apache-2.0
// Reads FlowState from the document and writes the exhibit's changes into new documents. Pure.
#include "ui/exhibits/flow/flow_state.h"

#include <algorithm>
#include <set>

#include "engine/markov/flow.h"
#include "ui/canvas/camera.h"

namespace sepx::ui {

namespace {

constexpr const char* kViewKeys[4] = {"flow.view.xMin", "flow.view.xMax", "flow.view.yMin", "flow.view.yMax"};
/// Which field the stored window was made for: another field starts with its own.
constexpr const char* kViewField = "flow.view.field";

double number(const Json& json, double fallback) {
  return json.is_number() ? json.get<double>() : fallback;
}

std::string nextName(const Json& points) {
  std::set<std::string> names;
  for (const Json& point : points) {
    const auto name = point.is_object() ? point.find("name") : point.end();
    if (name != point.end() && name->is_string()) names.insert(name->get<std::string>());
  }
  for (int round = 0;; ++round) {
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      std::string name(1, letter);
      if (round > 0) name += std::to_string(round);
      if (names.count(name) == 0) return name;
    }
  }
}

BasinMethod methodFrom(const std::string& key) {
  if (key == "integrate") return BasinMethod::Integrate;
  return key == "both" ? BasinMethod::Both : BasinMethod::Exact;
}

render::Rect readView(const Document& document, const dynamics::VectorField& field) {
  const render::Rect home = homeWindow(field);
  const Json& owner = document.at(kViewField);
  if (owner.is_string() && owner.get<std::string>() != field.info().key) return home;
  const double edges[4] = {number(document.at(kViewKeys[0]), home.min.x), number(document.at(kViewKeys[1]), home.max.x),
                           number(document.at(kViewKeys[2]), home.min.y),
                           number(document.at(kViewKeys[3]), home.max.y)};
  return boundedWindow({{edges[0], edges[2]}, {edges[1], edges[3]}}, home);
}

void readPoints(const Document& document, FlowState& state) {
  const Json& points = document.at("flow.points");
  if (points.is_array()) {
    for (const Json& point : points) {
      if (!point.is_object()) {  // keeps its place: indices are keys
        state.points.push_back({});
        continue;
      }
      const Json name = point.value("name", Json());
      state.points.push_back({number(point.value("e", Json()), 0), number(point.value("w", Json()), 0),
                              name.is_string() ? name.get<std::string>() : std::string()});
    }
  }
}

void readFieldParameters(const Document& document, const PropertyRegistry& registry, FlowState& state) {
  const dynamics::FieldInfo& info = state.field->info();
  if (state.canonical) {
    state.chain = {registry.real(document, "flow.p"), registry.real(document, "flow.q")};
    state.parameters = {state.chain.p, state.chain.q};
    return;
  }
  for (const dynamics::FieldParameter& parameter : info.parameters)
    state.parameters.push_back(registry.real(document, "flow." + info.key + "." + parameter.key));
}

}  // namespace

dynamics::FieldRegistry allFields() {
  dynamics::FieldRegistry registry = dynamics::textbookFields();
  markov::addCanonicalFields(registry);
  return registry;
}

std::vector<FieldPointer> planeFields(const dynamics::FieldRegistry& registry) {
  std::vector<FieldPointer> fields;
  for (const FieldPointer& field : registry.all())
    if (field->dimension() == 2) fields.push_back(field);
  // The paper's own plane comes first in lists.
  std::stable_partition(fields.begin(), fields.end(),
                        [](const FieldPointer& field) { return field->info().key == kCanonicalField; });
  return fields;
}

render::Rect homeWindow(const dynamics::VectorField& field) {
  const dynamics::FieldInfo& info = field.info();
  return {{info.windowMin[0], info.windowMin[1]}, {info.windowMax[0], info.windowMax[1]}};
}

bool hasLoss(const FlowModel& model) {
  if (model.canonical) return true;
  const dynamics::FieldInfo& info = model.field->info();
  const dynamics::State middle = (info.windowMin + info.windowMax) / 2;
  return model.field->potential(middle, model.parameters).has_value();
}

FlowState readFlowState(const Document& document, const PropertyRegistry& registry,
                        const std::vector<FieldPointer>& fields) {
  FlowState state;
  const std::string key = registry.text(document, "flow.field");
  state.field = fields.front();
  for (const FieldPointer& field : fields)
    if (field->info().key == key) state.field = field;
  state.canonical = state.field->info().key == kCanonicalField;
  readFieldParameters(document, registry, state);
  readPoints(document, state);
  const double selected = registry.real(document, "flow.selected");
  state.selected =
      selected >= 0 && selected < static_cast<double>(state.points.size()) ? static_cast<int>(selected) : -1;
  state.view = readView(document, *state.field);
  state.showLoss = registry.toggle(document, "flow.show.loss");
  state.showCritical = registry.toggle(document, "flow.show.critical");
  state.showSeparatrix = registry.toggle(document, "flow.show.separatrix");
  state.showBasin = registry.toggle(document, "flow.show.basin");
  // A field without a potential has nothing but its arrows to fill the plane: they are on until someone says otherwise.
  const bool said = document.has("flow.show.arrows");
  state.showArrows = said ? registry.toggle(document, "flow.show.arrows") : !state.canonical;
  state.showPaths = registry.toggle(document, "flow.show.paths");
  state.showCloud = registry.toggle(document, "flow.show.cloud") && state.canonical;
  state.method = state.canonical ? methodFrom(registry.text(document, "flow.basin.method")) : BasinMethod::Integrate;
  state.sigma = registry.real(document, "flow.gauss.sigma");
  state.samples = static_cast<int>(registry.real(document, "flow.gauss.samples"));
  state.seed = static_cast<int>(registry.real(document, "flow.gauss.seed"));
  state.speed = registry.real(document, "flow.play.speed");
  return state;
}

Document withView(const Document& document, const FlowState& state, const render::Rect& view) {
  return document.with(kViewKeys[0], view.min.x)
      .with(kViewKeys[1], view.max.x)
      .with(kViewKeys[2], view.min.y)
      .with(kViewKeys[3], view.max.y)
      .with(kViewField, state.field->info().key);
}

Document withoutView(const Document& document) {
  return document.has("flow.view") ? document.without("flow.view") : document;
}

Document withSelected(const Document& document, int index) {
  return document.with("flow.selected", index);
}

Document withPoint(const Document& document, std::size_t index, double e, double w) {
  return document.with(pointKey(index, "e"), e).with(pointKey(index, "w"), w);
}

Document withNewPoint(const Document& document, double e, double w) {
  const Json& points = document.at("flow.points");
  const std::size_t index = points.is_array() ? points.size() : 0;
  Json point = Json::object();
  point["e"] = e;
  point["w"] = w;
  point["name"] = points.is_array() ? nextName(points) : "A";
  if (index == 0) return withSelected(document.with("flow.points", Json::array({point})), 0);
  return withSelected(document.with("flow.points[" + std::to_string(index) + "]", std::move(point)),
                      static_cast<int>(index));
}

Document withoutPoint(const Document& document, std::size_t index) {
  const Json& points = document.at("flow.points");
  const int left = points.is_array() ? static_cast<int>(points.size()) - 1 : 0;
  return withSelected(document.without("flow.points[" + std::to_string(index) + "]"),
                      std::min(static_cast<int>(index), left - 1));
}

std::string pointKey(std::size_t index, std::string_view member) {
  return "flow.points[" + std::to_string(index) + "]." + std::string(member);
}

}  // namespace sepx::ui
