// SPDX-License-Identifier: Apache-2.0
// Lessons: the opening lesson holds headless, and a person may take over, go on and go back.
#include <filesystem>

#include "app/data_files.h"
#include "engine/core/file.h"
#include "engine/core/references.h"
#include "tests/folders.h"
#include "tests/patience.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "ui/document/session.h"
#include "ui/runs/runs.h"
#include "ui/workbench/lesson_layout.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/wait_watch.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const char* const kLesson = R"(# A lesson for the tests

## One

The first step sets a point.

```steps
set flow.p 0.5
set flow.q 0.8
add point 0.3,0.2
expect flow.points[0].limit.kind == local-min
```

## Two

The second drags it.

```steps
drag 0.3,0.2 -> 0.3,-1.2 in 2
expect flow.points[0].limit.kind == global-min
```

```ask
question "Where does it end?"
choice "In a local minimum"
choice "In a global minimum" correct
because "It crossed the separatrix."
```

## Three

```steps
set flow.q 0.2
```

The third turns the chain.
)";

std::string lessonFile() {
  const auto path = std::filesystem::temp_directory_path() / "sepx-test-lesson.md";
  REQUIRE(writeFile(path.string(), kLesson));
  return path.string();
}

void frames(Bench& bench, int count) {
  for (int i = 0; i < count; ++i)
    bench.frame();
}

}  // namespace

TEST_CASE("the opening lesson holds headless", "[lesson]") {
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

TEST_CASE("a lesson finds the buttons of a picture also where no panels are shown, as on the stage", "[lesson]") {
  Bench bench({1280, 720});
  bench.play("exhibit flow\n");
  REQUIRE(bench.workbench().run("view.chrome"));
  bench.frame();
  CHECK(bench.workbench().controlAt("flow.page-space"));
  bench.play("click ui:flow.page-space\n");
  CHECK(bench.text("flow.page") == "space");
  bench.play("exhibit training\n");
  bench.frame();
  CHECK(bench.workbench().controlAt("training.start"));
  CHECK(bench.workbench().controlAt("training.card.encoder-decoder"));
}

TEST_CASE("a lesson plays itself to a person", "[lesson]") {
  Bench bench({1000, 600});
  const auto empty = bench.workbench().document().hash();
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  CHECK(bench.number("workbench.lesson.step") == 1);
  CHECK(bench.number("workbench.lesson.steps") == 3);
  CHECK(bench.number("flow.points.count") == 1);
  const auto first = bench.workbench().document().hash();

  bench.play("key N\n");
  // The drag takes two seconds for eyes to follow.
  frames(bench, 60);
  CHECK_FALSE(bench.workbench().settled());
  CHECK(bench.number("flow.points[0].w") < 0.2);
  CHECK(bench.number("flow.points[0].w") > -1.2);
  bench.settle();
  CHECK(bench.text("flow.points[0].limit.kind") == "global-min");
  const auto second = bench.workbench().document().hash();

  bench.play("key B\n");
  bench.settle();
  CHECK(bench.number("workbench.lesson.step") == 1);
  CHECK(bench.workbench().document().hash() == first);
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.workbench().document().hash() == second);
  CHECK(first != empty);
}

TEST_CASE("a person's hand ends the drag, and going on finds the lesson's own state", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  bench.play("key N\n");
  frames(bench, 90);
  const double half = bench.number("flow.points[0].w");
  bench.frame({ui::Scrolled{0, 0.0, {}}});
  frames(bench, 90);
  CHECK(bench.number("flow.points[0].w") == Approx(half).margin(0.1));
  CHECK(bench.workbench().settled());
  bench.play("add point 1,1\nwait settled\n");
  CHECK(bench.number("flow.points.count") == 2);

  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.number("workbench.lesson.step") == 3);
  CHECK(bench.number("flow.points.count") == 1);
  CHECK(bench.number("flow.points[0].w") == Approx(-1.2).margin(0.01));
  CHECK(bench.number("flow.q") == 0.2);
  // What the person had made is one undo away, not lost, and the lesson goes back with it.
  CHECK(bench.workbench().history().undoLabel() == "lesson step 3");
  bench.play("key Ctrl+Z\nwait settled\nexpect flow.points.count == 2\nexpect workbench.lesson.step == 2\n");
  bench.play("key Ctrl+Shift+Z\nwait settled\nexpect flow.points.count == 1\nexpect workbench.lesson.step == 3\n");
}

