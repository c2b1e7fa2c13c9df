// SPDX-License-Identifier: Apache-2.0
// A machine without fonts: the program says in one sentence what is missing and how to install it, and nothing else is
// lost: sessions and lessons play, and numbers come out.
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

/// `sepx` where fontconfig knows one folder of fonts: its exit status, and all that it says.
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

TEST_CASE("Without fonts the program says so and how to install them, and what needs none works") {
  const Folder folder;
  const auto [doctor, report] = withoutFonts(folder, "doctor");
  INFO(report);
  CHECK((doctor == 0 || doctor == 4));
  CHECK_THAT(report, Catch::Contains("fonts-open-sans"));
  // A lesson plays: its expectations hold, and the person's picture has the built-in letters.
  writeText(folder.path("l.md"),
            "# T\n\n## One\n\n```steps\nexhibit flow\nset flow.p 0.3\nexpect flow.p == 0.3\n```\n");
  const auto [played, said] = withoutFonts(folder, "play '" + folder.path("l.md") + "'");
  INFO(said);
  CHECK(played == 0);
  // A figure is text and lines. It is written with what there is, or refused in one sentence that names the packages.
  writeText(folder.path("s.sepx"), R"({"version": 1, "exhibit": "flow", "flow": {"p": 0.3}})");
  for (const char* name : {"f.svg", "f.pdf", "f.png", "f.html"}) {
    CAPTURE(name);
    const auto [status, words] =
        withoutFonts(folder, "render '" + folder.path("s.sepx") + "' --out '" + folder.path(name) + "'");
    CAPTURE(words);
    if (status == 0) continue;
    CHECK((status == 3 || status == 6));
    CHECK_THAT(words, Catch::Contains("fonts-open-sans"));
    CHECK(std::count(words.begin(), words.end(), '\n') == 1);
  }
}

TEST_CASE("Chinese without its characters says which package has them") {
  const Folder folder;
  const std::string latin = "/usr/share/fonts/truetype/dejavu";
  if (!std::filesystem::is_directory(latin)) FAIL("fonts-dejavu-core is not installed, which the tests need");
  const auto [status, report] = withFonts(folder, latin, "SEPX_LANGUAGE=zh_CN", "doctor");
  INFO(report);
  CHECK((status == 0 || status == 4));
  CHECK_THAT(report, Catch::Contains("fonts-noto-cjk"));
}
