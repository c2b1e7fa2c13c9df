// SPDX-License-Identifier: Apache-2.0
// Commands by name and by shortcut.
#include "ui/workbench/commands.h"

#include <catch2/catch.hpp>

using namespace sepx;
using namespace sepx::ui;

namespace {

struct TwoCommands {
  int done = 0;
  Commands commands;
  TwoCommands() {
    commands.add({"edit.copy-number", "Copy number", "Ctrl+C", "Edit", true}, [this] { ++done; });
    commands.add({"lesson.next", "Next step", "N", "Lesson", true}, [this] { done += 10; });
    commands.add({"view.next-pane", "Next pane", "F6", "View", false},
                 []() -> Result<void> { return fail(ErrorKind::Internal, "never"); });
  }
};

std::string meaning(const Commands& commands, Key key, Modifiers modifiers = {}, bool text = false) {
  return commands.meaning(KeyPressed{key, true, modifiers}, text);
}

}  // namespace

TEST_CASE("A command is run by its name, and one that is not available gives an error", "[commands]") {
  TwoCommands two;
  REQUIRE((*two.commands.find("edit.copy-number"))());
  CHECK(two.done == 1);
  CHECK(two.commands.find("edit.nothing").error().kind == ErrorKind::Usage);
  CHECK(two.commands.find("view.next-pane").error().kind == ErrorKind::CheckFailed);
  CHECK(two.commands.list().size() == 3);
  two.commands.remove({"edit.copy-number", "view.other"});
  CHECK(two.commands.find("edit.copy-number").error().kind == ErrorKind::Usage);
}

TEST_CASE("A key runs a command unless a text field takes the key", "[commands]") {
  const TwoCommands two;
  const Modifiers ctrl{.ctrl = true};
  CHECK(meaning(two.commands, Key::C, ctrl) == "edit.copy-number");
  CHECK(meaning(two.commands, Key::C, ctrl, true).empty());  // copies the selection of the field
  CHECK(meaning(two.commands, Key::N) == "lesson.next");
  CHECK(meaning(two.commands, Key::N, {}, true).empty());
  CHECK(meaning(two.commands, Key::PageDown) == "lesson.next");  // its second key
  CHECK(meaning(two.commands, Key::PageDown, ctrl).empty());
  CHECK(meaning(two.commands, Key::F6).empty());  // not available
}
