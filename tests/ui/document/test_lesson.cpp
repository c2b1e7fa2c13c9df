// SPDX-License-Identifier: Apache-2.0
#include "ui/document/lesson.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "engine/core/file.h"
#include "engine/core/random.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

constexpr const char* kLesson = R"(# A *short* lesson

Before the first step.

## One

Prose with **strong**, *soft* and `code` words,
on two lines: &pi; &#960; &lt;.

- first
- second
  1. inner
  2. more

```steps

set flow.p 0.5   # half
expect flow.p == 0.5
```

## Two

```ask
question "Which one?"
choice "This"  correct
choice "That"
because "It is so."
```

```ask
question "Move it."
answer flow.points[0].limit.kind == local-min
solution drag 0,1 -> 1,1
solution wait settled
```
)";

std::string complaint(const std::string& text) {
  CAPTURE(text);
  const Result<Lesson> lesson = parseLesson(text, "l.md");
  const Result<void> whole = lesson ? checkWhole(*lesson) : tl::unexpected(lesson.error());
  REQUIRE_FALSE(whole);
  CHECK(whole.error().kind == ErrorKind::BadInput);
  CHECK_THAT(whole.error().message, Catch::StartsWith("l.md:"));
  CHECK(whole.error().message.find('\n') == std::string::npos);
  return whole.error().message;
}

std::string inStep(const std::string& body) {
  return "# T\n\n## S\n\n" + body;
}
std::string ask(const std::string& lines) {
  return inStep("```ask\n" + lines + "```\n");
}

}  // namespace

TEST_CASE("A lesson consists of a title, steps, prose, script lines and questions") {
  const Result<Lesson> lesson = parseLesson(kLesson, "short.md");
  if (!lesson) FAIL(lesson.error().message);
  CHECK(lesson->title == "A short lesson");
  REQUIRE(lesson->introduction.size() == 1);
  CHECK(lesson->introduction[0].spans == std::vector<Span>{{"Before the first step."}});
  REQUIRE(lesson->steps.size() == 2);

  const LessonStep& one = lesson->steps[0];
  CHECK(one.title == "One");
  CHECK(one.line == 5);
  REQUIRE(one.prose.size() == 5);
  CHECK(one.prose[0].kind == Block::Kind::Paragraph);
  CHECK(one.prose[0].spans == std::vector<Span>{{"Prose with "},
                                                {"strong", true},
                                                {", "},
                                                {"soft", false, true},
                                                {" and "},
                                                {"code", false, false, true},
                                                {" words, on two lines: &pi; \xCF\x80 <."}});
  CHECK(one.prose[1].kind == Block::Kind::Item);
  CHECK(one.prose[1].number == 0);
  CHECK(one.prose[3].depth == 1);
  CHECK(one.prose[3].number == 1);
  CHECK(one.prose[4].number == 2);
  CHECK(one.prose[4].spans == std::vector<Span>{{"more"}});
  REQUIRE(one.steps.size() == 2);
  CHECK(one.steps[0].kind == StepKind::Set);
  CHECK(one.steps[0].line == 17);
  CHECK(one.steps[1].line == 18);

  const LessonStep& two = lesson->steps[1];
  CHECK(two.prose.empty());
  REQUIRE(two.questions.size() == 2);
  CHECK(two.questions[0].text == "Which one?");
  REQUIRE(two.questions[0].choices.size() == 2);
  CHECK(two.questions[0].choices[0].correct);
  CHECK_FALSE(two.questions[0].choices[1].correct);
  CHECK(two.questions[0].because == "It is so.");
  REQUIRE(two.questions[1].answer);
  CHECK(two.questions[1].answer->text == "flow.points[0].limit.kind");
  CHECK(two.questions[1].answer->line == 32);
  CHECK(two.questions[1].solution.size() == 2);
}

