// SPDX-License-Identifier: Apache-2.0
// What pages draw with: a sentence stays inside its area.
#include <catch2/catch.hpp>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/theme.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("a sentence stays inside its area, in a small one in small type and cut with an ellipsis", "[canvas]") {
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
