// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_text.h"

#include <ostream>
#include <sstream>

#include <catch2/catch.hpp>

using namespace sepx;

TEST_CASE("no control character reaches a terminal", "[terminal]") {
  CHECK(forTerminal("a line\n\tindented, äöü π") == "a line\n\tindented, äöü π");
  CHECK(forTerminal("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(forTerminal(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(forTerminal("back\rover\x7f") == "back\\x0dover\\x7f");
  CHECK(forTerminal("\xC2\x9B"
                    "31m") == "\\x9b31m");  // the one-character form of ESC [
  CHECK(forTerminal("\xff\xc3") == "\\xff\\xc3");
  CHECK(forTerminal("\xE2\x80\xAE") == "\\u202e");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string shown = forTerminal(std::string(3, static_cast<char>(byte)));
    for (const char c : shown)
      CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t'));
  }
}

TEST_CASE("a sentence is one line and no longer than a screen", "[terminal]") {
  CHECK(terminalLine("one\ntwo\t three \n") == "one two  three");
  CHECK(terminalLine(std::string(50'000'000, 'x')).size() < 2100);
  CHECK(terminalLine("äöü", 4) == "äö…");
  CHECK(terminalLine("ääää", 3) == "ä…");
}

TEST_CASE("a stream to a terminal is cleaned whatever the pieces are", "[terminal]") {
  const std::string text = "näme \x1b]0;title\x07 · \xE2\x82\xAC\nlast \x9b";
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    std::ostringstream terminal;
    {
      TerminalBuffer buffer(*terminal.rdbuf());
      std::ostream stream(&buffer);
      for (std::size_t at = 0; at < text.size(); at += piece)
        stream << text.substr(at, piece);
      stream << 'x' << std::flush;
    }
    CHECK(terminal.str() == forTerminal(text + "x"));
  }
  std::ostringstream terminal;
  TerminalBuffer buffer(*terminal.rdbuf());
  std::ostream stream(&buffer);
  for (int i = 0; i < 100'000; ++i)
    stream << "€";
  CHECK(terminal.str().size() > 100'000);  // a line without end does not wait for ever
  stream.flush();
  std::string whole;
  for (int i = 0; i < 100'000; ++i)
    whole += "€";
  CHECK(terminal.str() == whole);
}
