// SPDX-License-Identifier: Apache-2.0
// Reads FlowState from the document and writes the exhibit's changes into new documents. Pure.
#include "ui/exhibits/flow/shared/flow_state.h"

#include <algorithm>
#include <iterator>

#include "engine/markov/canonical_field.h"
#include "engine/markov/flow.h"
#include "ui/canvas/camera.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kViewKeys[4] = {"flow.view.xMin", "flow.view.xMax", "flow.view.yMin", "flow.view.yMax"};
/// The field that the stored window belongs to; another field starts with its default window.
constexpr const char* kViewField = "flow.view.field";

double number(const Json& json, double fallback) {
  return json.is_number() ? json.get<double>() : fallback;
}

Json pointJson(const FlowPoint& point) {
  Json json = Json::object();
  json["e"] = point.e;
  json["w"] = point.w;
  if (point.a != 0) json["a"] = point.a;
  json["name"] = point.name;
  if (!point.color.empty()) json["color"] = point.color;
  return json;
}

render::Rect readView(const Document& document, const dynamics::VectorField& field) {
  const render::Rect home = homeWindow(field);
  const Json& owner = document.at(kViewField);
  if (owner.is_string() && owner.get<std::string>() != field.info().key) return home;
  return boundedWindow({{numberAt(document, kViewKeys[0], home.min.x), numberAt(document, kViewKeys[2], home.min.y)},
                        {numberAt(document, kViewKeys[1], home.max.x), numberAt(document, kViewKeys[3], home.max.y)}},
                       home);
}

FlowPoint pointOf(const Json& json) {
  FlowPoint point;
  if (!json.is_object()) return point;  // kept as an entry, because indices are part of keys
  for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
    if (key == "e")
      point.e = number(value, 0);
    else if (key == "w")
      point.w = number(value, 0);
    else if (key == "a")
      point.a = number(value, 0);
    else if (key == "name" && value.is_string())
      point.name = value.get_ref<const std::string&>();
    else if (key == "color" && value.is_string())
      point.color = value.get_ref<const std::string&>();
  }
  return point;
}

void readPoints(const Document& document, FlowState& state) {
  const ListView points = document.list("flow.points");
  state.points.reserve(points.size());
  for (const Json& point : points)
    state.points.push_back(pointOf(point));
}

/// The trajectories of this field. A trajectory without a field belongs to the canonical plane.
Trajectories over(const dynamics::VectorField& field, const Trajectories& all) {
  const auto fits = [&field](const Trajectory& one) { return one.field == field.info().key; };
  if (std::all_of(all->begin(), all->end(), fits)) return all;
  auto some = std::make_shared<std::vector<Trajectory>>();
  std::copy_if(all->begin(), all->end(), std::back_inserter(*some), fits);
  return some;
}

void readFieldParameters(const Document& document, const PropertyRegistry& registry, FlowState& state) {
  const dynamics::FieldInfo& info = state.field->info();
  if (state.canonical)
    state.parameters = {state.chain.p, state.chain.q};
  else
    for (const dynamics::FieldParameter& parameter : info.parameters)
      state.parameters.push_back(registry.real(document, "flow." + info.key + "." + parameter.key));
}

}  // namespace

FreeNames::FreeNames(const ListView& points) {
  for (const Json& point : points) {
    const auto name = point.is_object() ? point.find("name") : point.end();
    if (name != point.end() && name->is_string()) names_.insert(name->get_ref<const std::string&>());
  }
}

std::string FreeNames::next() {
  for (;; ++at_) {
    std::string name(1, static_cast<char>('A' + at_ % 26));
    if (at_ >= 26) name += std::to_string(at_ / 26);
    if (names_.insert(name).second) return name;
  }
}

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

std::string chosenField(const Document& document) {
  const Json& field = document.at("flow.field");
  return field.is_string() ? field.get<std::string>() : std::string(kCanonicalField);
}

const dynamics::VectorField& fieldOf(const std::vector<FieldPointer>& fields, const Document& document) {
  const std::string key = chosenField(document);
  for (const FieldPointer& field : fields)
    if (field->info().key == key) return *field;
  return *fields.front();
}

bool shadeable(const std::vector<FieldPointer>& fields, const Document& document) {
  const dynamics::VectorField& field = fieldOf(fields, document);
  FlowModel model;
  model.field = FieldPointer(FieldPointer(), &field);  // not owned
  model.canonical = field.info().key == kCanonicalField;
  for (const dynamics::FieldParameter& parameter : field.info().parameters)
    model.parameters.push_back(parameter.fallback);
  return hasLoss(model);
}

double lossAt(const FlowModel& model, double x, double y) {
  dynamics::State state(2);
  state << x, y;
  if (model.canonical) return markov::loss(model.chain, markov::Model::EW, state);
  return model.field->potential(state, model.parameters).value_or(std::numeric_limits<double>::quiet_NaN());
}

