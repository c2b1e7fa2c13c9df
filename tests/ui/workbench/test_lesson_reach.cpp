// SPDX-License-Identifier: Apache-2.0
// What a lesson may access: files beside it and in the folder of --out-dir, but not itself again. It leaves no unsaved
// work and no runs.
#include <filesystem>
#include <string>

#include "app/data_files.h"
#include "engine/core/file.h"
#include "tests/folders.h"
#include "tests/patience.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/document/session.h"
#include "ui/document/state_text.h"
#include "ui/runs/runs.h"
#include "ui/workbench/settings.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// Plays every step of a lesson, as sepx play does.
std::string outcomeOf(const std::string& lesson, const std::string& outDir) {
  Bench bench;
  auto runner = app::makeRunner(lesson, bench.workbench(), *bench.host, outDir);
  if (!runner) return runner.error().message;
  return errorOf(bench.host->play(**runner));
}

}  // namespace

TEST_CASE("A lesson writes only into the folder of --out-dir, only its own formats, and never over an existing file",
          "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string out = folder.path.string();
  for (const char* steps : {"save thesis.sepx", "shot thesis.png", "export thesis.svg"}) {
    CAPTURE(steps);
    const std::string lesson = folder.file("l.md", lessonOf(steps));
    CHECK_THAT(outcomeOf(lesson, {}), Catch::Contains("--out-dir"));
    const std::string name = std::string(steps).substr(std::string(steps).find(' ') + 1);
    CHECK_FALSE(std::filesystem::exists(name));  // in the current folder
    const std::string theirs = folder.file(name, "years of work");
    CHECK_THAT(outcomeOf(lesson, out), Catch::Contains("already exists"));
    CHECK(readFile(theirs).value() == "years of work");
    std::filesystem::remove(theirs);
    CHECK(outcomeOf(lesson, out).empty());
    CHECK(std::filesystem::file_size(theirs) > 10);
    std::filesystem::remove(theirs);
    // It may overwrite files that it wrote itself.
    CHECK(outcomeOf(folder.file("l.md", lessonOf(std::string(steps) + "\n" + steps)), out).empty());
  }
  CHECK_THAT(outcomeOf(folder.file("l.md", lessonOf("save thesis.txt")), out), Catch::Contains(".sepx"));
  CHECK_FALSE(std::filesystem::exists(folder / "thesis.txt"));
  std::filesystem::create_symlink(folder / "elsewhere.sepx", folder / "link.sepx");
  CHECK_THAT(outcomeOf(folder.file("l.md", lessonOf("save link.sepx")), out), Catch::Contains("already exists"));
  CHECK_FALSE(std::filesystem::exists(folder / "elsewhere.sepx"));
}

TEST_CASE("Lessons that open themselves or each other end with an error that names the chain", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string self = folder.file("self.md", lessonOf("open self.md"));
  CHECK_THAT(outcomeOf(self, {}), Catch::Contains("self.md → self.md"));
  const std::string one = folder.file("one.md", lessonOf("open two.md"));
  folder.file("two.md", lessonOf("open ./one.md"));
  for (const std::string& first : {self, one}) {
    CAPTURE(first);
    // In a window, and opened by a script.
    Bench bench;
    REQUIRE(bench.workbench().open(first));
    frames(bench, 60);
    bench.settle();
    std::string said;
    for (const ui::Message& message : bench.workbench().messages())
      said += message.text;
    CHECK_THAT(said, Catch::Contains(" → "));
    CHECK(bench.workbench().messages().size() == 1);
    bench.play("open " + first + "\nwait settled\n");
  }
  // A few nested lessons are accepted.
  folder.file("c.md", lessonOf("set flow.p 0.25"));
  folder.file("b.md", lessonOf("open c.md"));
  Bench bench;
  REQUIRE(bench.workbench().open(folder.file("a.md", lessonOf("open b.md"))));
  frames(bench, 60);
  bench.settle();
  CHECK(bench.workbench().messages().empty());
  CHECK(bench.number("flow.p") == 0.25);
}

TEST_CASE("Reading a lesson is not unsaved work, but changes of the user are", "[lesson]") {
  Bench bench;
  auto& workbench = bench.workbench();
  REQUIRE(workbench.open(lessonFile()));
  for (int step = 0; step < 2; ++step) {
    frames(bench, 200);
    bench.settle();
    CHECK_FALSE(workbench.modified());
    REQUIRE(workbench.run("lesson.next"));
  }
  frames(bench, 30);
  bench.settle();
  CHECK_FALSE(workbench.modified());
  SECTION("After the lesson is closed") {
    REQUIRE(workbench.run("lesson.close"));
    frames(bench, 3);
    CHECK_FALSE(workbench.modified());
    REQUIRE(workbench.set("flow.p", 0.125));
    CHECK(workbench.modified());
  }
  SECTION("A change of the user during the lesson") {
    REQUIRE(workbench.set("flow.p", 0.125));
    CHECK(workbench.modified());
    frames(bench, 3);
    CHECK(workbench.modified());
    REQUIRE(workbench.run("lesson.previous"));  // the user's picture is kept, not discarded
    frames(bench, 200);
    bench.settle();
    CHECK(workbench.modified());
    REQUIRE(workbench.run("lesson.close"));
    frames(bench, 3);
    CHECK(workbench.modified());
  }
}

