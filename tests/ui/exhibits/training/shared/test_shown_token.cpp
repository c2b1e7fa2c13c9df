// SPDX-License-Identifier: Apache-2.0
// Tokens as they are shown.
#include <catch2/catch.hpp>

#include "ui/exhibits/training/shared/shown_token.h"

using sepx::ui::shownToken;

TEST_CASE("A token is shown with its blank and its line end, and without GPT-2's storage characters", "[training]") {
  CHECK(shownToken("\u0120the") == "\u2423the");
  CHECK(shownToken("\u0120") == "\u2423");
  CHECK(shownToken("\u010A") == "\\n");
  CHECK(shownToken("\u00C3\u00A9") == "\u00E9");
  CHECK(shownToken("[MASK]") == "[MASK]");
  CHECK(shownToken("7") == "7");
}
