// SPDX-License-Identifier: Apache-2.0
// Symbols in labels: their pieces stay in the place of the label, and the measured width is the drawn width.
#include <catch2/catch.hpp>

#include "engine/render/font.h"
#include "tests/ui/page/read_labels.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::vector<render::Label> symbolPieces(const std::vector<render::Item>& items) {
  std::vector<render::Label> labels;
  for (const render::Item& item : items)
    if (const auto* label = std::get_if<render::Label>(&item)) labels.push_back(*label);
  return labels;
}

}  // namespace

TEST_CASE("The pieces of a label with symbols end where the text ends", "[canvas][symbols]") {
  for (const auto alignX : {render::AlignX::Left, render::AlignX::Center, render::AlignX::Right})
    for (const bool vertical : {false, true}) {
      std::vector<render::Item> items{textAt({100, 50}, "norm of W_qk, β_ij", 13, {1, 1, 1, 1}, alignX)};
      std::get<render::Label>(items[0]).vertical = vertical;
      typesetSymbols(items);
      const std::vector<render::Label> labels = symbolPieces(items);
      REQUIRE(labels.size() == 6);
      CHECK(readLabels(labels) == "norm of W_qk, β_ij\n");
      const double width = textWidth("norm of W_qk, β_ij", 13);
      const double share = alignX == render::AlignX::Left ? 0 : alignX == render::AlignX::Center ? 0.5 : 1;
      const auto along = [vertical](const render::Label& label) { return vertical ? -label.offset.y : label.offset.x; };
      CHECK(along(labels.front()) == Approx(-share * width).margin(1e-4));
      const double end = along(labels.back()) + render::measure(labels.back().text, labels.back().size).width;
      CHECK(end == Approx((1 - share) * width).margin(1e-4));
      CHECK(labels[2].size < labels[1].size);
      const auto down = [vertical](const render::Label& label) { return vertical ? label.offset.x : label.offset.y; };
      CHECK(down(labels[2]) > down(labels[1]));
      typesetSymbols(items);
      CHECK(symbolPieces(items).size() == 6);  // a label that is already set does not change
    }
}

TEST_CASE("The box behind a symbol has the width of the typeset symbol, and other items keep their order",
          "[canvas][symbols]") {
  render::Label label = textAt({10, 10}, "W_qk", 13, {1, 1, 1, 1});
  label.backdrop = render::Color{0, 0, 0, 1};
  std::vector<render::Item> items{textAt({0, 0}, "before", 13, {}), label, textAt({0, 0}, "after", 13, {})};
  typesetSymbols(items);
  REQUIRE(items.size() == 5);
  CHECK(std::get<render::Label>(items.front()).text == "before");
  CHECK(std::get<render::Label>(items.back()).text == "after");
  const auto& box = std::get<render::Fill>(items[1]);
  double left = 1e9, right = -1e9;
  for (const render::Point& point : box.points)
    left = std::min(left, point.x), right = std::max(right, point.x);
  CHECK(right - left == Approx(textWidth("W_qk", 13) + 0.7 * 13));
  CHECK(textWidth("W_qk", 13) < render::measure("W_qk", 13).width);
}