bool hasLoss(const FlowModel& model) {
  if (model.canonical) return true;
  const dynamics::FieldInfo& info = model.field->info();
  const dynamics::State middle = (info.windowMin + info.windowMax) / 2;
  return model.field->potential(middle, model.parameters).has_value();
}

FlowState readFlowState(const Document& document, const PropertyRegistry& registry,
                        const std::vector<FieldPointer>& fields, const Trajectories& own, std::uint64_t ownRevision) {
  FlowState state;
  registry.read(document, state);
  const std::string key = registry.text(document, "flow.field");
  state.field = fields.front();
  for (const FieldPointer& field : fields)
    if (field->info().key == key) state.field = field;
  state.canonical = state.field->info().key == kCanonicalField;
  if (!state.canonical) {
    state.chain = {};
    state.method = BasinMethod::Integrate;
    state.color = PlaneColor::Loss;
    state.showCloud = state.showCommon = state.showProfile = false;
    // Other fields show arrows by default, because a field without a potential has no shading.
    state.showArrows = state.showArrows || !document.has("flow.show.arrows");
  }
  readFieldParameters(document, registry, state);
  readPoints(document, state);
  if (state.selected >= static_cast<int>(state.points.size())) state.selected = -1;
  state.view = readView(document, *state.field);
  state.locked = lockedLimits(document);
  state.own = over(*state.field, own);
  state.ownRevision = ownRevision;
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

Document withLegendAt(const Document& document, double x, double y) {
  return document.with("flow.legend.place", "free").with("flow.legend.x", x).with("flow.legend.y", y);
}

Document withLegendBeside(const Document& document) {
  return document.with("flow.legend.place", "beside");
}

Document withLegendOpen(const Document& document, bool open) {
  return document.with("flow.legend.fold", open ? "open" : "folded");
}

Document withSelected(const Document& document, int index) {
  return document.with("flow.selected", index);
}

Document withPoint(const Document& document, std::size_t index, double e, double w) {
  return document.with(pointKey(index, "e"), e).with(pointKey(index, "w"), w);
}

Document withPoint(const Document& document, std::size_t index, double e, double w, double a) {
  return withPoint(document, index, e, w).with(pointKey(index, "a"), a);
}

Document withPointAppended(const Document& document, const FlowPoint& point) {
  const std::size_t index = document.list("flow.points").size();
  return withSelected(document.with("flow.points[" + std::to_string(index) + "]", pointJson(point)),
                      static_cast<int>(index));
}

Document withNewPoint(const Document& document, double e, double w, double a) {
  return withPointAppended(document, {e, w, nextPointName(document), a, {}});
}

Document withDuplicate(const Document& document, std::size_t index) {
  const ListView points = document.list("flow.points");
  if (index >= points.size()) return document;
  FlowPoint point = pointOf(points[index]);
  point.name = nextPointName(document);
  return withPointAppended(document, point);
}

Document withNewPoints(const Document& document, const std::vector<FlowPoint>& points) {
  Json all = document.isList("flow.points") ? document.at("flow.points") : Json::array();
  const FreeNames present(
      document.list("flow.points"));  // a new point must not repeat a name that a point here already has
  FreeNames names = present;
  for (const FlowPoint& point : points)
    names.take(point.name);
  for (const FlowPoint& point : points) {
    FlowPoint named = point;
    if (point.name.empty() || present.has(point.name)) named.name = names.next();
    all.push_back(pointJson(named));
  }
  return document.with("flow.points", std::move(all));
}

Document withoutPoints(const Document& document) {
  return withSelected(document.has("flow.points") ? document.without("flow.points") : document, -1);
}

std::string selectedName(const FlowState& state) {
  const bool one = state.selected >= 0 && static_cast<std::size_t>(state.selected) < state.points.size();
  const std::string name = one ? state.points[static_cast<std::size_t>(state.selected)].name : std::string();
  return name.empty() ? std::string(tr("one point")) : name;
}

Document withOnlyPoints(const Document& document, const std::vector<FlowPoint>& points) {
  return withSelected(withNewPoints(withoutPoints(document), points), points.empty() ? -1 : 0);
}

std::string nextPointName(const Document& document) {
  return FreeNames(document.list("flow.points")).next();
}

Document withoutPoint(const Document& document, std::size_t index) {
  const int left = static_cast<int>(document.list("flow.points").size()) - 1;
  return withSelected(document.without("flow.points[" + std::to_string(index) + "]"),
                      std::min(static_cast<int>(index), left - 1));
}

std::string pointKey(std::size_t index, std::string_view member) {
  return "flow.points[" + std::to_string(index) + "]." + std::string(member);
}

}  // namespace sepx::ui
