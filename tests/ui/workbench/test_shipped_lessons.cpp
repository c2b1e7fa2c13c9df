// SPDX-License-Identifier: Apache-2.0
// The lessons that ship: they run without a display, play in the studio and on the stage, and cite their sources.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "app/data_files.h"
#include "engine/core/references.h"
#include "tests/folders.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/document/session.h"
#include "ui/runs/runs.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Every lesson that ships plays in a window without a message, and reading it is not unsaved work.
void playLessons(bool stage) {
  for (const auto& lesson : app::lessons()) {
    if (lesson.own) continue;
    CAPTURE(lesson.path);
    Bench bench({960, 540});
    if (stage) REQUIRE(bench.workbench().run("view.chrome"));
    REQUIRE(bench.workbench().open(lesson.path));
    const std::size_t steps = bench.workbench().lesson()->steps.size();
    for (std::size_t step = 0; step < steps; ++step) {
      bench.settle();
      CHECK(bench.workbench().lessonStep() == step);
      CHECK_FALSE(bench.workbench().modified());
      if (step + 1 < steps) REQUIRE(bench.workbench().run("lesson.next"));
    }
    for (const ui::Message& message : bench.workbench().messages())
      CHECK(message.text == "");
    CHECK(bench.workbench().runs().training() == 0);
  }
}

}  // namespace

TEST_CASE("Every lesson that ships runs without a display", "[lesson]") {
  const auto folder = std::filesystem::path(tests::sourceFolder()) / "assets" / "lessons";
  int lessons = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    CAPTURE(entry.path().string());
    ++lessons;
    Bench bench({1280, 720});
    auto runner = app::makeRunner(entry.path().string(), bench.workbench(), *bench.host, {});
    REQUIRE(runner);
    CHECK(errorOf(bench.host->play(**runner)) == "");
    CHECK(bench.workbench().lessonStep() + 1 == bench.workbench().lesson()->steps.size());
  }
  CHECK(lessons > 0);
}

TEST_CASE("Every lesson that ships plays in a window without a message", "[lesson]") {
  playLessons(false);
}

TEST_CASE("Every lesson that ships plays without panels, as on the stage", "[.][long][lesson]") {
  playLessons(true);
}

TEST_CASE("Every lesson that ships ends with its source, cited as in the program", "[lesson]") {
  for (const auto& file : app::lessons()) {
    if (file.own) continue;
    CAPTURE(file.path);
    const auto lesson = ui::readLesson(file.path);
    REQUIRE(lesson);
    std::string last;
    for (const ui::Span& span : lesson->steps.back().prose.back().spans)
      last += span.text;
    const bool cited = std::ranges::any_of(papers(), [&last](const Reference& paper) {
      return last.starts_with(std::string("Source (") + paper.name + "): " + citation(paper));
    });
    INFO(last);
    CHECK(cited);
  }
}

TEST_CASE("Every lesson that ships asks a question, mentions a drag, and has a step about what was not shown",
          "[lesson]") {
  const auto textOf = [](const std::vector<ui::Block>& blocks) {
    std::string text;
    for (const ui::Block& block : blocks)
      for (const ui::Span& span : block.spans)
        text += span.text + (&span == &block.spans.back() ? "\n" : "");
    return text;
  };
  std::map<std::string, int> exhibits;
  for (const auto& file : app::lessons()) {
    if (file.own) continue;
    CAPTURE(file.path);
    const auto lesson = ui::readLesson(file.path);
    REQUIRE(lesson);
    CHECK(lesson->messages.empty());
    ++exhibits[file.exhibit];
    CHECK(file.minutes >= 2);
    CHECK_THAT(textOf(lesson->introduction), Catch::Contains("?"));
    std::string all;
    std::size_t questions = 0;
    for (const ui::LessonStep& step : lesson->steps) {
      all += textOf(step.prose);
      for (const ui::Question& question : step.questions)
        all += question.text;
      questions += step.questions.size();
      CAPTURE(step.title);
      CHECK(step.notes.empty() == (step.title == "Source"));
    }
    CHECK(questions > 0);
    CHECK_THAT(all, Catch::Contains("drag", Catch::CaseSensitive::No));
    REQUIRE(lesson->steps.size() > 2);
    CHECK_THAT(lesson->steps[lesson->steps.size() - 2].title, Catch::Contains("not", Catch::CaseSensitive::No));
  }
  CHECK(exhibits == std::map<std::string, int>{{"flow", 6}, {"reversal", 3}, {"training", 3}, {"weights", 3}});
}
