// SPDX-License-Identifier: Apache-2.0
// Lessons and languages: the expectations of a lesson hold in every language, and the characters of a lesson in another
// language are available.
#include "tests/folders.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/properties/language.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/language_choice.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Restores English for the tests that follow.
struct English {
  ~English() { static_cast<void>(ui::setLanguage(ui::kEnglish)); }
};

}  // namespace

TEST_CASE("Expected texts of a lesson are compared in English, even if the texts are shown in Chinese",
          "[lesson][language]") {
  const English english;
  Bench bench({1280, 720});
  REQUIRE(ui::setLanguage("zh_CN"));
  const std::string lesson = tests::sourceFolder() + "/assets/lessons/08-the-reversal-curse-in-three-minutes.md";
  auto runner = app::makeRunner(lesson, bench.workbench(), *bench.host, {});
  REQUIRE(runner);
  CHECK(errorOf(bench.host->play(**runner)) == "");
  CHECK(bench.text("reversal.race.hides").find("placeholder") == std::string::npos);
}

TEST_CASE("The characters of a Chinese lesson are available while the program is in English", "[lesson][language]") {
  const tests::TemporaryFolder folder;
  Bench bench;
  REQUIRE(ui::setLanguage(ui::kEnglish));
  bench.frame();
  CHECK_FALSE(ui::inFontAtlas(U'鞍'));
  REQUIRE(bench.workbench().open(folder.file("l.md",
                                             "# 鞍\n\n## 甲\n\n乙 **丙**\n\n```notes\n丁\n```\n\n```ask\n"
                                             "question \"戊\"\nchoice \"己\" correct\nchoice \"庚\"\n"
                                             "because \"辛\"\n```\n")));
  bench.settle();
  for (const char32_t code : U"鞍甲乙丙丁戊己庚辛")
    if (code != 0) CHECK(ui::inFontAtlas(code));
  CHECK_FALSE(ui::inFontAtlas(U'壬'));
}

TEST_CASE("If a lesson contains a character that no font has, English is still shown", "[lesson][language]") {
  REQUIRE(ui::setLanguage(ui::kEnglish));
  ui::addLanguageCharacters("\U0002FFFD");  // no font has this character
  CHECK(errorOf(ui::useLanguage(ui::kEnglish)) == "");
}
