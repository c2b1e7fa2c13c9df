// SPDX-License-Identifier: Apache-2.0
#include "ui/document/history.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

using namespace sepx::ui;

TEST_CASE("Undo and redo move along named steps") {
  History history(Document().with("a.x", 0));
  CHECK_FALSE(history.undo());
  CHECK_FALSE(history.redo());
  CHECK_FALSE(history.undoLabel());
  for (int i = 1; i <= 3; ++i)
    history.commit(history.present().with("a.x", i), "step " + std::to_string(i));
  CHECK(history.undoSteps() == 3);
  CHECK(*history.undoLabel() == "step 3");
  REQUIRE(history.undo());
  CHECK(history.present().at("a.x") == 2);
  CHECK(*history.undoLabel() == "step 2");
  CHECK(*history.redoLabel() == "step 3");
  REQUIRE(history.undo());
  REQUIRE(history.redo());
  CHECK(history.present().at("a.x") == 2);
  history.commit(history.present().with("a.x", 9), "other");
  CHECK(history.redoSteps() == 0);
  CHECK_FALSE(history.redo());
}

TEST_CASE("Changes of one group are one step until the group is sealed") {
  History history(Document().with("a.x", 0));
  for (int i = 1; i <= 5; ++i)
    history.commit(history.present().with("a.x", i), "drag", "point 1");
  CHECK(history.undoSteps() == 1);
  history.seal();
  for (int i = 6; i <= 9; ++i)
    history.commit(history.present().with("a.x", i), "drag", "point 1");
  CHECK(history.undoSteps() == 2);
  history.commit(history.present().with("a.x", 10), "drag", "point 2");
  CHECK(history.undoSteps() == 3);
  history.commit(history.present().with("a.x", 11), "set");
  history.commit(history.present().with("a.x", 12), "set");
  CHECK(history.undoSteps() == 5);
  history.undo();
  history.undo();
  history.undo();
  CHECK(history.present().at("a.x") == 9);
  history.undo();
  CHECK(history.present().at("a.x") == 5);
  history.undo();
  CHECK(history.present().at("a.x") == 0);
  // A change after an undo is a new step, whatever its group.
  history.redo();
  history.commit(history.present().with("a.x", 99), "drag", "point 1");
  CHECK(history.undoSteps() == 2);
}

TEST_CASE("Undo ends at the beginning, and the history counts new beginnings") {
  History history(Document().with("a.x", 0));
  history.commit(history.present().with("a.x", 1), "one");
  history.commit(history.present().with("a.x", 2), "two");
  CHECK(history.beginning().at("a.x") == 0);
  while (history.undo()) {
  }
  CHECK(history.present() == history.beginning());
  CHECK(history.begun() == 0);
  history.redo();
  history.forget();
  CHECK(history.beginning().at("a.x") == 1);
  CHECK(history.begun() == 1);
  history.reset(Document().with("a.x", 7));
  CHECK(history.beginning().at("a.x") == 7);
  CHECK(history.begun() == 2);
}

TEST_CASE("A change that changes nothing is not a step") {
  History history(Document().with("a.x", 1));
  const std::uint64_t revision = history.revision();
  history.commit(history.present().with("a.x", 1), "same");
  history.replace(history.present());
  CHECK(history.undoSteps() == 0);
  CHECK(history.revision() == revision);
}

TEST_CASE("The revision increases with every change, also by undo") {
  History history;
  std::uint64_t last = history.revision();
  const auto increased = [&] { return history.revision() > std::exchange(last, history.revision()); };
  history.commit(Document().with("a", 1), "one");
  CHECK(increased());
  history.replace(Document().with("a", 2));
  CHECK(increased());
  history.undo();
  CHECK(increased());
  history.redo();
  CHECK(increased());
  history.reset(Document().with("a", 7));
  CHECK(increased());
  CHECK(history.undoSteps() == 0);
  CHECK(history.redoSteps() == 0);
}

TEST_CASE("Undo does not change carried paths") {
  History history(Document().with("flow.p", 0.1).with("flow.view.xMin", -1));
  history.setCarriedPaths({"flow.view", "flow.selected"});
  history.commit(history.present().with("flow.p", 0.2), "set p");
  history.replace(history.present().with("flow.view.xMin", -5).with("flow.selected", 3));
  CHECK(history.undoSteps() == 1);
  history.undo();
  CHECK(history.present().at("flow.p") == 0.1);
  CHECK(history.present().at("flow.view.xMin") == -5);
  CHECK(history.present().at("flow.selected") == 3);
  history.replace(history.present().without("flow.selected"));
  history.redo();
  CHECK(history.present().at("flow.p") == 0.2);
  CHECK_FALSE(history.present().has("flow.selected"));
}

