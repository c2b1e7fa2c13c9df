// SPDX-License-Identifier: Apache-2.0
// The part of the document that belongs to a pane, and the parts that a pane does not change.
#include <catch2/catch.hpp>

#include "ui/document/document.h"
#include "ui/document/script.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

Document paneSample() {
  const auto read = Document::fromJson(Json::parse(R"({
    "version": 1,
    "panes": {"layout": "two", "active": 2},
    "exhibit": "flow", "flow": {"p": 0.3},
    "exhibit@2": "flow", "flow@2": {"p": 0.7}, "overlays@2": {"trajectories": []},
    "notes": "of a newer program", "odd@name": 1, "flow@9": 2, "flow@1": 3
  })"));
  REQUIRE(read);
  return *read;
}

}  // namespace

TEST_CASE("The document of a pane has the key names that an exhibit knows") {
  const Document document = paneSample();
  const Document first = document.pane(1), second = document.pane(2);
  CHECK(first.at("flow.p") == 0.3);
  CHECK(second.at("flow.p") == 0.7);
  CHECK(second.at("exhibit") == "flow");
  CHECK(second.has("overlays.trajectories"));
  CHECK_FALSE(first.has("overlays"));
  // Sections of the window belong to no pane; unknown sections belong to the first pane.
  CHECK_FALSE(first.has("panes"));
  CHECK_FALSE(second.has("panes"));
  for (const char* unknown : {"notes", "odd@name", "flow@9", "flow@1"}) {
    CHECK(first.has(unknown));
    CHECK_FALSE(second.has(unknown));
  }
  CHECK(document.hasPane(2));
  CHECK_FALSE(document.hasPane(3));
}

TEST_CASE("Writing a pane back changes neither the other panes nor unknown sections") {
  const Document document = paneSample();
  for (int pane = 1; pane <= kMostPanes; ++pane)
    CHECK(document.withPane(pane, document.pane(pane)) == document);
  const Document changed = document.withPane(2, document.pane(2).with("flow.p", 0.9).without("overlays"));
  CHECK(changed.at("flow@2.p") == 0.9);
  CHECK_FALSE(changed.has("overlays@2"));
  CHECK(changed.pane(1) == document.pane(1));
  CHECK(changed.at("panes.active") == 2);
  const Document copied = document.withPane(3, document.pane(1));
  CHECK(copied.pane(3).at("flow.p") == 0.3);
  CHECK(copied.withPane(3, Document()) == document);
}

TEST_CASE("Sections are shared, not copied") {
  const Document document = paneSample();
  CHECK(document.pane(2).sharesAll(document.pane(2)));
  CHECK(document.withPane(4, document.pane(2)).pane(4).sharesAll(document.pane(2)));
  CHECK_FALSE(document.pane(2).with("flow.p", 0.9).sharesAll(document.pane(2)));
  // Setting the same value copies nothing.
  CHECK(document.with("flow@2.p", 0.7).sharesAll(document));
  CHECK_FALSE(document.with("flow@2.p", 0.8).sharesAll(document));
}

TEST_CASE("A key may contain the number of a pane") {
  const auto split = [](std::string_view key) {
    const auto found = splitPaneKey(key);
    return found ? found->key + " in " + std::to_string(found->pane) : std::string("none");
  };
  CHECK(split("flow.p") == "flow.p in 1");
  CHECK(split("flow@2.p") == "flow.p in 2");
  CHECK(split("flow@4.points[3].e") == "flow.points[3].e in 4");
  CHECK(split("exhibit@3") == "exhibit in 3");
  CHECK(split("flow@1.p") == "flow.p in 1");
  for (const char* wrong : {"flow@5.p", "flow@0.p", "flow@.p", "@2.p", "flow@22.p", "flow@x", "a@2@3.b"})
    CHECK(split(wrong) == "none");
  for (const char* key : {"flow.p", "exhibit", "flow.points[0].e"}) {
    for (int pane = 1; pane <= kMostPanes; ++pane)
      CHECK(split(joinPaneKey(key, pane)) == std::string(key) + " in " + std::to_string(pane));
  }
}

TEST_CASE("Script steps may name a pane") {
  const auto read = parseSteps(
      "set flow@2.p 0.4\non flow@2 drag 0,0 -> 1,1\nexpect flow@3.points[0].e == 1\n"
      "click ui:flow@2.show.arrows\non flow@2 add point 1,2\n",
      "test", 1);
  REQUIRE(read);
  CHECK((*read)[0].text == "flow@2.p");
  CHECK((*read)[1].canvas == "flow@2");
  CHECK((*read)[4].canvas == "flow@2");
  for (const char* wrong : {"set flow@7.p 0.4\n", "set flow.p@2 0.4\n", "expect flow@.p == 1\n"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parseSteps(wrong, "test", 1));
  }
}
