// SPDX-License-Identifier: Apache-2.0
// Shortened texts are recorded with the full text, and the recorded text is found at the place where it is drawn.
#include <catch2/catch.hpp>

#include "ui/canvas/cut_texts.h"
#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("A scope records the texts that are shortened during its lifetime, and so does every enclosing scope",
          "[canvas]") {
  const std::string name = "a name that is longer than its room";
  elided(name, 12, 60);  // no scope records this one
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

TEST_CASE("Shortened labels are found at their places, and equal labels in their order", "[canvas]") {
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
  CHECK(containsText(items, "layer… whole"));
  CHECK_FALSE(containsText(items, "layer one"));
}