TEST_CASE("what a lesson step changes is one undo step, and undoing it takes the lesson back", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  CHECK(bench.workbench().history().undoSteps() == 0);  // the first step is where a person begins
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.workbench().history().undoSteps() == 1);
  CHECK(bench.workbench().history().undoLabel() == "lesson step 2");
  bench.play("set flow.p 0.6\n");
  bench.play("undo\nexpect workbench.lesson.step == 2\nexpect flow.p == 0.5\n");
  bench.play("undo\nexpect workbench.lesson.step == 1\nexpect flow.points[0].w == 0.2\n");
  bench.play("redo\nexpect workbench.lesson.step == 2\nexpect flow.points[0].w ~ -1.2 +- 0.01\n");

  // A person who takes over has the lesson's part of the way as one step.
  bench.play("undo\n");
  REQUIRE(bench.workbench().run("lesson.next"));
  frames(bench, 60);
  CHECK_FALSE(bench.workbench().settled());
  bench.play("key Ctrl+Z\nwait settled\nexpect flow.points[0].w == 0.2\nexpect workbench.lesson.step == 1\n");
}

TEST_CASE("the opening lesson drags its point however fast a person goes on", "[lesson]") {
  const int pace = GENERATE(3, 20, 90);  // frames between two presses of Next
  Bench bench({755, 672});
  REQUIRE(bench.workbench().open(tests::sourceFolder() + "/assets/lessons/01-why-small-initialisation-fails.md"));
  for (int presses = 0; presses < 400 && bench.workbench().lessonStep() < 5; ++presses) {
    frames(bench, pace);
    REQUIRE(bench.workbench().run("lesson.next"));
  }
  REQUIRE(bench.workbench().lessonStep() == 5);
  for (int i = 0; i < 1200 && !bench.workbench().settled(); ++i)
    bench.frame();
  CAPTURE(pace);
  CHECK(ui::toString(*bench.workbench().get("flow.points[0].limit.kind")) == "global-min");
  CHECK(std::get<double>(*bench.workbench().get("flow.view.yMin")) == -2);
}

TEST_CASE("a lesson leaves no pointer behind, and its end offers two ways on", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.text("flow.hover.e") == "none");
  CHECK_FALSE(bench.workbench().controlAt("lesson.restart"));
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK_FALSE(bench.workbench().controlAt("lesson.next"));
  bench.play("click ui:lesson.restart\nwait settled\nexpect workbench.lesson.step == 1\nexpect flow.q == 0.8\n");
  bench.play("key N\nwait settled\nkey N\nwait settled\nclick ui:lesson.close\nwait settled\n");
  CHECK(bench.workbench().lesson() == nullptr);
  CHECK(bench.number("flow.q") == 0.2);  // the picture stays
}

TEST_CASE("the buttons of a lesson are inside every window from 400 points on", "[lesson]") {
  const auto lesson =
      std::filesystem::path(tests::sourceFolder()) / "assets/lessons/01-why-small-initialisation-fails.md";
  for (const float scale : {1.0f, 2.0f}) {
    Bench bench({1280, 720}, scale);
    REQUIRE(bench.workbench().open(lesson.string()));
    for (const std::uint32_t width : {400u, 560u, 639u, 700u, 1280u}) {
      for (const std::uint32_t height : {300u, 500u, 720u}) {
        CAPTURE(width, height, scale);
        const gpu::Extent extent{static_cast<std::uint32_t>(static_cast<float>(width) * scale),
                                 static_cast<std::uint32_t>(static_cast<float>(height) * scale)};
        REQUIRE(bench.host->resize(extent));
        for (int i = 0; i < 3; ++i)
          bench.frame();
        const auto at = bench.workbench().controlAt("lesson.next");
        const auto dot = bench.workbench().controlAt("lesson.steps[7]");
        REQUIRE(at);
        REQUIRE(dot);
        CHECK(at->x + 30 * scale <= extent.width);
        CHECK(at->y + 10 * scale <= extent.height);
        CHECK(dot->x + 4 * scale <= extent.width);
        CHECK((dot->x < at->x - 30 * scale || dot->y < at->y - 10 * scale));
      }
    }
  }
}

