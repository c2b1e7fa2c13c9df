// SPDX-License-Identifier: Apache-2.0
// Effects of the start page on the document, without frames. The page itself is tested in test_start_page.cpp.
#include "ui/page/exhibit.h"
#include "ui/workbench/start_choices.h"

#include <catch2/catch.hpp>

#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("An exhibit opens in the state shown on the page, unless the document has work in it", "[start]") {
  test::Parts parts;
  StartChoices start(parts.window, parts.panes, parts.files);
  start.show();
  CHECK(start.shown());
  start.follow();
  CHECK(start.shown());
  REQUIRE(start.enterExhibit("flow"));
  CHECK_FALSE(start.shown());
  CHECK_FALSE(parts.document() == Document{});
  CHECK_FALSE(parts.files.modified());
  REQUIRE(parts.panes.set("flow.p", 0.35));
  REQUIRE(start.enterExhibit("weights"));
  CHECK(parts.document().at("flow.p") == 0.35);
  CHECK(parts.panes.active().exhibit().key() == "weights");
  CHECK(parts.files.modified());
}

TEST_CASE("The page closes when the document changes, and by its command", "[start]") {
  test::Parts parts;
  StartChoices start(parts.window, parts.panes, parts.files);
  start.show();
  REQUIRE(parts.panes.set("flow.p", 0.35));
  start.follow();
  CHECK_FALSE(start.shown());
  Commands commands;
  start.addCommands(commands);
  REQUIRE((*commands.find("view.start"))());
  CHECK(start.shown());
  REQUIRE((*commands.find("view.start"))());
  CHECK_FALSE(start.shown());
}
