// SPDX-License-Identifier: Apache-2.0
// A state as text in a step: the lesson continues, undo restores the previous state, and the editor writes only
// parameters that lessons may set.
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/document/state_text.h"
#include "ui/exhibits/lesson_list.h"
#include "ui/workbench/state_share.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A step that opens a state continues its lesson, in a window and without a display", "[lesson]") {
  const tests::TemporaryFolder folder;
  Bench author;
  author.play("exhibit flow\nset flow.p 0.25\nadd point 0.3,0.2\nwait settled\n");
  const auto state = ui::lessonStateText(author.workbench(), author.workbench().document());
  REQUIRE(state);
  const std::string lesson =
      folder.file("l.md", "# T\n\n## One\n\n```steps\nset flow.p 0.4\n```\n\n## Two\n\n```steps\nopen " + *state +
                              "\nset flow.q 0.6\nexpect flow.points.count == 1\n```\n\n## Three\n\nEnd.\n");
  SECTION("In a window") {
    Bench bench;
    ui::Workbench& workbench = bench.workbench();
    REQUIRE(workbench.open(lesson));
    bench.settle();
    REQUIRE(workbench.run("lesson.next"));
    frames(bench, 30);
    bench.settle();
    REQUIRE(workbench.lesson());
    CHECK(workbench.lessonStep() == 1);
    CHECK(bench.number("flow.p") == 0.25);
    CHECK(bench.number("flow.q") == 0.6);
    CHECK(bench.number("flow.points.count") == 1);
    CHECK_FALSE(workbench.modified());
    CHECK(workbench.messages().empty());
    REQUIRE(workbench.undo());
    bench.settle();
    CHECK(workbench.lessonStep() == 0);
    CHECK(bench.number("flow.p") == 0.4);
    CHECK(bench.number("flow.points.count") == 0);
    REQUIRE(workbench.redo());
    bench.settle();
    REQUIRE(workbench.run("lesson.next"));
    bench.settle();
    CHECK(workbench.lessonStep() == 2);
    CHECK(bench.number("flow.p") == 0.25);
  }
  SECTION("Without a display") {
    Bench bench;
    auto runner = app::makeRunner(lesson, bench.workbench(), *bench.host, {});
    REQUIRE(runner);
    CHECK(errorOf(bench.host->play(**runner)) == "");
    REQUIRE(bench.workbench().lesson());
    CHECK(bench.workbench().lessonStep() == 2);
  }
}

TEST_CASE("The initial state of a recorded lesson contains only parameters that lessons may set, and may be empty",
          "[lesson]") {
  Bench bench;
  const ui::Workbench& workbench = bench.workbench();
  const auto begun = ui::lessonStateText(workbench, ui::Document());
  REQUIRE(begun);
  CHECK(begun->empty());
  const ui::Document document = ui::Document()
                                    .with("flow.p", 0.25)
                                    .with("training.own.data.path", "/home/somebody/text.txt")
                                    .with("training.library.folder", "/home/somebody/runs");
  REQUIRE_FALSE(ui::beyondLessons(document, workbench.properties()).empty());
  const auto text = ui::lessonStateText(workbench, document);
  REQUIRE(text);
  const auto read = ui::readStateText(*text);
  REQUIRE(read);
  CHECK(ui::beyondLessons(*read, workbench.properties()).empty());
  CHECK(read->at("flow.p") == 0.25);
  CHECK_FALSE(read->has("training"));
  const auto nothing =
      ui::lessonStateText(workbench, ui::Document().with("training.library.folder", "/home/somebody/runs"));
  REQUIRE(nothing);
  CHECK(nothing->empty());
}

TEST_CASE("In a state with several panes each pane keeps the parameters that lessons may set", "[lesson]") {
  Bench bench;
  const ui::PropertyRegistry& registry = bench.workbench().properties();
  const ui::Document kept = ui::Document().with("flow.p", 0.25).with("flow@2.p", 0.5).with("panes.layout", "split-two");
  const ui::Document document = kept.with("training.published.run", "figure-3")
                                    .with("training@2.published.run", "figure-3")
                                    .with("training@2.library.folder", "/home/somebody/runs");
  REQUIRE_FALSE(ui::beyondLessons(document.pane(2), registry).empty());
  CHECK(ui::withoutBeyondLessons(document, registry) == kept);
  CHECK(ui::withoutBeyondLessons(kept, registry) == kept);
}