TEST_CASE("A lesson as a script contains every line in order, with solutions and answers") {
  const Result<Lesson> lesson = parseLesson(kLesson, "short.md");
  REQUIRE(lesson);
  const Script script = lessonScript(*lesson);
  CHECK(script.name == "short.md");
  std::vector<StepKind> kinds;
  for (const ScriptStep& step : script.steps)
    kinds.push_back(step.kind);
  CHECK(kinds == std::vector<StepKind>{StepKind::Set, StepKind::Expect, StepKind::Drag, StepKind::WaitSettled,
                                       StepKind::Expect});
  CHECK(lessonScript(*lesson, 1).steps.size() == 2);
  CHECK(lessonScript(*lesson, 0).steps.empty());
}

TEST_CASE("A malformed lesson is refused with the line number") {
  CHECK_THAT(complaint(""), Catch::Contains("# Title"));
  CHECK_THAT(complaint("text\n"), Catch::StartsWith("l.md:1: ") && Catch::Contains("title"));
  CHECK_THAT(complaint("# T\n"), Catch::Contains("at least one step"));
  CHECK_THAT(complaint("## S\n"), Catch::Contains("title"));
  CHECK_THAT(complaint("# T\n\n## S\n\n# U\n"), Catch::StartsWith("l.md:5: ") && Catch::Contains("one title"));
  CHECK_THAT(complaint("# T\n\n##\n"), Catch::Contains("empty"));
  CHECK_THAT(complaint("# T\n\n```steps\nplay\n```\n"), Catch::StartsWith("l.md:4: ") && Catch::Contains("first step"));
  CHECK_THAT(complaint(inStep("```step\nplay\n```\n")), Catch::Contains("\"step\""));
  CHECK_THAT(complaint(inStep("```steps\nplay\nfly\n```\n")),
             Catch::StartsWith("l.md:7: ") && Catch::Contains("\"fly\""));
  CHECK_THAT(complaint(inStep("```steps\nplay\n\n## Next\n\nText.\n")),
             Catch::StartsWith("l.md:8: ") && Catch::Contains("closing"));
  CHECK(parseLesson(inStep("```steps\n# go\nplay\n```\n"), "l.md")->steps[0].steps.size() == 1);
  CHECK_THAT(complaint(inStep("- a\n  - b\n    - c\n      - d\n        - e\n          - f\n            - g\n"
                              "              - h\n                - i\n")),
             Catch::Contains("deep"));
}

TEST_CASE("Invalid parts of a lesson are skipped and reported, and the rest is read") {
  const Result<Lesson> lesson = parseLesson(
      "# T\n\n```html\nx\n```\n## One\n\n```steps\nplay\nfly\npause\n```\n\n```ask\nquestion \"Q\"\n```\n\nText.\n\n"
      "```steps\nset flow.p 0.4\n\n## Two\n\nMore.\n\n```steps\nset flow.p 0.5\n```\n\nBehind it.\n\n# U\n\n## Three\n",
      "l.md");
  REQUIRE(lesson);
  REQUIRE(lesson->steps.size() == 3);
  CHECK(lesson->steps[0].steps.size() == 3);  // play, pause, set
  CHECK(lesson->steps[0].questions.empty());
  CHECK(lesson->steps[0].prose.size() == 1);
  CHECK(lesson->steps[1].title == "Two");
  CHECK(lesson->steps[1].line == 23);
  CHECK(lesson->steps[1].prose.size() == 2);
  REQUIRE(lesson->steps[1].steps.size() == 1);
  CHECK(lesson->steps[1].steps[0].line == 28);
  CHECK(lesson->steps[2].title == "Three");
  REQUIRE(lesson->messages.size() == 5);
  CHECK_THAT(lesson->messages[0], Catch::StartsWith("l.md:4: "));
  CHECK_THAT(lesson->messages[1], Catch::StartsWith("l.md:10: ") && Catch::Contains("\"fly\""));
  CHECK_THAT(lesson->messages[2], Catch::StartsWith("l.md:15: ") && Catch::Contains("choices"));
  CHECK_THAT(lesson->messages[3], Catch::StartsWith("l.md:23: ") && Catch::Contains("closing"));
  CHECK_THAT(lesson->messages[4], Catch::StartsWith("l.md:33: ") && Catch::Contains("one title"));
  CHECK_THAT(checkWhole(*lesson).error().message, Catch::Contains("l.md:10: ") && Catch::Contains("l.md:33: "));

  // One unclosed fence per line: the work is bounded.
  std::string forgotten = "# T\n\n## S\n\n";
  while (forgotten.size() < (200 << 10))
    forgotten += "```steps\n## S\n";
  const Result<Lesson> many = parseLesson(forgotten, "l.md");
  REQUIRE(many);
  CHECK(many->messages.size() == 21);
}