TEST_CASE("Several steps can be collapsed into one, and undo and redo restore the mark of the document") {
  History history;
  history.setMark(1);
  history.commit(Document().with("a", 1), "mine");
  const std::size_t depth = history.undoSteps();
  history.commit(Document().with("a", 2), "two");
  history.commit(Document().with("a", 3), "three");
  history.undo();
  history.commit(Document().with("a", 4), "four");
  history.collapse(depth, "together");
  history.setMark(2);
  CHECK(history.undoSteps() == depth + 1);
  CHECK(history.undoLabel() == "together");
  CHECK(history.present().at("a") == 4);
  REQUIRE(history.undo());
  CHECK(history.present().at("a") == 1);
  CHECK(history.mark() == 1);
  REQUIRE(history.redo());
  CHECK(history.present().at("a") == 4);
  CHECK(history.mark() == 2);

  // If the steps change nothing in the end, no step remains.
  history.commit(Document().with("a", 5), "there");
  history.commit(Document().with("a", 4), "and back");
  history.collapse(depth + 1, "nothing");
  CHECK(history.undoLabel() == "together");
  history.collapse(7, "more than there are");
  CHECK(history.undoSteps() == depth + 1);
  history.forget();
  CHECK(history.undoSteps() == 0);
  CHECK(history.present().at("a") == 4);
}

TEST_CASE("Documents that differ only in carried paths match") {
  History history(Document().with("flow.p", 0.1).with("flow.view.xMin", -1));
  history.setCarriedPaths({"flow.view"});
  CHECK(history.matches(Document().with("flow.p", 0.1).with("flow.view.xMin", -7)));
  CHECK(history.matches(Document().with("flow.p", 0.1)));
  CHECK_FALSE(history.matches(Document().with("flow.p", 0.2).with("flow.view.xMin", -1)));
}

TEST_CASE("A group that returns to its initial value is not a step") {
  History history(Document().with("flow.p", 0.1));
  history.setCarriedPaths({"flow.view"});
  history.commit(Document().with("flow.p", 0.2), "p", "p");
  history.commit(Document().with("flow.p", 0.3), "p", "p");
  history.replace(history.present().with("flow.view.xMin", 7));
  history.commit(history.present().with("flow.p", 0.1), "p", "p");
  CHECK(history.undoSteps() == 0);
  CHECK(history.present().at("flow.view.xMin") == 7);
  history.commit(history.present().with("flow.p", 0.4), "p again", "p");
  CHECK(history.undoLabel() == "p again");
  // Two separate steps that cancel each other remain two steps.
  history.seal();
  history.commit(history.present().with("flow.p", 0.1), "back", "p");
  CHECK(history.undoSteps() == 2);
}

TEST_CASE("Undo takes carried paths from the present document, whatever the older one contains there") {
  const std::vector<std::string> paths{"flow.view", "flow.selected", "flow@2.view", "flow.play.speed", "alone"};
  const Document before = Document()
                              .with("flow.p", 0.1)
                              .with("flow.view.xMin", -1)
                              .with("flow.play.speed", 2)
                              .with("alone", 1)
                              .with("flow@2.view.xMin", 5);
  History history(before);
  history.setCarriedPaths(paths);
  history.commit(history.present().with("flow.p", 0.2), "p");
  history.replace(history.present()
                      .with("flow.view.xMin", -9)
                      .with("flow.selected", 3)
                      .without("flow.play.speed")
                      .without("alone")
                      .without("flow@2"));
  REQUIRE(history.undo());
  const Document& now = history.present();
  CHECK(now.at("flow.p") == 0.1);
  CHECK(now.at("flow.view.xMin") == -9);
  CHECK(now.at("flow.selected") == 3);
  CHECK_FALSE(now.has("flow.play.speed"));
  CHECK_FALSE(now.has("alone"));
  CHECK_FALSE(now.has("flow@2.view"));
  REQUIRE(history.redo());
  CHECK(history.present().at("flow.p") == 0.2);
  CHECK(history.present().at("flow.selected") == 3);
}

TEST_CASE("A thousand steps can be undone and redone without a difference") {
  Document document;
  for (int i = 0; i < 50; ++i)
    document = document.with("flow.points[" + std::to_string(i) + "]", Json{{"e", i}, {"w", -i}});
  History history(document);
  history.setCarriedPaths({"flow.view"});
  for (int i = 0; i < 1000; ++i) {
    history.commit(history.present().with("flow.points[" + std::to_string(i % 50) + "].e", 0.001 * i),
                   "step " + std::to_string(i));
  }
  const Document last = history.present();
  CHECK(history.undoSteps() == 1000);
  while (history.undo()) {
  }
  CHECK(history.present() == document);
  while (history.redo()) {
  }
  CHECK(history.present() == last);
  CHECK(history.undoLabel() == "step 999");
}

TEST_CASE("Undo leaves no empty object for a carried path that is absent") {
  History history(Document().with("weights.view.zoom", 2));
  history.setCarriedPaths({"weights.view"});
  history.commit(history.present().with("a.x", 1), "set");
  history.replace(Document().with("a.x", 1));
  REQUIRE(history.undo());
  CHECK(history.present() == Document());
}

TEST_CASE("Undo leaves no empty object even if the present document has other members in that section") {
  History history(Document().with("weights.view.zoom", 2));
  history.setCarriedPaths({"weights.view"});
  history.commit(history.present().with("a.x", 1), "set");
  history.commit(history.present().without("weights.view").with("weights.checkpoint", "m"), "open");
  REQUIRE(history.undo());
  REQUIRE(history.undo());
  CHECK(history.present() == Document());
}
