// SPDX-License-Identifier: Apache-2.0
// Runs that outlive their program: they are resumed after the program was killed, or continue on the command line.
// These tests start processes.
#include <fstream>

#include "tests/folders.h"
#include "tests/ui/runs/runs_rig.h"

using namespace sepx;
using namespace sepx::test;
using ui::RunPointer;

namespace {

struct Home {
  RunFolder folder;
  ui::RunsOptions options() const {
    ui::RunsOptions made;
    made.folder = folder / "runs";
    made.marks = folder / "marks";
    made.threads = 1;
    return made;
  }
  std::vector<std::string> marks() const {
    if (!std::filesystem::exists(folder / "marks")) return {};
    std::vector<std::string> names = namesIn(folder / "marks");
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(".run"); });  // not yet complete
    return names;
  }
};

/// Number of writes of this thread to any file; nothing if the system does not count them.
std::optional<long> writesOfThisThread() {
  std::ifstream counts("/proc/thread-self/io");
  long count = 0;
  for (std::string name; counts >> name >> count;)
    if (name == "syscw:") return count;
  return std::nullopt;
}

template <class Seen>
void until(ui::Runs& runs, Seen seen) {
  REQUIRE(tests::eventually(
      [&] {
        runs.update();
        return seen();
      },
      milliseconds(1)));
}

RunConfig longer() {
  RunConfig config = smallMarkov();
  config.schedule.steps = 1500;
  return config;
}

}  // namespace

TEST_CASE("Two runs of a window that is killed are offered at the next start, and both resume bit for bit") {
  const Home home;
  RunConfig other = smallDiffusion();
  other.schedule.steps = 600;
  CHECK(inChild([&] {
          ui::Runs runs(home.options());
          runs.setPaced(true);  // so that neither run ends before the kill on a fast machine
          const auto a = runs.start(longer()), b = runs.start(other);
          while (!a || !b || (*a)->step() < 60 || (*b)->step() < 20)
            runs.update();
          ::kill(::getpid(), SIGKILL);
          return 0;
        }) == -SIGKILL);
  CHECK(home.marks().size() == 2);
  {
    ui::Runs runs(home.options());
    CHECK(runs.all().size() == 2);
    CHECK(runs.interrupted().empty());  // the runs have not been read yet
    until(runs, [&] { return !runs.busy(); });
    const std::vector<RunPointer> offered = runs.interrupted();
    for (const RunPointer& run : runs.all())
      UNSCOPED_INFO(run->folder() << ": " << static_cast<int>(run->state()) << " " << run->failure());
    REQUIRE(offered.size() == 2);
    for (const RunPointer& run : offered) {
      CHECK(run->state() == RunState::Stopped);
      CHECK(isSentence(run->failure(), "can be resumed"));
    }
    REQUIRE(runs.resumeInterrupted());
    CHECK(runs.interrupted().empty());
    CHECK(home.marks().size() == 2);
    until(runs, [&] { return runs.training() == 0 && !runs.busy(); });
    CHECK(home.marks().empty());
    for (const RunPointer& run : offered)
      CHECK(shown(*run) == numbers(run->folder()));
  }
  finished(*started(longer(), headless(in(home.folder, "a"))));
  finished(*started(other, headless(in(home.folder, "b"))));
  requireSameRun(in(home.folder, "runs/small"), in(home.folder, "a"), 1500);
  requireSameRun(in(home.folder, "runs/pairs"), in(home.folder, "b"), 600);
}

TEST_CASE("A run that trained when its window ended is saved and offered once; one that the user stopped is not") {
  const Home home;
  RunConfig endless = smallMarkov();
  endless.schedule.steps = 100'000'000;
  std::string trained;
  {
    ui::Runs runs(home.options());
    const auto going = runs.start(endless), stopped = runs.start(endless), over = runs.start(smallMarkov());
    REQUIRE((going && stopped && over));
    trained = (*going)->folder();
    until(runs, [&] { return (*going)->step() > 10 && (*stopped)->step() > 10; });
    REQUIRE(runs.send(**stopped, {CommandKind::Stop, 0, {}}));
    until(runs, [&] { return !runs.busy() && (*over)->state() == RunState::Finished && runs.training() == 1; });
    CHECK(home.marks().size() == 1);
  }
  CHECK(recordOf(trained).state == RunState::Stopped);
  {
    ui::Runs runs(home.options());
    until(runs, [&] { return !runs.busy(); });
    REQUIRE(runs.interrupted().size() == 1);
    CHECK(runs.interrupted()[0]->folder() == trained);
  }
  ui::Runs runs(home.options());
  CHECK(runs.all().empty());
}

TEST_CASE("A run that the user paused is not offered as interrupted, even after the program was killed") {
  const Home home;
  CHECK(inChild([&] {
          ui::Runs runs(home.options());
          runs.setPaced(true);
          runs.setStepsPerFrame(1);
          const auto paused = runs.start(longer()), waits = runs.start(longer(), true), goes = runs.start(longer());
          while (!paused || !waits || !goes || (*paused)->step() < 5 || (*goes)->step() < 5)
            runs.update();
          if (!runs.send(**paused, {CommandKind::Pause, 0, {}})) return 1;
          while ((*paused)->state() != RunState::Paused || (*waits)->state() != RunState::Paused)
            runs.update();
          ::kill(::getpid(), SIGKILL);
          return 0;
        }) == -SIGKILL);
  CHECK(home.marks().size() == 1);
  ui::Runs runs(home.options());
  until(runs, [&] { return !runs.busy(); });
  REQUIRE(runs.interrupted().size() == 1);
  const std::string folder = home.folder / "runs/small";
  CHECK(runs.interrupted()[0]->folder() == folder + "-3");
  const RunPointer paused = runs.open(folder);
  until(runs, [&] { return paused->loaded(); });
  CHECK(paused->failure().empty());
  REQUIRE(runs.resume(*paused));
  until(runs, [&] { return paused->trains() && !runs.busy(); });
  CHECK(home.marks().size() == 2);
}

