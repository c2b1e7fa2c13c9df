// SPDX-License-Identifier: Apache-2.0
// The document compared with a plain JSON object under the same changes, and the data that versions share.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/random.h"
#include "ui/document/document.h"
#include "ui/document/history.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// A step of a path in the reference object: a name, or an index.
struct Step {
  std::string name;
  int index = -1;
};

std::string pathOf(const std::vector<Step>& steps) {
  std::string path;
  for (const Step& step : steps)
    path += step.index >= 0 ? "[" + std::to_string(step.index) + "]" : (path.empty() ? "" : ".") + step.name;
  return path;
}

const Json* modelAt(const Json& model, const std::vector<Step>& steps) {
  const Json* node = &model;
  for (const Step& step : steps) {
    if (step.index >= 0) {
      if (!node->is_array() || static_cast<std::size_t>(step.index) >= node->size()) return nullptr;
      node = &(*node)[static_cast<std::size_t>(step.index)];
    } else {
      if (!node->is_object() || !node->contains(step.name)) return nullptr;
      node = &(*node)[step.name];
    }
  }
  return node;
}

/// Returns false for an index beyond the end of its list; the reference object is then not changed.
bool modelWith(Json& model, const std::vector<Step>& steps, const Json& value) {
  Json changed = model;
  Json* node = &changed;
  for (const Step& step : steps) {
    if (step.index >= 0) {
      if (!node->is_array()) *node = Json::array();
      const auto index = static_cast<std::size_t>(step.index);
      if (index > node->size()) return false;
      if (index == node->size()) node->push_back(Json());
      node = &(*node)[index];
    } else {
      if (!node->is_object()) *node = Json::object();
      node = &(*node)[step.name];
    }
  }
  *node = value;
  model = std::move(changed);
  return true;
}

void modelWithout(Json& model, std::vector<Step> steps) {
  if (!modelAt(model, steps)) return;
  const Step last = steps.back();
  steps.pop_back();
  Json& parent = const_cast<Json&>(*modelAt(model, steps));
  if (last.index >= 0) {
    parent.erase(static_cast<std::size_t>(last.index));
  } else {
    parent.erase(last.name);
  }
}

std::vector<Step> randomPath(RandomStream& random) {
  const char* const names[] = {"a", "b", "points"};
  std::vector<Step> steps{{names[random.below(3)]}};
  const auto depth = static_cast<std::size_t>(random.below(4));
  for (std::size_t i = 0; i < depth; ++i) {
    if (random.below(2) == 0) {
      steps.push_back({names[random.below(3)]});
    } else {
      steps.push_back({"", static_cast<int>(random.below(5))});
    }
  }
  return steps;
}

Json randomValue(RandomStream& random) {
  switch (random.below(7)) {
    case 0:
      return Json::object();
    case 1:
      return Json{{"b", 1.5}, {"points", Json::array({1, Json{{"a", "x"}}, nullptr})}};
    case 2:
      return Json::array({Json{{"a", 0.5}}, Json{{"a", -0.0}}, 3});
    case 3:
      return "text";
    case 4:
      return random.below(2) == 0;
    default:
      return static_cast<double>(random.below(4)) / 2;
  }
}

/// Sections sorted by name, as the document keeps them.
Json sorted(const Json& model) {
  Json json = Json::object();
  json["version"] = Document::kVersion;
  std::map<std::string, Json> sections;
  for (const auto& [name, value] : model.items())
    sections[name] = value;
  for (const auto& [name, value] : sections)
    json[name] = value;
  return json;
}

Document manyPoints(std::size_t count) {
  Json points = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    points.push_back(Json{{"e", static_cast<double>(i) / 100}, {"w", -0.5}, {"name", "A" + std::to_string(i)}});
  return Document().with("flow.p", 0.5).with("flow.points", std::move(points)).with("flow.view.xMin", -1.0);
}

}  // namespace