TEST_CASE("A lesson leaves no runs in the user's library, and its steps leave nothing in the list of recent files",
          "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string shipped = folder.file("shipped.md", lessonOf("set flow.p 0.25"));
  REQUIRE(ui::writeSession(ui::Document().with("flow.p", 0.3), folder / "inner.sepx"));
  folder.file("lesson.md",
              "# T\n\n## One\n\n```steps\nexhibit training\nset training.experiment markov-start\n"
              "click ui:training.start\nwait training.newest.step >= 3 within 600\n```\n\n## Two\n\n```steps\n"
              "open inner.sepx\n```\n");
  ui::Settings settings("", "");
  ui::WorkbenchOptions options;
  options.settings = &settings;
  options.threads = 1;
  options.assets = tests::sourceFolder() + "/assets";
  options.runsFolder = folder / "runs";
  options.runMarks = folder / "marks";
  options.lessons = {{shipped, "Shipped"}};
  std::string made;
  {
    ui::Workbench workbench(options);
    const auto begun = std::chrono::steady_clock::now();
    const auto frame = [&] {
      ui::HostFrame host;
      host.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      workbench.tick({1000, 600}, host);
    };
    frame();
    REQUIRE(workbench.open(folder / "lesson.md"));
    REQUIRE(settings.recent().size() == 1);  // the lesson, which the user opened
    REQUIRE(tests::eventually([&] {          // first the runs must have trained
      frame();
      const auto step = workbench.get("training.newest.step");
      return step && std::holds_alternative<double>(*step) && std::get<double>(*step) >= 3;
    }));
    frame();
    for (const ui::Message& message : workbench.messages())
      CHECK(message.text == "");
    REQUIRE(workbench.runs().all().size() == 4);
    for (const ui::RunPointer& run : workbench.runs().all()) {
      made = run->folder();
      CHECK(std::filesystem::exists(made));
      CHECK_FALSE(made.starts_with(folder / "runs"));
    }
    CHECK(workbench.runs().trainingUserRuns() == 0);
    CHECK_FALSE(std::filesystem::exists(folder / "marks"));
    CHECK(workbench.runs().folder() == folder / "runs");
    SECTION("Runs that the user starts are kept in the user's folder") {
      REQUIRE(workbench.run("training.rewind"));
      frame();
      REQUIRE(workbench.runs().all().size() == 8);
      CHECK(workbench.runs().all().back()->folder().starts_with(folder / "runs"));
    }
    SECTION("A file opened by a step is not a recent file, and the runs of the lesson end with it") {
      REQUIRE(workbench.run("lesson.next"));
      REQUIRE(tests::eventually([&] {
        frame();
        return !workbench.lesson() && workbench.runs().training() == 0;
      }));
      CHECK(workbench.path() == folder / "inner.sepx");
      CHECK(settings.recent().size() == 1);
    }
    SECTION("Lessons that ship with the program are not in the list of recent files") {
      REQUIRE(workbench.open(shipped));
      CHECK(settings.recent().size() == 1);
      CHECK(settings.recent().front().title == "T");
      CHECK(settings.recent().front().path == folder / "lesson.md");
    }
  }
  CHECK_FALSE(std::filesystem::exists(made));
}

TEST_CASE("A relative path in a lesson is searched beside the lesson first", "[lesson]") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "models/one");
  const std::string lesson = folder.file("l.md", lessonOf("set weights.compare.checkpoint models/one"));
  Bench bench;
  auto runner = app::makeRunner(lesson, bench.workbench(), *bench.host, {});
  REQUIRE(runner);
  CHECK(errorOf(bench.host->play(**runner)) == "");
  CHECK(bench.text("weights.compare.checkpoint") == folder / "models/one");
}

TEST_CASE("A state as text can be opened, but as the value of a parameter it is an ordinary path", "[lesson]") {
  const tests::TemporaryFolder folder;
  folder.file("outside/config.json", "{}");
  const std::string outside = "sepx:1:/../../outside";
  CHECK_THAT(outcomeOf(folder.file("in/l.md", lessonOf("set weights.compare.checkpoint " + outside)), {}),
             Catch::Contains("files of its own folder"));
  const auto state = ui::writeStateText(ui::Document().with("flow.p", 0.25));
  REQUIRE(state);
  CHECK(outcomeOf(folder.file("in/l.md", lessonOf("open \"" + *state + "\"\nexpect flow.p == 0.25")), {}) == "");
}
