// SPDX-License-Identifier: Apache-2.0
// Homework in a window: the name determines the values, and answers are recorded and saved with their states. Also
// taking over a lesson and continuing it.
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/number.h"
#include "tests/folders.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/document/homework.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A name starts the homework, and answers are saved with their states", "[lesson]") {
  Bench bench({1280, 720});
  ui::Workbench& workbench = bench.workbench();
  REQUIRE(workbench.open(tests::sourceFolder() + "/tests/reference/homework/homework.md"));
  bench.settle();
  CHECK(bench.number("flow.p") == Approx(0.725));  // the middle of the range, before a name is given
  CHECK_FALSE(workbench.homeworkAnswers());
  CHECK_FALSE(workbench.beginHomework("  "));

  // As a user does: click the field, type, press Enter.
  const auto clickOn = [&](const char* key) {
    const auto at = workbench.controlAt(key);
    REQUIRE(at);
    bench.frame({ui::PointerMoved{at->x, at->y}});
    bench.frame({ui::PointerPressed{ui::Button::Left, true, at->x, at->y, {}}});
    bench.frame({ui::PointerPressed{ui::Button::Left, false, at->x, at->y, {}}});
    bench.frame();
  };
  const auto type = [&](const std::string& text) {
    for (const char c : text)
      bench.frame({ui::TextTyped{std::string(1, c)}});
    bench.frame({ui::KeyPressed{ui::Key::Enter, true, {}}});
    bench.frame({ui::KeyPressed{ui::Key::Enter, false, {}}});
  };
  clickOn("lesson.name");
  type("Ada");
  bench.settle();
  const auto values = ui::variedValues(*workbench.lesson(), "Ada");
  CHECK(bench.text("flow.p") == values[0].second);
  CHECK(bench.text("flow.q") == values[1].second);

  // With other values in the picture an answer does not count.
  REQUIRE(workbench.set("flow.p", 0.3));
  bench.settle();
  clickOn("lesson.questions[0].number");
  type("0.3");
  CHECK(ui::parseAnswers(workbench.homeworkAnswers()->text)->given.empty());
  clickOn("lesson.continue");
  bench.settle();
  clickOn("lesson.questions[0].number");
  const std::string lost = formatShortest(bench.number("flow.entropy.gap"));
  type(lost);
  CHECK(ui::parseAnswers(workbench.homeworkAnswers()->text)->given.size() == 1);
  REQUIRE(workbench.run("lesson.next"));
  bench.settle();
  bench.play("drag 0.9,0.4 -> 0.6,-0.6 in 0.5\nwait settled\nexpect flow.points[0].limit.kind == global-min\n");
  bench.frame();
  clickOn("lesson.questions[1].choices[0]");

  const auto file = workbench.homeworkAnswers();
  if (!file) FAIL(file.error().message);
  CHECK(file->name == "ada-Homework.json");
  const auto answers = ui::parseAnswers(file->text);
  if (!answers) FAIL(answers.error().message);
  CHECK(answers->name == "Ada");
  CHECK(ui::answersMismatch(*answers, *workbench.lesson()).empty());
  REQUIRE(answers->given.size() == 3);
  CHECK(answers->given.at({0, 0}).number == Approx(parseNumber(lost).value_or(-1)));
  CHECK(answers->given.at({1, 0}).state);
  CHECK(answers->given.at({1, 1}).choice == std::size_t{0});
  // A lesson without varied values is not homework.
  REQUIRE(workbench.open(lessonFile()));
  bench.settle();
  CHECK_FALSE(workbench.homeworkAnswers());
  CHECK_FALSE(workbench.beginHomework("Ada"));
}

TEST_CASE("A reader who took over can continue the lesson, and undo restores their picture", "[lesson]") {
  Bench bench({1280, 720});
  ui::Workbench& workbench = bench.workbench();
  const auto mayContinue = [&workbench] {
    for (const auto& command : workbench.commands())
      if (command.key == "lesson.continue") return command.enabled;
    return false;
  };
  REQUIRE(workbench.open(lessonFile()));
  bench.settle();
  CHECK_FALSE(mayContinue());
  REQUIRE(workbench.set("flow.p", 0.25));
  bench.settle();
  REQUIRE(mayContinue());
  REQUIRE(workbench.controlAt("lesson.continue"));
  REQUIRE(workbench.run("lesson.continue"));
  bench.settle();
  CHECK(bench.number("flow.p") == 0.5);
  CHECK_FALSE(mayContinue());
  CHECK_THAT(workbench.messages().back().text, Catch::Contains("undo"));
  CHECK(workbench.lessonStep() == 0);
  REQUIRE(workbench.undo());
  bench.settle();
  CHECK(bench.number("flow.p") == 0.25);
  CHECK(mayContinue());

  // In the middle of a step, its lines run again.
  REQUIRE(workbench.run("lesson.next"));
  frames(bench, 60);
  REQUIRE(workbench.set("flow.p", 0.3));  // ends the lines
  bench.settle();
  REQUIRE(mayContinue());
  REQUIRE(workbench.run("lesson.continue"));
  bench.settle();
  CHECK(bench.number("flow.p") == 0.5);
  CHECK(bench.text("flow.points[0].limit.kind") == "global-min");
  CHECK_FALSE(mayContinue());
}

