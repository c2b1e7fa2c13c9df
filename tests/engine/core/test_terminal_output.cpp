// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_output.h"

#include <ostream>
#include <sstream>

#include <catch2/catch.hpp>

using namespace sepx;

TEST_CASE("A stream to a terminal is cleaned for any division into pieces", "[terminal]") {
  const std::string text = "näme \x1b]0;title\x07 · \xE2\x82\xAC\n\nlast \x9b";
  const std::string clean = "näme \uFFFD]0;title\uFFFD · \xE2\x82\xAC\n\nlast \uFFFDx";
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    std::ostringstream terminal;
    {
      TerminalBuffer buffer(*terminal.rdbuf());
      std::ostream stream(&buffer);
      for (std::size_t at = 0; at < text.size(); at += piece)
        stream << text.substr(at, piece);
      stream << 'x' << std::flush;
    }
    CHECK(terminal.str() == clean);
  }
  std::ostringstream terminal;
  TerminalBuffer buffer(*terminal.rdbuf());
  std::ostream stream(&buffer);
  std::string whole;
  for (int i = 0; i < 100'000; ++i) {
    stream << "€";
    whole += "€";
  }
  CHECK(terminal.str().size() > 100'000);  // a line without an end is not buffered forever
  stream.flush();
  CHECK(terminal.str() == whole);
}