TEST_CASE("Next in the middle of a step ends it at once", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  bench.play("click ui:lesson.next\n");
  frames(bench, 20);
  bench.play("click ui:lesson.next\nwait frames 30\n");
  CHECK(bench.number("workbench.lesson.step") == 3);
  bench.settle();
  CHECK(bench.number("flow.points[0].w") == Approx(-1.2).margin(0.01));
}

namespace {

/// Plays every step of a lesson, as sepx play does.
std::string outcomeOf(const std::string& lesson, const std::string& outDir) {
  Bench bench;
  auto runner = app::makeRunner(lesson, bench.workbench(), *bench.host, outDir);
  if (!runner) return runner.error().sentence;
  return errorOf(bench.host->play(**runner));
}

std::string lessonOf(const std::string& steps) {
  return "# T\n\n## One\n\n```steps\n" + steps + "\n```\n";
}

}  // namespace

namespace {

/// A lesson that trains, waits for a step, and says which step it found.
std::string trainingLesson(const tests::TemporaryFolder& folder, const std::string& wait) {
  return folder.file("trains.md",
                     "# Runs\n\n## They train\n\n```steps\nexhibit training\n"
                     "set training.experiment markov-start\nset training.steps_per_frame 1\n"
                     "click ui:training.start\n" +
                         wait +
                         "\nset training.smooth 77\n```\n\n## They rest\n\n```steps\n"
                         "set training.layer 0\n```\n");
}

/// Frames until its runs train.
void untilTraining(Bench& bench) {
  for (int i = 0; i < 600 && !(bench.number("training.newest.step") > 0); ++i)
    bench.frame();
  REQUIRE(bench.number("training.newest.step") > 0);
  REQUIRE(bench.workbench().runs().all().size() == 4);
}

bool shows(Bench& bench, const char* control) {
  bench.frame();
  return bench.workbench().controlAt(control).has_value();
}

}  // namespace

TEST_CASE("Next while a lesson waits for its runs waits too, and goes on by itself with these runs", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string lesson = trainingLesson(folder, "wait training.newest.step >= 100 within 10");
  for (const char* next : {"key N\n", "click ui:lesson.next\n", "key PageDown\n"}) {
    CAPTURE(next);
    Bench bench({1000, 600});
    REQUIRE(bench.workbench().open(lesson));
    untilTraining(bench);
    CHECK_FALSE(shows(bench, "lesson.go-on"));
    bench.play(next);
    CHECK(shows(bench, "lesson.go-on"));
    CHECK(bench.number("workbench.lesson.step") == 1);
    bench.play(next);  // once more is not more
    REQUIRE(bench.number("training.newest.step") < 100);
    CHECK(bench.number("workbench.lesson.step") == 1);
    for (int i = 0; i < 600 && bench.workbench().lessonStep() == 0; ++i)
      bench.frame();
    frames(bench, 10);
    CHECK(bench.number("workbench.lesson.step") == 2);
    CHECK(bench.number("training.newest.step") >= 100);
    CHECK(bench.number("training.smooth") == 77);
    CHECK(bench.workbench().runs().all().size() == 4);
    CHECK(bench.workbench().messages().empty());
  }
}

TEST_CASE("A person may go on without what a lesson waits for", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string lesson = trainingLesson(folder, "wait training.newest.step >= 1000000 within 600");
  const bool stage = GENERATE(false, true);
  CAPTURE(stage);
  Bench bench({1000, 600});
  if (stage) REQUIRE(bench.workbench().run("view.chrome"));
  REQUIRE(bench.workbench().open(lesson));
  untilTraining(bench);
  bench.play("key N\n");
  CHECK(bench.number("workbench.lesson.step") == 1);
  SECTION("by the button") {
    bench.play("click ui:lesson.go-on\n");
  }
  SECTION("by the key") {
    bench.play("key Shift+N\n");
  }
  frames(bench, 30);
  CHECK(bench.number("workbench.lesson.step") == 2);
  CHECK(bench.number("training.smooth") == 77);
  CHECK(bench.workbench().runs().all().size() == 4);
}

