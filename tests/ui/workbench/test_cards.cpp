// SPDX-License-Identifier: Apache-2.0
// Which card opens, without frames. The content of cards is tested in test_explain.cpp.
#include "ui/workbench/cards.h"

#include <catch2/catch.hpp>

#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("Cards open by key and by command, for one pane at a time, and Esc closes them", "[cards]") {
  test::Parts parts;
  Cards cards(parts.window, parts.panes);
  const auto run = [&](std::string_view command) -> Result<void> {
    Commands commands;
    cards.addCommands(commands, true);
    const auto act = commands.find(command);
    return act ? (*act)() : Result<void>(tl::unexpected(act.error()));
  };
  CHECK_FALSE(cards.dismiss());
  CHECK(cards.explain("flow.nothing").error().kind == ErrorKind::Usage);
  CHECK(cards.explain("flow@2.p").error().kind == ErrorKind::Usage);  // this pane is not shown
  REQUIRE(cards.explain("flow.p"));
  CHECK(cards.dismiss());
  REQUIRE(run("help.explain"));
  CHECK(cards.dismiss());
  REQUIRE(run("help.explain-next"));
  REQUIRE(run("help.explain-previous"));
  REQUIRE(run("help.errata"));
  CHECK(cards.dismiss());  // the sheet
  CHECK(cards.dismiss());  // the card
  CHECK_FALSE(cards.dismiss());
  const auto text = cards.explanation("flow.p");
  REQUIRE(text);
  CHECK_FALSE(text->empty());
}