TEST_CASE("Notes are not prose, and notes before the first step belong to the first step") {
  const Result<Lesson> lesson = parseLesson(
      "# T\n\n```notes\nWelcome.\n```\n\n## One\n\nText.\n\n```notes\nSay **this**.\n\n- a question\n```\n", "l.md");
  REQUIRE(lesson);
  CHECK(lesson->messages.empty());
  CHECK(lesson->introduction.empty());
  CHECK(lesson->steps[0].prose.size() == 1);
  REQUIRE(lesson->steps[0].notes.size() == 3);
  CHECK(lesson->steps[0].notes[0].spans == std::vector<Span>{{"Welcome."}});
  CHECK(lesson->steps[0].notes[1].spans == std::vector<Span>{{"Say "}, {"this", true}, {"."}});
  CHECK(lesson->steps[0].notes[2].kind == Block::Kind::Item);
}

TEST_CASE("The exhibit, the duration and the varied values of a lesson are known") {
  const Result<Lesson> lesson = parseLesson(
      inStep("```steps\nexhibit flow\nvary flow.p 0.2..0.8\nvary flow.q 0.3..0.3\nset flow.p 0.5 in 180\n```\n"),
      "l.md");
  REQUIRE(lesson);
  CHECK(exhibitOf(*lesson) == "flow");
  CHECK(minutesOf(*lesson) == 3);
  REQUIRE(variations(*lesson).size() == 2);
  CHECK(variations(*lesson)[0].value == "0.5");
  CHECK(variations(*lesson)[1].value == "0.3");
  CHECK_THAT(complaint(inStep("```steps\nvary flow.p 0..1\nvary flow.p 0..1\n```\n")),
             Catch::StartsWith("l.md:7: ") && Catch::Contains("already"));
}

TEST_CASE("The reading time of a Chinese text is estimated although it has no spaces between words") {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "学";
  const Result<Lesson> lesson = parseLesson(inStep(text + "\n"), "l.md");
  REQUIRE(lesson);
  CHECK(minutesOf(*lesson) == 2);
}

TEST_CASE("The notes of a step may begin with the planned minutes of the step") {
  const auto planned = [](const std::string& first, const std::string& second) {
    const Result<Lesson> lesson = parseLesson(
        "# T\n\n## One\n\nText.\n\n```notes\n" + first + "\n```\n\n## Two\n\nText.\n\n```notes\n" + second + "\n```\n",
        "l.md");
    REQUIRE(lesson);
    CHECK(lesson->messages.empty());
    return minutesAt(*lesson);
  };
  CHECK(planned("4 min", "1.5 min: drag slowly.") == std::vector<double>{0, 4, 5.5});
  CHECK(planned("4 min, then **ask**.", "2 分钟") == std::vector<double>{0, 4, 6});
  // A text of one word takes less than a second.
  for (const char* none : {"min", "4", "0 min", "-2 min", "700 min", "4 minks", "nan min", "Wait 4 min"}) {
    INFO(none);
    CHECK(planned(none, "3 min").back() == Approx(3 + 1 / 150.0));
  }
}