TEST_CASE("After random changes a document equals a plain JSON object") {
  RandomStream random(20);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    Document document;
    Json model = Json::object();
    std::vector<std::pair<Document, std::string>> before;
    for (int change = 0; change < 60; ++change) {
      const std::vector<Step> steps = randomPath(random);
      const std::string path = pathOf(steps);
      CAPTURE(path, model.dump());
      if (random.below(4) == 0) {
        document = document.without(path);
        modelWithout(model, steps);
      } else {
        const Json value = randomValue(random);
        Json changed = model;
        if (!modelWith(changed, steps, value)) continue;  // the caller must not pass an index beyond the end
        model = std::move(changed);
        document = document.with(path, value);
      }
      const std::vector<Step> other = randomPath(random);
      const Json* const there = modelAt(model, other);
      CHECK(document.has(pathOf(other)) == (there != nullptr));
      CHECK(document.at(pathOf(other)) == (there ? *there : Json()));
      CHECK(document.isObject(pathOf(other)) == (there && there->is_object()));
      CHECK(document.isList(pathOf(other)) == (there && there->is_array()));
      REQUIRE(document.toJson().dump() == sorted(model).dump());
      before.emplace_back(document, document.toJson().dump());
    }
    const auto again = Document::fromJson(sorted(model));
    REQUIRE(again);
    CHECK(*again == document);
    CHECK(again->hash() == document.hash());
    for (const auto& [old, text] : before) {
      REQUIRE(old.toJson().dump() == text);
      CHECK((old == document) == (text == document.toJson().dump()));
    }
  }
}

TEST_CASE("Long lists equal a plain array after elements are added, changed and removed") {
  RandomStream random(7);
  Document document = manyPoints(1000);
  Json model = document.at("flow.points");
  const Document first = document;
  const Json kept = model;
  for (int change = 0; change < 2000; ++change) {
    const auto index = static_cast<std::size_t>(random.below(model.size() + 1));
    const std::string element = "flow.points[" + std::to_string(index) + "]";
    const auto what = random.below(4);
    if (index == model.size() || what == 0) {
      const std::string end = "flow.points[" + std::to_string(model.size()) + "]";
      model.push_back(Json{{"e", change}});
      document = document.with(end, Json{{"e", change}});
    } else if (what == 1) {
      model.erase(index);
      document = document.without(element);
    } else {
      model[index]["w"] = change;
      document = document.with(element + ".w", change);
    }
    if (change % 100 != 0) continue;
    REQUIRE(document.list("flow.points").size() == model.size());
    std::size_t at = 0;
    for (const Json& point : document.list("flow.points"))
      REQUIRE(point == model[at++]);
    REQUIRE(at == model.size());
    REQUIRE(document.list("flow.points")[model.size() / 2] == model[model.size() / 2]);
  }
  CHECK(document.at("flow.points") == model);
  CHECK(first.at("flow.points") == kept);
  // The same list in chunks of other sizes is equal.
  const Document again = Document().with("flow.p", 0.5).with("flow.points", model).with("flow.view.xMin", -1.0);
  CHECK(again == document);
  CHECK_FALSE(again.with("flow.points[700].e", -77.5) == document);
  CHECK(again.with("flow.points[700].e", -77.5).with("flow.points[700]", model[700]) == document);
}

TEST_CASE("A pan shares the points between versions, whatever their number") {
  const Document document = manyPoints(100000);
  const Document moved = document.with("flow.view.xMin", -2.0).with("flow.view.xMax", 3.0);
  CHECK(moved.shares(document, "flow.points"));
  CHECK_FALSE(moved.shares(document, "flow.view"));
  CHECK(&moved.at("flow.points[99999]") == &document.at("flow.points[99999]"));
  CHECK(moved.at("flow.view.xMin") == -2.0);

  CHECK(moved.with("flow.view.xMin", -2.0) == moved);
  CHECK_FALSE(moved.with("flow.view.xMin", -3.0) == moved);

  // If one point moves, all others are shared; undo keeps the present view.
  const Document dragged = moved.with("flow.points[5].e", 9.0);
  CHECK(&dragged.at("flow.points[99999]") == &document.at("flow.points[99999]"));
  History history(document);
  history.setCarriedPaths({"flow.view"});
  history.commit(document.with("flow.points[5].e", 9.0), "move");
  history.replace(history.present().with("flow.view.xMin", -7.0));
  REQUIRE(history.undo());
  CHECK(history.present().shares(document, "flow.points"));
  CHECK(history.present().at("flow.view.xMin") == -7.0);
}

TEST_CASE("If a point is added, all others are shared") {
  Document document;
  for (std::size_t i = 0; i < 10000; ++i) {
    const Document before = document;
    document = document.with("flow.points[" + std::to_string(i) + "]", Json{{"e", 0.5}, {"w", 0.25}});
    if (i % 97 != 1) continue;
    CHECK(&document.at("flow.points[0]") == &before.at("flow.points[0]"));
    CHECK(&document.at("flow.points[" + std::to_string(i - 1) + "]") ==
          &before.at("flow.points[" + std::to_string(i - 1) + "]"));
  }
  CHECK(document.list("flow.points").size() == 10000);
}
