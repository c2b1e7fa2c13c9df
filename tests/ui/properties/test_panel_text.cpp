// SPDX-License-Identifier: Apache-2.0
// Lines of a panel break between words.
#include <catch2/catch.hpp>

#include "ui/properties/panel_text.h"

using namespace sepx::ui;

namespace {

float letters(std::string_view text) {
  return static_cast<float>(text.size());
}

}  // namespace

TEST_CASE("Lines of a panel break between words, never within a number") {
  CHECK(withLineBreaks("steps 500, 1,000 and 3,000", 12, letters) == "steps 500,\n1,000 and\n3,000");
  CHECK(withLineBreaks("residual 0.90; loss 0.6655", 18, letters) == "residual 0.90;\nloss 0.6655");
  CHECK(withLineBreaks("one line", 20, letters) == "one line");
  CHECK(withLineBreaks("a longerword b", 4, letters) ==
        "a\nlongerword\nb");  // ImGui breaks a word that is longer than a line
  CHECK(withLineBreaks("first\nsecond third", 8, letters) == "first\nsecond\nthird");
  CHECK(withLineBreaks("", 8, letters).empty());
}

TEST_CASE("A choice that is too long for its control ends in an ellipsis") {
  CHECK(shortened("several models by depth", 30, letters) == "several models by depth");
  CHECK(shortened("several models by depth", 17, letters) ==
        "several models…");  // the ellipsis is one character of three bytes
  CHECK(shortened("Δ1 Δ2", 6, letters) == "Δ1…");
  CHECK(shortened("abc", 1, letters) == "…");
  CHECK(shortened("", 1, letters).empty());
}
