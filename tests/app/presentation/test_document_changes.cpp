// SPDX-License-Identifier: Apache-2.0
// Changes of a document: only the changes are sent, and they give exactly the new document.
#include <catch2/catch.hpp>

#include "app/presentation/document_changes.h"
#include "engine/core/random.h"

using namespace sepx;
using app::applied;
using app::changesOf;
using ui::Document;
using ui::Json;

namespace {

Document sample() {
  Json points = Json::array();
  for (int i = 0; i < 5; ++i)
    points.push_back({{"e", 0.1 * i}, {"w", -0.2 * i}, {"color", nullptr}});
  return Document()
      .with("exhibit", "flow")
      .with("flow.p", 0.5)
      .with("flow.q", 0.8)
      .with("flow.points", points)
      .with("flow.view", Json{{"x", {-2.0, 2.0}}, {"y", {-2.0, 2.0}}})
      .with("unknown.of.a.newer", Json{{"a.b", 1}, {"c[0]", 2}});
}

/// Requires that the sent changes turn `before` into `after`.
void requireSent(const Document& before, const Document& after) {
  const Json sent = app::toJson(changesOf(before, after));
  const auto changes = app::changesFromJson(Json::parse(sent.dump()));
  REQUIRE(changes);
  const auto made = applied(before, *changes);
  REQUIRE(made);
  INFO(sent.dump());
  CHECK(*made == after);
}

}  // namespace

TEST_CASE("A dragged point is one change", "[presentation]") {
  const Document before = sample();
  const Document after = before.with("flow.points[3].e", 1.25);
  const auto changes = changesOf(before, after);
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().path == "flow.points[3]");
  CHECK(changesOf(before, before).empty());
  requireSent(before, after);
}

TEST_CASE("Changes of every kind give the new document", "[presentation]") {
  const Document before = sample();
  requireSent({}, before);
  requireSent(before, {});
  requireSent(before, before.without("flow.p"));
  requireSent(before, before.without("flow"));
  requireSent(before, before.with("flow.points", Json::array()));
  requireSent(before, before.with("flow.points", Json::object()));
  requireSent(before, before.with("flow.p", nullptr));
  requireSent(before, before.with("flow.view", Json::object()));
  requireSent(before, before.with("flow.view", Json{{"y", {-2.0, 2.0}}, {"x", {-2.0, 2.0}}}));  // another order
  requireSent(before, before.with("flow.points[0].color", "#ff0000"));
  requireSent(before, before.with("unknown.of.a.newer", Json{{"a.b", 3}, {"c[0]", 2}}));
  requireSent(before, before.with("flow@2.p", 0.25).with("panes.layout", "two"));
  requireSent(before, before.with("flow.points[5]", Json{{"e", 0.0}, {"w", 0.0}}));
}

TEST_CASE("Impossible changes are refused and leave the document unchanged", "[presentation]") {
  const Document before = sample();
  for (const char* const path : {"", "version", "[0]", "flow.points[9]", "flow..p", "a[", "flow.p[3]"}) {
    INFO(path);
    const auto made = applied(before, {{path, Json(1)}});
    REQUIRE_FALSE(made);
    CHECK(made.error().kind == ErrorKind::BadInput);
  }
  for (const char* const text : {"{}", "[1]", "[[]]", "[[1,2]]", R"([["a",1,2]])", R"(["a"])"}) {
    INFO(text);
    CHECK_FALSE(app::changesFromJson(Json::parse(text)));
  }
}

TEST_CASE("A path that is too long or too deep is refused, and a change that needs such a path is not sent as a change",
          "[presentation]") {
  const auto refused = [](const std::string& path) {
    const auto made = applied(sample(), {{path, Json(1)}});
    return !made && made.error().kind == ErrorKind::BadInput;
  };
  std::string deepest = "a";
  for (std::size_t i = 1; i < app::kMostPathSegments; ++i)
    deepest += ".a";
  CHECK_FALSE(refused(deepest));
  CHECK(refused(deepest + ".a"));
  CHECK_FALSE(refused(std::string(app::kMostPathBytes, 'a')));
  CHECK(refused(std::string(app::kMostPathBytes + 1, 'a')));
  const Document before = sample();
  CHECK(app::canBeSent(changesOf(before, before.with("flow.p", 0.1))));
  const Document deep = before.with(deepest + ".a", 1);
  CHECK_FALSE(app::canBeSent(changesOf(deep, deep.with(deepest + ".a", 2))));
}