TEST_CASE("A question may ask for a number of the lesson or for a number that the program computes") {
  const Result<Lesson> lesson = parseLesson(ask("question \"Q\"\n"
                                                "number 0.25 +- 0.01\n") +
                                                "\n```ask\nquestion \"R\"\n"
                                                "number flow.S_star +- 5%\nsolution play\n```\n",
                                            "l.md");
  REQUIRE(lesson);
  REQUIRE(lesson->messages.empty());
  const std::vector<Question>& asked = lesson->steps[0].questions;
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].number->value == 0.25);
  CHECK(asked[0].number->tolerance == 0.01);
  CHECK_FALSE(asked[0].number->relative);
  CHECK(asked[1].number->key == "flow.S_star");
  CHECK(asked[1].number->tolerance == Approx(0.05));
  CHECK(asked[1].number->relative);
  CHECK(lessonScript(*lesson).steps.size() == 1);
  CHECK_THAT(complaint(ask("question \"Q\"\n"
                           "number\n")),
             Catch::Contains("key of a read-out"));
  CHECK_THAT(complaint(ask("question \"Q\"\n"
                           "number 1 +- x\n")),
             Catch::Contains("\"x\""));
  CHECK_THAT(complaint(ask("question \"Q\"\n"
                           "number 1 +- -1\n")),
             Catch::Contains("tolerance"));
  CHECK_THAT(complaint(ask("question \"Q\"\n"
                           "number 1\nanswer flow.p == 1\n")),
             Catch::Contains("not both"));
}

TEST_CASE("A question that cannot be answered is refused") {
  CHECK_THAT(complaint(ask("")), Catch::Contains("question"));
  CHECK_THAT(complaint(ask("question \"Q\"\n")), Catch::Contains("choices"));
  CHECK_THAT(complaint(ask("question \"Q\"\nchoice \"A\" correct\n")), Catch::Contains("two or more"));
  CHECK_THAT(complaint(ask("question \"Q\"\nchoice \"A\"\nchoice \"B\"\n")), Catch::Contains("correct"));
  CHECK_THAT(complaint(ask("question \"Q\"\nchoice \"A\" right\nchoice \"B\"\n")), Catch::StartsWith("l.md:7: "));
  CHECK_THAT(complaint(ask("question Q\n")), Catch::StartsWith("l.md:6: ") && Catch::Contains("double quotes"));
  CHECK_THAT(complaint(ask("question \"Q\"\nquestion \"R\"\n")),
             Catch::StartsWith("l.md:7: ") && Catch::Contains("duplicate line: question"));
  CHECK_THAT(complaint(ask("question \"Q\"\nanswer\n")), Catch::Contains("key is missing"));
  CHECK_THAT(complaint(ask("question \"Q\"\nanswer error \"x\"\n")), Catch::Contains("KEY OP VALUE"));
  CHECK_THAT(complaint(ask("question \"Q\"\nanswer flow.p == 1\nanswer flow.p == 2\n")), Catch::StartsWith("l.md:8: "));
  CHECK_THAT(complaint(ask("question \"Q\"\nanswer flow.p == 1\nchoice \"A\"\n")), Catch::Contains("not both"));
  CHECK_THAT(complaint(ask("question \"Q\"\nanswer flow.p == 1\nsolution\n")), Catch::Contains("solution"));
  CHECK_THAT(complaint(ask("question \"Q\"\nanswer flow.p == 1\nsolution fly\n")), Catch::Contains("\"fly\""));
  CHECK_THAT(complaint(ask("question \"Q\"\nchoice \"A\" correct\nchoice \"B\"\nsolution play\n")),
             Catch::Contains("solution"));
  CHECK_THAT(complaint(ask("hint \"Q\"\n")), Catch::Contains("\"hint\""));
}

TEST_CASE("A file that is not UTF-8 text, or is too long, is refused") {
  CHECK_THAT(complaint("# T\n\n## S \xFF\n"), Catch::StartsWith("l.md:3: ") && Catch::Contains("UTF-8"));
  CHECK_THAT(complaint(std::string("# T\n\0\n", 6)), Catch::StartsWith("l.md:2: ") && Catch::Contains("control"));
  CHECK_THAT(complaint("\x89PNG\r\n\x1a\n"), Catch::Contains("UTF-8"));
  CHECK_THAT(complaint(std::string(300 << 10, '#')), Catch::Contains("bytes"));
}