TEST_CASE("The picture shows how far the wait of a lesson is", "[lesson]") {
  const tests::TemporaryFolder folder;
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(trainingLesson(folder, "wait training.newest.step >= 1000 within 10")));
  untilTraining(bench);
  frames(bench, 40);
  const ui::ScriptStep step = ui::parseSteps("wait training.newest.step >= 1000 within 10", "test", 1)->front();
  ui::WaitWatch watch(step, bench.workbench(), 0);
  const double from = bench.number("training.newest.step");
  CHECK(watch.words() == "Training to step 1,000: 0 %");
  frames(bench, 100);
  watch.look(10);
  const double now = bench.number("training.newest.step"), share = (now - from) / (1000 - from);
  REQUIRE(share > 0.05);
  REQUIRE(watch.share());
  CHECK(*watch.share() == Approx(share));
  CHECK_THAT(watch.words(),
             Catch::StartsWith("Training to step 1,000: " + std::to_string(int(100 * share)) + " %, about "));
  CHECK_THAT(watch.words(), Catch::EndsWith(" left"));
  CHECK(watch.idle() == 0);
  watch.look(12);
  CHECK(watch.idle() == 2);
}

TEST_CASE("A wait that fails says so, and the lesson does not go on with other numbers", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string lesson =
      trainingLesson(folder, "click ui:training.pause\nwait training.newest.step >= 1000000 within 1");
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lesson));
  for (int i = 0; i < 600 && bench.workbench().messages().empty(); ++i)
    bench.frame();
  REQUIRE(bench.workbench().messages().size() == 1);
  const std::string said = bench.workbench().messages().front().sentence;
  CHECK_THAT(said, Catch::Contains("trains.md:11: wait training.newest.step >= 1000000 within 1: found"));
  bench.settle();
  for (const char* next : {"key N\n", "key PageDown\n", "click ui:lesson.next\n"}) {
    bench.play(next);
    frames(bench, 30);
    CHECK(bench.number("workbench.lesson.step") == 1);
    CHECK(bench.number("training.smooth") == 20);
  }
  CHECK(shows(bench, "lesson.retry"));
  SECTION("the person goes on anyway") {
    bench.play("click ui:lesson.go-on\n");
    frames(bench, 10);
    CHECK(bench.number("training.smooth") == 77);
    CHECK(bench.number("workbench.lesson.step") == 1);
    CHECK_FALSE(shows(bench, "lesson.retry"));
    bench.play("key N\n");
    frames(bench, 10);
    CHECK(bench.number("workbench.lesson.step") == 2);
  }
  SECTION("the person tries again") {
    bench.play("click ui:lesson.retry\n");
    frames(bench, 200);
    CHECK(bench.workbench().runs().all().size() == 8);
    CHECK(shows(bench, "lesson.retry"));
  }
  SECTION("the person goes elsewhere") {
    REQUIRE(bench.workbench().run("lesson.close"));
    CHECK_FALSE(bench.workbench().lesson());
    CHECK_FALSE(shows(bench, "lesson.retry"));
  }
}

TEST_CASE("What a lesson's lines are refused with is said as sepx play says it, and the lines after them run",
          "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string lesson = folder.file("wrong.md", lessonOf("exhibit flow\nset flow.p 7\nset flow.nonsense 1\n"
                                                              "click ui:flow.nowhere\nopen missing.sepx\n"
                                                              "wait flow.nonsense == 1\nset flow.q 0.25"));
  Bench bench;
  REQUIRE(bench.workbench().open(lesson));
  frames(bench, 60);
  std::vector<std::string> said;
  for (const ui::Message& message : bench.workbench().messages())
    said.push_back(message.sentence);
  CAPTURE(said);
  REQUIRE(said.size() == 5);  // three lines, how many more there were, the wait
  CHECK_THAT(said[0], Catch::Contains("wrong.md:7: set flow.p 7: "));
  CHECK_THAT(said[1], Catch::Contains("wrong.md:8: set flow.nonsense 1: "));
  CHECK_THAT(said[2], Catch::Contains("wrong.md:9: click ui:flow.nowhere: "));
  CHECK(said[3] == "Further lines of the lesson were refused: 1.");
  CHECK_THAT(said[4], Catch::Contains("wrong.md:11: wait flow.nonsense == 1: "));
  bench.play("click ui:lesson.go-on\nwait settled\nexpect flow.q == 0.25\nexpect flow.p == 0.5\n");
}

