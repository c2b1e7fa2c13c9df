// SPDX-License-Identifier: Apache-2.0
// What is shortened is noted with all of it, and found again where it is drawn.
#include <catch2/catch.hpp>

#include "ui/canvas/cut_texts.h"
#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("a scope collects what is shortened while it lives, an inner one for the outer too", "[canvas]") {
  const std::string name = "a name that is longer than its room";
  elided(name, 12, 60);  // nobody listens
  const CutTexts outer;
  CHECK(outer.all().empty());
  std::string shown;
  {
    const CutTexts inner;
    shown = elided(name, 12, 60);
    REQUIRE(inner.all().size() == 1);
    CHECK(inner.all()[0].whole == name);
    CHECK(inner.all()[0].shown == shown);
    CHECK(elided("short", 12, 200) == "short");
    CHECK(inner.all().size() == 1);
  }
  CHECK(outer.all().size() == 1);
  const std::string middle = shortenedName("small-encoder-with-a-long-name-000123", 12, 150);
  REQUIRE(middle.find("…") != std::string::npos);
  CHECK(outer.all().back().shown == middle);
  CHECK(outer.all().back().whole == "small-encoder-with-a-long-name-000123");
}

TEST_CASE("shortened labels are found where they stand, equal ones in their order", "[canvas]") {
  const std::vector<CutText> texts{{"layer…", "layer one"}, {"layer…", "layer two"}};
  const std::vector<render::Item> items{textAt({10, 10}, "layer…", 12, {}), textAt({10, 40}, "whole", 12, {}),
                                        textAt({300, 70}, "layer…", 12, {}, render::AlignX::Right)};
  const std::vector<CutPlace> places = cutPlaces(items, texts);
  REQUIRE(places.size() == 2);
  CHECK(places[0].whole == "layer one");
  CHECK(places[0].box.contains({15, 10}));
  CHECK(places[1].whole == "layer two");
  CHECK(places[1].box.contains({295, 70}));
  CHECK_FALSE(places[1].box.contains({305, 70}));
  CHECK(says(items, "layer… whole"));
  CHECK_FALSE(says(items, "layer one"));
}