TEST_CASE("Hostile Markdown is read or refused in moderate time") {
  for (const std::string& piece :
       {std::string(">"), std::string("- "), std::string("["), std::string("**a "), std::string("`"),
        std::string("<a "), std::string("&#1;"), std::string("![x]("), std::string("* * ")}) {
    std::string text = "# T\n\n## S\n\n";
    while (text.size() < (200 << 10))
      text += piece;
    const Result<Lesson> lesson = parseLesson(text, "l.md");
    if (!lesson) CHECK_THAT(lesson.error().message, Catch::StartsWith("l.md:"));
  }
}

TEST_CASE("Mangled lessons never crash the parser") {
  RandomStream random(5);
  const std::string whole = kLesson;
  for (int round = 0; round < 4000; ++round) {
    std::string text = round % 5 == 0 ? whole.substr(0, random.below(whole.size())) : whole;
    for (std::uint64_t i = 0; i <= random.below(6) && !text.empty(); ++i) {
      text[random.below(text.size())] = static_cast<char>(random.below(2) ? random.next32() : 0x0a + random.below(117));
    }
    const Result<Lesson> lesson = parseLesson(text, "l.md");
    if (!lesson) {
      REQUIRE_THAT(lesson.error().message, Catch::StartsWith("l.md:"));
    } else {
      REQUIRE_FALSE(lesson->steps.empty());
    }
  }
}

TEST_CASE("Every lesson that ships with the program can be read") {
  namespace fs = std::filesystem;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(tests::sourceFolder()) / "assets/lessons")) {
    if (entry.path().extension() != ".md") continue;
    ++count;
    const Result<Lesson> lesson = readLesson(entry.path().string());
    if (!lesson) FAIL(lesson.error().message);
    CHECK(lesson->name == entry.path().string());
    int expectations = 0;
    for (const LessonStep& step : lesson->steps) {
      CAPTURE(step.title);
      CHECK_FALSE(step.prose.empty());
      std::size_t letters = 0;
      for (const Block& block : step.prose) {
        for (const Span& span : block.spans)
          letters += span.text.size();
      }
      CHECK(letters < 560);  // a strip of 170 points has no room for more at lecture size
      for (const ScriptStep& line : step.steps) {
        expectations += line.kind == StepKind::Expect ? 1 : 0;
        // A lesson must not write files.
        CHECK(line.kind != StepKind::Shot);
        CHECK(line.kind != StepKind::Export);
        CHECK(line.kind != StepKind::Save);
      }
    }
    CHECK(expectations >= static_cast<int>(lesson->steps.size()));
  }
  CHECK(count >= 1);
}

TEST_CASE("A lesson with many errors names the first of them") {
  std::string text = "# Many\n\n## One\n\n```steps\n";
  for (int i = 0; i < 20; ++i)
    text += "nonsense\n";
  const auto lesson = parseLesson(text + "```\n", "m.md");
  REQUIRE(lesson);
  REQUIRE(lesson->messages.size() == 20);
  const std::string faults = checkWhole(*lesson).error().message;
  CHECK_THAT(faults, Catch::Contains("m.md:11: ") && Catch::EndsWith("; and 14 more"));
  CHECK_THAT(faults, !Catch::Contains("m.md:12: "));
}

TEST_CASE("A line that opens more than 100 lists or quotes is refused before it is parsed") {
  const auto lesson = [](const std::string& line) { return "# Title\n\n" + line + "\n\n## One\n\nProse.\n"; };
  for (const char* const sign : {"- ", ">", "1. ", "* > "}) {
    std::string line;
    for (int i = 0; i < 101; ++i)
      line += sign;
    CAPTURE(sign);
    CHECK_THAT(complaint(lesson(line)), Catch::Contains("more than 100 list and quote markers"));
    CHECK_THAT(complaint(lesson("x\r" + line)), Catch::Contains("more than 100 list and quote markers"));
  }
  CHECK(parseLesson(lesson(std::string(200, '-')), "l.md"));
  CHECK(parseLesson(lesson("a " + std::string(200, '>')), "l.md"));
}