TEST_CASE("questions are answered with buttons", "[lesson]") {
  Bench bench({1280, 720});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  bench.play("click ui:lesson.next\n");
  bench.settle();
  const auto before = bench.picture();
  bench.play("click ui:lesson.questions[0].choices[1]\nwait settled\n");
  const auto right = bench.picture();
  CHECK(right != before);
  bench.play("click ui:lesson.questions[0].choices[0]\nwait settled\n");
  CHECK(bench.picture() != right);
}

TEST_CASE("steps of nearly the same length share a height", "[lesson]") {
  CHECK(ui::sharedHeights({100, 200, 150, 190, 140}, 40) == std::vector<float>{100, 200, 150, 200, 150});
  CHECK(ui::sharedHeights({}, 40).empty());
}

TEST_CASE("what is not a lesson is refused with a sentence", "[lesson]") {
  Bench bench;
  bench.play("add point 0.4,0.4\n");
  const auto path = std::filesystem::temp_directory_path() / "sepx-test-no-lesson.md";
  REQUIRE(writeFile(path.string(), "no heading\n\n```steps\nfly to the moon\n```\n"));
  const auto opened = bench.workbench().open(path.string());
  REQUIRE_FALSE(opened);
  CHECK(opened.error().kind == ErrorKind::BadInput);
  CHECK_THAT(opened.error().sentence, Catch::Contains("sepx-test-no-lesson.md"));
  CHECK(bench.number("flow.points.count") == 1);
}

TEST_CASE("a lesson writes only into the folder of --out-dir, only its own formats, and never over a file",
          "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string out = folder.path.string();
  for (const char* steps : {"save thesis.sepx", "shot thesis.png", "export thesis.svg"}) {
    CAPTURE(steps);
    const std::string lesson = folder.file("l.md", lessonOf(steps));
    CHECK_THAT(outcomeOf(lesson, {}), Catch::Contains("--out-dir"));
    const std::string name = std::string(steps).substr(std::string(steps).find(' ') + 1);
    CHECK_FALSE(std::filesystem::exists(name));  // the current folder
    const std::string theirs = folder.file(name, "years of work");
    CHECK_THAT(outcomeOf(lesson, out), Catch::Contains("there already"));
    CHECK(readFile(theirs).value() == "years of work");
    std::filesystem::remove(theirs);
    CHECK(outcomeOf(lesson, out).empty());
    CHECK(std::filesystem::file_size(theirs) > 10);
    std::filesystem::remove(theirs);
    // What it wrote itself it may write again.
    CHECK(outcomeOf(folder.file("l.md", lessonOf(std::string(steps) + "\n" + steps)), out).empty());
  }
  CHECK_THAT(outcomeOf(folder.file("l.md", lessonOf("save thesis.txt")), out), Catch::Contains(".sepx"));
  CHECK_FALSE(std::filesystem::exists(folder / "thesis.txt"));
  std::filesystem::create_symlink(folder / "elsewhere.sepx", folder / "link.sepx");
  CHECK_THAT(outcomeOf(folder.file("l.md", lessonOf("save link.sepx")), out), Catch::Contains("there already"));
  CHECK_FALSE(std::filesystem::exists(folder / "elsewhere.sepx"));
}

TEST_CASE("lessons that open themselves or each other end with the chain in a sentence", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string self = folder.file("self.md", lessonOf("open self.md"));
  CHECK_THAT(outcomeOf(self, {}), Catch::Contains("self.md → self.md"));
  const std::string one = folder.file("one.md", lessonOf("open two.md"));
  folder.file("two.md", lessonOf("open ./one.md"));
  for (const std::string& first : {self, one}) {
    CAPTURE(first);
    // Live, as a person reads it; and opened by a script.
    Bench bench;
    REQUIRE(bench.workbench().open(first));
    frames(bench, 60);
    bench.settle();
    std::string said;
    for (const ui::Message& message : bench.workbench().messages())
      said += message.sentence;
    CHECK_THAT(said, Catch::Contains(" → "));
    CHECK(bench.workbench().messages().size() == 1);
    bench.play("open " + first + "\nwait settled\n");
  }
  // A few inside each other are fine.
  folder.file("c.md", lessonOf("set flow.p 0.25"));
  folder.file("b.md", lessonOf("open c.md"));
  Bench bench;
  REQUIRE(bench.workbench().open(folder.file("a.md", lessonOf("open b.md"))));
  frames(bench, 60);
  bench.settle();
  CHECK(bench.workbench().messages().empty());
  CHECK(bench.number("flow.p") == 0.25);
}

