// SPDX-License-Identifier: Apache-2.0
// Texts that pages draw: a sentence stays inside its area, and long lines are broken.
#include <catch2/catch.hpp>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/theme.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("A sentence stays inside its area: a small area has smaller type and shortened text", "[canvas]") {
  const Theme& theme = *findTheme("dark");
  const std::string text = "β of the places 9 and 2 is 0 in both orders: this pair adds nothing.";
  bool cut = false, small = false, usual = false;
  for (double side = 30; side <= 400; side += 10) {
    INFO(side);
    const render::Rect area{{100, 50}, {100 + side, 50 + side}};
    std::vector<render::Item> items;
    CHECK(addSentence(items, area, text, theme) <= side);
    REQUIRE_FALSE(items.empty());
    for (const render::Item& item : items) {
      const auto& label = std::get<render::Label>(item);
      CHECK(label.at.y - label.size / 2 >= area.min.y);
      CHECK(label.at.y + label.size / 2 <= area.max.y);
      cut = cut || label.text.ends_with("…");
      small = small || label.size < theme.textSize;
      usual = usual || label.size == theme.textSize;
    }
  }
  CHECK(cut);
  CHECK(small);
  CHECK(usual);
}

TEST_CASE("Lines are not wider than the given width, and a long path is broken at its folders", "[canvas]") {
  const std::string text = "The file /home/somebody/.local/share/separatrix/runs/Small-decoder-3/metrics is not there.";
  for (const double width : {60.0, 120.0, 300.0}) {
    INFO(width);
    std::string all;
    for (const std::string& line : wrapped(text, 12, width)) {
      CHECK(textWidth(line, 12) <= width);
      for (const char c : line)
        if (c != ' ') all += c;
    }
    std::string expected;
    for (const char c : text)
      if (c != ' ') expected += c;
    CHECK(all == expected);
  }
  const std::vector<std::string> lines = wrapped("/somewhere/else/entirely", 12, textWidth("/somewhere/else/", 12));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "/somewhere/else/");
  CHECK(wrapped("ü", 12, 1) == std::vector<std::string>{"ü"});
}