TEST_CASE("No frame writes the mark of a run, and marks agree with the last request") {
  const auto before = writesOfThisThread();
  if (!before) {
    WARN("skipped: this system does not count the writes of a thread");
    return;
  }
  const Home home;
  RunConfig endless = smallMarkov();
  endless.schedule.steps = 100'000'000;
  {
    ui::Runs runs(home.options());
    const auto run = runs.start(endless, true);
    REQUIRE(run);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(runs.send(**run, {CommandKind::Continue, 0, {}}));
      until(runs, [&] { return (*run)->state() == RunState::Running; });
      REQUIRE(runs.send(**run, {CommandKind::Pause, 0, {}}));
      until(runs, [&] { return (*run)->state() == RunState::Paused; });
    }
    until(runs, [&] { return !runs.busy(); });
    CHECK(home.marks().empty());
    REQUIRE(runs.send(**run, {CommandKind::Continue, 0, {}}));
    until(runs, [&] { return (*run)->state() == RunState::Running && !runs.busy(); });
    CHECK(home.marks().size() == 1);
    CHECK(writesOfThisThread() == before);
  }
  CHECK(home.marks().size() == 1);
}

TEST_CASE("A run whose folder is missing, or that another window trains, is not offered") {
  const Home home;
  RunConfig endless = smallMarkov();
  endless.schedule.steps = 100'000'000;
  ui::Runs first(home.options());
  const auto lives = first.start(endless);
  REQUIRE(lives);
  until(first, [&] { return (*lives)->step() > 0 && !first.busy(); });
  writeBytes(home.folder / "marks/0.run", home.folder / "runs/gone");
  ui::Runs second(home.options());
  CHECK(second.all().empty());
  CHECK(home.marks().size() == 1);
}

TEST_CASE("A window that ends may hand its runs over to the command line") {
  const Home home;
  RunConfig config = smallMarkov();
  config.schedule.steps = 3000;
  std::string folder;
  {
    ui::Runs runs(home.options());
    CHECK(runs.keepTraining("/no/such/program"));  // no run trains, so there is nothing to do
    const auto run = runs.start(config);
    REQUIRE(run);
    folder = (*run)->folder();
    until(runs, [&] { return (*run)->step() > 10; });
    REQUIRE(runs.keepTraining(tests::binFolder() + "/sepx"));
  }
  const auto over = [&] {
    const auto reader = RunReader::open(folder);
    return reader && (*reader)->record()->state == RunState::Finished && !runIsAlive(folder);
  };
  REQUIRE(tests::eventually(over));
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  finished(*started(config, headless(in(home.folder, "whole"))));
  requireSameRun(folder, in(home.folder, "whole"), 3000);
  ui::Runs next(home.options());
  CHECK(next.all().empty());
}

TEST_CASE("An error is reported if the command line cannot be started, and the run is saved nevertheless") {
  const Home home;
  RunConfig config = smallMarkov();
  config.schedule.steps = 100'000'000;
  ui::Runs runs(home.options());
  const auto run = runs.start(config);
  REQUIRE(run);
  until(runs, [&] { return (*run)->step() > 10; });
  const auto kept = runs.keepTraining("/no/such/program");
  REQUIRE_FALSE(kept);
  CHECK(isSentence(kept.error().message, "/no/such/program"));
  CHECK((*run)->state() == RunState::Stopped);
  REQUIRE(runs.resume(**run));
  until(runs, [&] { return (*run)->trains() && (*run)->live().savedStep >= 0; });
}

TEST_CASE("Temporary runs are removed with the window and are not offered again") {
  const Home home;
  RunConfig endless = smallMarkov();
  endless.schedule.steps = 100'000'000;
  std::string passing, theirs;
  {
    ui::Runs runs(home.options());
    runs.setLessonRuns(true);
    const auto first = runs.start(endless);
    REQUIRE(first);
    passing = (*first)->folder();
    runs.setLessonRuns(false);
    const auto second = runs.start(endless);
    REQUIRE(second);
    theirs = (*second)->folder();
    CHECK(theirs.starts_with(home.folder / "runs"));
    CHECK_FALSE(passing.starts_with(home.folder.path()));
    until(runs, [&] { return (*first)->step() > 10 && (*second)->step() > 10 && !runs.busy(); });
    CHECK(home.marks().size() == 1);
    CHECK(runs.training() == 2);
    CHECK(runs.trainingUserRuns() == 1);
    runs.stopLessonRuns();
    until(runs, [&] { return !runs.busy() && runs.training() == 1; });
    CHECK((*first)->state() == RunState::Stopped);
    CHECK((*second)->trains());
    CHECK(std::filesystem::exists(passing));
  }
  CHECK_FALSE(std::filesystem::exists(passing));
  CHECK(std::filesystem::exists(theirs));
  ui::Runs runs(home.options());
  until(runs, [&] { return !runs.busy(); });
  REQUIRE(runs.interrupted().size() == 1);
  CHECK(runs.interrupted()[0]->folder() == theirs);
}