TEST_CASE("A question for a number has a field, and a lesson without varied values asks for no name", "[lesson]") {
  const tests::TemporaryFolder folder;
  Bench bench({1280, 720});
  ui::Workbench& workbench = bench.workbench();
  REQUIRE(workbench.open(folder.file("n.md",
                                     "# N\n\n## One\n\n```ask\nquestion \"Q\"\n"
                                     "number 0.25 +- 4%\n"
                                     "because \"So.\"\n```\n")));
  bench.settle();
  CHECK(workbench.controlAt("lesson.questions[0].number"));
  CHECK_FALSE(workbench.controlAt("lesson.name"));
}

TEST_CASE("A step can change parameters gradually, and every run gives the same values", "[script]") {
  const auto run = [](const std::string& lines) {
    Bench bench;
    bench.play(lines);
    return std::pair(bench.number("flow.p"), bench.number("flow.gauss.sigma"));
  };
  // At half the time the value is in the middle; a logarithmic parameter changes by factors.
  const std::string begin = "exhibit flow\nset flow.p 0.2 flow.gauss.sigma 0.1\n";
  CHECK(run(begin + "set flow.p 0.6 flow.gauss.sigma 1 in 1\n") == std::pair(0.6, 1.0));
  Bench bench;
  bench.play(begin);
  auto script = ui::parseScript("script 1\nset flow.p 0.6 in 1\n", "test");
  REQUIRE(script);
  ui::ScriptRunner runner(std::move(*script), bench.workbench(), *bench.host, {});
  std::vector<double> seen;
  REQUIRE(bench.host->play(runner, [&]() -> Result<void> {
    seen.push_back(bench.number("flow.p"));
    return {};
  }));
  CHECK(seen.back() == 0.6);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(std::ranges::count_if(seen, [](double p) { return p > 0.21 && p < 0.59; }) > 40);
  CHECK(std::ranges::any_of(seen, [](double p) { return p > 0.39 && p < 0.41; }));
  // One undo step.
  REQUIRE(bench.workbench().undo());
  CHECK(bench.number("flow.p") == 0.2);
  // A value that is not a number is set at once; a value out of range is an error.
  CHECK(errorOf(bench.run("set flow.color time flow.p 0.4 in 0.1\nexpect flow.color == time\n")) == "");
  CHECK_THAT(errorOf(bench.run("set flow.p 7 in 0.5\n")), Catch::Contains("flow.p"));
  CHECK_THAT(errorOf(bench.run("set flow.p 0.5 in -1\n")), Catch::Contains("seconds"));
  CHECK_THAT(errorOf(bench.run("vary flow.p 0..1\n")), Catch::Contains("lesson"));
}

TEST_CASE("A lesson opens nothing outside its folder", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string session = R"({"version": 1, "exhibit": "flow", "flow": {"p": 0.3}})";
  folder.file("out.sepx", session);
  folder.file("in/inside.sepx", session);
  folder.file("in/reaches.sepx", R"({"version": 1, "exhibit": "weights", "weights": {"checkpoint": "../out.bin"}})");
  folder.file("out.bin", "x");
  std::filesystem::create_symlink(folder / "out.sepx", folder / "in/link.sepx");
  const auto outcome = [&](const std::string& steps) {
    Bench bench;
    auto runner = app::makeRunner(folder.file("in/l.md", lessonOf(steps)), bench.workbench(), *bench.host, {});
    REQUIRE(runner);
    return errorOf(bench.host->play(**runner));
  };
  CHECK(outcome("open inside.sepx\nexpect flow.p == 0.3") == "");
  CHECK_THAT(outcome("open ../out.sepx"), Catch::Contains("its own folder"));
  CHECK_THAT(outcome("open " + (folder / "out.sepx")), Catch::Contains("its own folder"));
  CHECK_THAT(outcome("open link.sepx"), Catch::Contains("its own folder"));
  CHECK_THAT(outcome("drop /etc/passwd"), Catch::Contains("its own folder"));
  CHECK_THAT(outcome("set weights.checkpoint ../out.bin"), Catch::Contains("its own folder"));
  CHECK_THAT(outcome("open reaches.sepx"), Catch::Contains("out.bin"));
}

TEST_CASE("A lesson with errors reports line and reason and plays the rest, and sepx play refuses it", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("l.md", "# T\n\n## One\n\n```steps\nset flow.p 0.3\nfly\nset flow.q 0.4\n```\n");
  Bench bench;
  REQUIRE(bench.workbench().open(path));
  bench.settle();
  CHECK(bench.number("flow.p") == 0.3);
  CHECK(bench.number("flow.q") == 0.4);
  REQUIRE(bench.workbench().messages().size() == 1);
  CHECK_THAT(bench.workbench().messages()[0].text, Catch::Contains("l.md:7: ") && Catch::Contains("\"fly\""));
  const auto runner = app::makeRunner(path, bench.workbench(), *bench.host, {});
  REQUIRE_FALSE(runner);
  CHECK(runner.error().kind == ErrorKind::BadInput);
}
