// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "engine/core/terminal_text.h"

using sepx::printable;

TEST_CASE("text for a terminal has no control characters, and is otherwise as it was") {
  CHECK(printable("a run, größer als 東京 \U0001F600") == "a run, größer als 東京 \U0001F600");
  CHECK(printable("one\ntwo\tthree\r") == "one two three ");
  CHECK(printable("\x1b[31mred\x07\x7f") == "\uFFFD[31mred\uFFFD\uFFFD");
  CHECK(printable("\xC2\x9B"
                  "2J") == "\uFFFD2J");                              // the one-byte CSI as a character
  CHECK(printable("\u202Egnp.exe\u2066") == "\uFFFDgnp.exe\uFFFD");  // right to left
  CHECK(printable(std::string_view("a\0b\xFF\xC3", 5)) == "a\uFFFDb\uFFFD\uFFFD");
  CHECK(printable("").empty());
}
