// SPDX-License-Identifier: Apache-2.0
// Invalid lesson files in a window: one error message, and the picture stays as it was.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/zip_file.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/workbench/lesson_pages.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A lesson file with too many files, or a damaged or empty one, leaves the window unchanged", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string file = folder / "l.sepx-lesson";
  std::vector<std::pair<std::string, std::string>> many{
      {"lesson.md", folder.file("lesson.md", lessonOf("set flow.p 1"))}};
  for (int i = 0; i < 600; ++i)
    many.emplace_back("more/" + std::to_string(i), many.front().second);
  Bench bench;
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  const std::string before = bench.workbench().recipe();
  const auto refused = [&](const char* said) {
    CAPTURE(said);
    const std::size_t messages = bench.workbench().messages().size();
    CHECK_FALSE(bench.workbench().open(file));
    REQUIRE(bench.workbench().messages().size() == messages + 1);
    const std::string sentence = bench.workbench().messages().back().text;
    CHECK_THAT(sentence, Catch::Contains(said) && Catch::Contains("l.sepx-lesson") && !Catch::Contains("\n"));
    bench.settle();
    CHECK(bench.workbench().recipe() == before);
    CHECK(bench.workbench().lesson());
  };
  ZipBounds bounds;
  bounds.files = many.size();
  REQUIRE(packZip(many, file, bounds));
  refused("more than 500 files");
  many.resize(2);
  REQUIRE(packZip(many, file));
  const auto whole = readFile(file);
  REQUIRE(whole);
  folder.file("l.sepx-lesson", whole->substr(0, whole->size() / 2));
  refused("zip");
  folder.file("l.sepx-lesson", "");
  refused("zip");
}

TEST_CASE("Each line of a lesson is run once: a lesson cannot contain a loop", "[lesson]") {
  // The closest cases: a step that undoes itself, and a step that presses the button for the previous step.
  const tests::TemporaryFolder folder;
  const std::string lesson =
      folder.file("l.md",
                  "# T\n\n## One\n\n```steps\nset flow.p 0.3\nundo\nset flow.p 0.4\n```\n\n## Two\n\n```steps\n"
                  "click ui:lesson.previous\nset flow.q 0.3\n```\n");
  Bench bench;
  REQUIRE(bench.workbench().open(lesson));
  bench.settle();
  REQUIRE(bench.workbench().run("lesson.next"));
  frames(bench, 200);
  bench.settle();
  CHECK(bench.workbench().lessonStep() == 1);
  CHECK(bench.number("flow.p") == 0.4);
  CHECK(bench.number("flow.q") == 0.3);
  CHECK(bench.workbench().messages().size() == 2);  // undo and the button are refused
}

TEST_CASE("A lesson whose file is no longer a lesson gives no page", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("lesson.md", kLesson);
  Bench bench;
  REQUIRE(bench.workbench().open(path));
  folder.file("lesson.md", R"({"version":1,"exhibit":"flow"})");
  ui::LessonPage page(bench.workbench(), nullptr, {});
  CHECK(page.step());
  const auto made = page.take();
  REQUIRE_FALSE(made);
  CHECK_THAT(made.error().message, Catch::Contains("lesson.md: is not a lesson"));
}
