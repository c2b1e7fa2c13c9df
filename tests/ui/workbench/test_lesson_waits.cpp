// SPDX-License-Identifier: Apache-2.0
// A lesson that waits for its runs shows this and does not continue without them; refused lines are reported.
#include <string>
#include <vector>

#include "tests/temporary_folder.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/runs/runs.h"
#include "ui/workbench/wait_watch.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// A lesson that trains, waits for a step, and then sets a parameter.
std::string trainingLesson(const tests::TemporaryFolder& folder, const std::string& wait) {
  return folder.file("trains.md",
                     "# Runs\n\n## They train\n\n```steps\nexhibit training\n"
                     "set training.experiment markov-start\nset training.steps_per_frame 1\n"
                     "click ui:training.start\n" +
                         wait +
                         "\nset training.smooth 77\n```\n\n## They rest\n\n```steps\n"
                         "set training.layer 0\n```\n");
}

/// Runs frames until the runs of the lesson train.
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

TEST_CASE("If a lesson waits for its runs, Next waits too, and the lesson continues with these runs", "[lesson]") {
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
    bench.play(next);  // pressing it again has no further effect
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

TEST_CASE("The user may continue without waiting for the runs", "[lesson]") {
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
  SECTION("By the button") {
    bench.play("click ui:lesson.go-on\n");
  }
  SECTION("By the key") {
    bench.play("key Shift+N\n");
  }
  frames(bench, 30);
  CHECK(bench.number("workbench.lesson.step") == 2);
  CHECK(bench.number("training.smooth") == 77);
  CHECK(bench.workbench().runs().all().size() == 4);
}

TEST_CASE("The picture shows the progress of a wait in a lesson", "[lesson]") {
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

TEST_CASE("A failed wait is reported, and the lesson does not continue with other numbers", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string lesson =
      trainingLesson(folder, "click ui:training.pause\nwait training.newest.step >= 1000000 within 1");
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lesson));
  for (int i = 0; i < 600 && bench.workbench().messages().empty(); ++i)
    bench.frame();
  REQUIRE(bench.workbench().messages().size() == 1);
  const std::string said = bench.workbench().messages().front().text;
  CHECK_THAT(said, Catch::Contains("trains.md:11: wait training.newest.step >= 1000000 within 1: found"));
  bench.settle();
  for (const char* next : {"key N\n", "key PageDown\n", "click ui:lesson.next\n"}) {
    bench.play(next);
    frames(bench, 30);
    CHECK(bench.number("workbench.lesson.step") == 1);
    CHECK(bench.number("training.smooth") == 20);
  }
  CHECK(shows(bench, "lesson.retry"));
  SECTION("The user continues anyway") {
    bench.play("click ui:lesson.go-on\n");
    frames(bench, 10);
    CHECK(bench.number("training.smooth") == 77);
    CHECK(bench.number("workbench.lesson.step") == 1);
    CHECK_FALSE(shows(bench, "lesson.retry"));
    bench.play("key N\n");
    frames(bench, 10);
    CHECK(bench.number("workbench.lesson.step") == 2);
  }
  SECTION("The user tries again") {
    bench.play("click ui:lesson.retry\n");
    frames(bench, 200);
    CHECK(bench.workbench().runs().all().size() == 8);
    CHECK(shows(bench, "lesson.retry"));
  }
  SECTION("The user closes the lesson") {
    REQUIRE(bench.workbench().run("lesson.close"));
    CHECK_FALSE(bench.workbench().lesson());
    CHECK_FALSE(shows(bench, "lesson.retry"));
  }
}

TEST_CASE("Refused lines of a lesson are reported as sepx play reports them, and later lines run", "[lesson]") {
  const tests::TemporaryFolder folder;
  const std::string lesson = folder.file("wrong.md", lessonOf("exhibit flow\nset flow.p 7\nset flow.nonsense 1\n"
                                                              "click ui:flow.nowhere\nopen missing.sepx\n"
                                                              "wait flow.nonsense == 1\nset flow.q 0.25"));
  Bench bench;
  REQUIRE(bench.workbench().open(lesson));
  frames(bench, 60);
  std::vector<std::string> said;
  for (const ui::Message& message : bench.workbench().messages())
    said.push_back(message.text);
  CAPTURE(said);
  REQUIRE(said.size() == 5);  // three lines, the number of further ones, and the wait
  CHECK_THAT(said[0], Catch::Contains("wrong.md:7: set flow.p 7: "));
  CHECK_THAT(said[1], Catch::Contains("wrong.md:8: set flow.nonsense 1: "));
  CHECK_THAT(said[2], Catch::Contains("wrong.md:9: click ui:flow.nowhere: "));
  CHECK(said[3] == "Further lines of the lesson were refused: 1.");
  CHECK_THAT(said[4], Catch::Contains("wrong.md:11: wait flow.nonsense == 1: "));
  bench.play("click ui:lesson.go-on\nwait settled\nexpect flow.q == 0.25\nexpect flow.p == 0.5\n");
}
