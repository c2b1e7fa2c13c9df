// SPDX-License-Identifier: Apache-2.0
// Edits of the lesson editor to the text of a lesson give a valid lesson.
#include "ui/document/lesson_text.h"

#include <catch2/catch.hpp>

#include "ui/document/lesson.h"

namespace sepx::ui {
namespace {

constexpr const char* kText =
    "# T\n\nIntro.\n\n## One\n\nText.\n\n```steps\nplay\n```\n\nMore.\n\n## Two\n\n```steps\n# no heading\nset flow.p 0.5\n"
    "```\n\n```notes\nnote\n```\n\n## Three\n\nEnd.\n";

std::vector<std::string> titles(const std::string& text) {
  std::vector<std::string> all;
  for (const StepText& step : stepsIn(text))
    all.push_back(step.title);
  return all;
}

}  // namespace

TEST_CASE("The steps of a lesson's text are its headings outside of fenced blocks") {
  CHECK(titles(kText) == std::vector<std::string>{"One", "Two", "Three"});
  const auto steps = stepsIn(kText);
  CHECK(stepAt(steps, 0) == 0);
  CHECK(stepAt(steps, steps[1].begin) == 1);
  CHECK(stepAt(steps, steps[2].begin - 1) == 1);
  CHECK(stepAt(steps, 100000) == 2);
  CHECK(stepAt({}, 5) == 0);
  CHECK(titles("").empty());
  CHECK(titles("# T\n\n## One\n\n```notes\n## a note\n```\n") == std::vector<std::string>{"One"});
}

TEST_CASE("Moving a step loses no text") {
  using Titles = std::vector<std::string>;
  CHECK(titles(withMovedStep(kText, 1, -1).text) == Titles{"Two", "One", "Three"});
  CHECK(titles(withMovedStep(kText, 1, 1).text) == Titles{"One", "Three", "Two"});
  CHECK(withMovedStep(kText, 0, -1).text == kText);
  CHECK(withMovedStep(kText, 2, 1).text == kText);
  CHECK(withMovedStep(kText, 7, 1).text == kText);
  const EditedText moved = withMovedStep(kText, 1, 1);
  CHECK(moved.text.substr(moved.place, 6) == "## Two");
  CHECK(titles(withMovedStep(moved.text, 2, -1).text) == Titles{"One", "Two", "Three"});
  CHECK(withMovedStep(moved.text, 2, -1).text == kText);
}

TEST_CASE("Lines are added to the last block of a step, or to a new block") {
  const EditedText one = withLines(kText, 0, {"set flow.q 0.3", "wait settled"});
  CHECK_THAT(one.text, Catch::Contains("play\nset flow.q 0.3\nwait settled\n```\n\nMore."));
  const EditedText three = withLines(kText, 2, {"pause"});
  CHECK_THAT(three.text, Catch::EndsWith("End.\n\n```steps\npause\n```\n"));
  CHECK(three.text.substr(0, three.place).ends_with("pause\n"));
  const auto lesson = parseLesson(three.text, "l.md");
  REQUIRE(lesson);
  CHECK(lesson->steps[2].steps.size() == 1);
  const auto begun = parseLesson(withLines("", 0, {"play"}).text, "l.md");
  REQUIRE(begun);
  CHECK(begun->steps[0].steps.size() == 1);
}

TEST_CASE("A new step is inserted after the step with the cursor") {
  const EditedText added = withNewStep(kText, 0, "New");
  CHECK(titles(added.text) == std::vector<std::string>{"One", "New", "Two", "Three"});
  CHECK(added.text.substr(0, added.place).ends_with("## New\n\n"));
  CHECK(titles(withNewStep("", 0, "New").text) == std::vector<std::string>{"New"});
}

}  // namespace sepx::ui
