// SPDX-License-Identifier: Apache-2.0
// A machine without fonts: one message says what is missing and how to install it. Sessions and lessons still play, and
// numbers are printed.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"
#include "tests/shell.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Runs `sepx` with a fontconfig that knows only the folder `fonts`. Returns its exit status and its output.
std::pair<int, std::string> withFonts(const Folder& folder, const std::string& fonts, const std::string& variables,
                                      const std::string& arguments) {
  writeText(folder.path("fonts.conf"),
            "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig><dir>" + fonts +
                "</dir></fontconfig>\n");
  return tests::shell("FONTCONFIG_FILE='" + folder.path("fonts.conf") + "' " + variables + " '" + tests::binFolder() +
                      "/sepx' " + arguments + " 2>&1");
}

std::pair<int, std::string> withoutFonts(const Folder& folder, const std::string& arguments) {
  return withFonts(folder, folder.path("none"), "", arguments);
}

}  // namespace

TEST_CASE("Without fonts a message says how to install them, and everything that needs no fonts works") {
  const Folder folder;
  const auto [doctor, report] = withoutFonts(folder, "doctor");
  INFO(report);
  CHECK((doctor == 0 || doctor == 4));
  CHECK_THAT(report, Catch::Contains("fonts-open-sans"));
  // A lesson plays: its expectations hold, and its picture uses the built-in letters.
  writeText(folder.path("l.md"),
            "# T\n\n## One\n\n```steps\nexhibit flow\nset flow.p 0.3\nexpect flow.p == 0.3\n```\n");
  const auto [played, said] = withoutFonts(folder, "play '" + folder.path("l.md") + "'");
  INFO(said);
  CHECK(played == 0);
  // A figure contains text and lines. It is written with the available fonts, or refused with one message that names
  // the packages.
  writeText(folder.path("s.sepx"), R"({"version": 1, "exhibit": "flow", "flow": {"p": 0.3}})");
  for (const char* name : {"f.svg", "f.pdf", "f.png", "f.html"}) {
    CAPTURE(name);
    const auto [status, words] =
        withoutFonts(folder, "render '" + folder.path("s.sepx") + "' --out '" + folder.path(name) + "'");
    CAPTURE(words);
    if (status == 0) {
      CHECK(std::filesystem::file_size(folder.path(name)) > 0);
      continue;
    }
    CHECK((status == 3 || status == 6));
    CHECK_THAT(words, Catch::Contains("fonts-open-sans"));
    CHECK(std::count(words.begin(), words.end(), '\n') == 1);
  }
}

TEST_CASE("Chinese without a typeface for its characters gives a message with the package") {
  const Folder folder;
  const std::string latin = "/usr/share/fonts/truetype/dejavu";
  if (!std::filesystem::is_directory(latin)) FAIL("fonts-dejavu-core is not installed, which the tests need");
  const auto [status, report] = withFonts(folder, latin, "SEPX_LANGUAGE=zh_CN", "doctor");
  INFO(report);
  CHECK((status == 0 || status == 4));
  CHECK_THAT(report, Catch::Contains("fonts-noto-cjk"));
}