TEST_CASE("reading a lesson is not unsaved work, what the person changes in it is", "[lesson]") {
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
  SECTION("also after it is closed") {
    REQUIRE(workbench.run("lesson.close"));
    frames(bench, 3);
    CHECK_FALSE(workbench.modified());
    REQUIRE(workbench.set("flow.p", 0.125));
    CHECK(workbench.modified());
  }
  SECTION("the person's own change") {
    REQUIRE(workbench.set("flow.p", 0.125));
    CHECK(workbench.modified());
    frames(bench, 3);
    CHECK(workbench.modified());
    REQUIRE(workbench.run("lesson.previous"));  // their picture is put aside, not gone
    frames(bench, 200);
    bench.settle();
    CHECK(workbench.modified());
    REQUIRE(workbench.run("lesson.close"));
    frames(bench, 3);
    CHECK(workbench.modified());
  }
}

TEST_CASE("A lesson leaves no runs in the person's library and nothing in the list of recent files", "[lesson]") {
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
    REQUIRE(settings.recent().size() == 1);  // which the person opened
    REQUIRE(tests::eventually([&] {
      frame();
      return workbench.settled() && !workbench.runs().all().empty();
    }));
    for (const ui::Message& message : workbench.messages())
      CHECK(message.sentence == "");
    REQUIRE(workbench.runs().all().size() == 4);
    for (const ui::RunPointer& run : workbench.runs().all()) {
      made = run->folder();
      CHECK(std::filesystem::exists(made));
      CHECK_FALSE(made.starts_with(folder / "runs"));
    }
    CHECK(workbench.runs().trainingToStay() == 0);
    CHECK_FALSE(std::filesystem::exists(folder / "marks"));
    CHECK(workbench.runs().folder() == folder / "runs");
    SECTION("what the person starts is theirs") {
      REQUIRE(workbench.run("training.rewind"));
      frame();
      REQUIRE(workbench.runs().all().size() == 8);
      CHECK(workbench.runs().all().back()->folder().starts_with(folder / "runs"));
    }
    SECTION("what a step opens is not what the person opened, and the lesson's runs end with it") {
      REQUIRE(workbench.run("lesson.next"));
      REQUIRE(tests::eventually([&] {
        frame();
        return !workbench.lesson() && workbench.runs().training() == 0;
      }));
      CHECK(workbench.path() == folder / "inner.sepx");
      CHECK(settings.recent().size() == 1);
    }
    SECTION("lessons that ship have a list of their own") {
      REQUIRE(workbench.open(shipped));
      CHECK(settings.recent().size() == 1);
      CHECK(settings.recent().front().title == "T");
      CHECK(settings.recent().front().path == folder / "lesson.md");
    }
  }
  CHECK_FALSE(std::filesystem::exists(made));
}

namespace {

/// Every lesson that ships plays to a person without a message, and reading it is not work of theirs.
void playLessons(bool stage) {
  for (const auto& lesson : app::lessons()) {
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
      CHECK(message.sentence == "");
    CHECK(bench.workbench().runs().training() == 0);
  }
}

}  // namespace

TEST_CASE("Every lesson that ships plays to a person without a message", "[lesson]") {
  playLessons(false);
}

TEST_CASE("Every lesson that ships plays without panels, as on the stage", "[.][long][lesson]") {
  playLessons(true);
}

TEST_CASE("A parameter that is a file is searched beside the lesson first", "[lesson]") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "models/one");
  const std::string lesson = folder.file("l.md", lessonOf("set weights.compare.checkpoint models/one"));
  Bench bench;
  auto runner = app::makeRunner(lesson, bench.workbench(), *bench.host, {});
  REQUIRE(runner);
  CHECK(errorOf(bench.host->play(**runner)) == "");
  CHECK(bench.text("weights.compare.checkpoint") == folder / "models/one");
}

TEST_CASE("Every lesson that ships ends with its source, as the program cites it", "[lesson]") {
  for (const auto& file : app::lessons()) {
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
