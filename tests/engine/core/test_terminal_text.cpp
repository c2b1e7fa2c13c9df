// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_text.h"

#include <catch2/catch.hpp>

#include "engine/core/table.h"
#include "engine/core/utf8.h"

using namespace sepx;

TEST_CASE("Text for a terminal contains no control characters and is otherwise unchanged") {
  CHECK(printable("a run, größer als 東京 \U0001F600") == "a run, größer als 東京 \U0001F600");
  CHECK(printable("one\ntwo\tthree\r") == "one two three ");
  CHECK(printable("\x1b[31mred\x07\x7f") == "\uFFFD[31mred\uFFFD\uFFFD");
  CHECK(printable("\xC2\x9B"
                  "2J") == "\uFFFD2J");                              // the one-byte CSI encoded as a character
  CHECK(printable("\u202Egnp.exe\u2066") == "\uFFFDgnp.exe\uFFFD");  // right-to-left control characters
  CHECK(printable(std::string_view("a\0b\xFF\xC3", 5)) == "a\uFFFDb\uFFFD\uFFFD");
  CHECK(printable("").empty());
}

TEST_CASE("Untrusted text in a message is a single short line without control characters", "[terminal]") {
  CHECK(excerpt("one\ntwo\t three \n", 100) == "one two  three");
  CHECK(excerpt("\x1b]0;title\x07", 100) == "\uFFFD]0;title\uFFFD");
  CHECK(excerpt("äöü", 4) == "äö…");
  CHECK(excerpt("ääää", 3) == "ä…");
  CHECK(excerpt("äää", 6) == "äää");
  CHECK(printableSentence("one\ntwo\t three \n") == "one two  three");
  CHECK(printableSentence(std::string(50'000'000, 'x')).size() < 2100);
  CHECK(printableSentence(std::string(50'000'000, ' ') + "x").size() < 2100);
}

TEST_CASE("A long path in a message keeps its beginning and its end", "[terminal]") {
  std::string path = "/home";
  for (int i = 0; i < 1000; ++i)
    path += "/überall";
  const std::string sentence =
      printableSentence(path + "/model.safetensors: the header is not JSON; export the file again");
  CHECK(sentence.size() < 400);
  CHECK(sentence.starts_with("/home/überall"));
  CHECK_THAT(sentence, Catch::Contains("/model.safetensors: the header is not JSON; export the file again"));
  CHECK_FALSE(findInvalidUtf8(sentence));
  // Short text is unchanged.
  const std::string plain = "/home/me/a b.csv: line 3: there is text behind a quotation mark";
  CHECK(printableSentence(plain) == plain);
}

TEST_CASE("Table cells keep their line breaks and lose other control characters", "[terminal]") {
  CHECK(printableLines("two\nlines\t\x1b[31mred\x07") == "two\nlines\t\uFFFD[31mred\uFFFD");
  Table table;
  table.columns.push_back({"name", "", std::vector<std::string>{"\x1b[31mred", "a\nb"}});
  CHECK(toCsv(table).find('\x1b') == std::string::npos);
  CHECK_THAT(toCsv(table), Catch::Contains("\"a\nb\""));
}
