// SPDX-License-Identifier: Apache-2.0
// Runs of other programs: they are followed during training, read in portions if they are long, and reported if they
// cannot be read.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "engine/train/run_store_database.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/engine/train/other_program.h"
#include "tests/ui/runs/runs_rig.h"
#include "ui/runs/run_overview.h"

using namespace sepx;
using namespace sepx::test;
using ui::RunPointer;

TEST_CASE("The run of another program is updated in the window, its end is detected, and it can be resumed here") {
  const RunFolder folder;
  const std::string path = in(folder, "run");
  TrainerOptions options = headless(path);
  options.paced = true;
  auto trainer = started(smallMarkov(), options);
  trainer->runSteps(5);
  Service service;
  const RunPointer run = service.runs->open(path);
  service.until([&] { return run->loaded(); });
  CHECK(run->elsewhere());
  CHECK_FALSE(run->here());
  CHECK(run->trains());
  CHECK(run->step() == 5);
  CHECK_FALSE(service.runs->resume(*run));
  CHECK_FALSE(service.runs->busy());
  const int woken = service.woken;
  trainer->runSteps(12);
  service.until([&] { return run->step() == 17; });
  CHECK(service.woken > woken);
  CHECK(run->savedSteps() == std::vector<std::int64_t>{0, 10});
  CHECK(shown(*run) == numbers(path));
  trainer.reset();  // the destructor stops and saves the run
  service.until([&] { return !run->elsewhere() && run->state() == RunState::Stopped; });
  CHECK(isSentence(run->failure(), "stopped after step 17"));
  REQUIRE(service.runs->resume(*run));
  service.until([&] { return run->state() == RunState::Finished && !service.runs->busy(); });
  CHECK(run->failure().empty());
  CHECK(shown(*run) == numbers(path));
  finished(*started(smallMarkov(), headless(in(folder, "whole"))));
  requireSameRun(path, in(folder, "whole"), 40);
}

TEST_CASE("A killed run is reported, and resuming it in the window gives the same run bit for bit") {
  const RunFolder folder;
  const std::string path = in(folder, "killed");
  CHECK(inChild([&] {
          TrainerOptions options = headless(path);
          options.paced = true;
          const auto trainer = Trainer::start(smallDiffusion(), options);
          (*trainer)->runSteps(15);  // saves checkpoints at steps 6 and 12
          ::kill(::getpid(), SIGKILL);
          return 0;
        }) == -SIGKILL);
  Service service(true);
  const RunPointer run = service.runs->open(path);
  service.frames(1);
  CHECK(run->loaded());
  CHECK(run->state() == RunState::Stopped);
  CHECK(run->failure() == "training stopped at step 15 because the program that trained it ended; it can be resumed");
  CHECK_FALSE(run->elsewhere());
  REQUIRE(service.runs->resume(*run));
  service.runs->setStepsPerFrame(1);
  service.frames(1);
  CHECK(run->step() == 13);
  CHECK(run->series("loss")->steps.back() == 13);  // steps 14 and 15 were cut off
  CHECK(shown(*run) == numbers(path));
  service.runs->setStepsPerFrame(100);
  service.frames(1);
  CHECK(run->state() == RunState::Finished);
  CHECK(shown(*run) == numbers(path));
  finished(*started(smallDiffusion(), headless(in(folder, "whole"))));
  requireSameRun(path, in(folder, "whole"), 24);
}

TEST_CASE("A run that another program resumes shows no numbers of the steps that were cut off") {
  const RunFolder folder;
  const std::string path = in(folder, "run");
  CHECK(inChild([&] {
          TrainerOptions options = headless(path);
          options.paced = true;
          const auto trainer = Trainer::start(smallMarkov(), options);
          (*trainer)->runSteps(27);
          ::kill(::getpid(), SIGKILL);
          return 0;
        }) == -SIGKILL);
  Service service;
  const RunPointer run = service.runs->open(path);
  service.until([&] { return run->loaded(); });
  CHECK(run->series("loss")->steps.back() == 27);
  TrainerOptions options = headless(path);
  options.resume = options.paced = true;
  auto trainer = started(smallMarkov(), options);
  trainer->runSteps(2);
  service.until([&] { return run->step() == 22; });
  CHECK(run->elsewhere());
  CHECK(run->failure().empty());
  CHECK(shown(*run) == numbers(path));
}

TEST_CASE("A folder that is removed, of a newer program, or damaged is reported, and other runs continue") {
  const RunFolder folder;
  for (const char* name : {"gone", "newer", "damaged", "strange"})
    finished(*started(smallMarkov(), headless(in(folder, name))));
  {
    const auto newer = Database::open(in(folder, "newer/run.sqlite"), Access::Write);
    REQUIRE(newer);
    REQUIRE((*newer)->run("UPDATE schema SET version = 99"));
    const auto strange = Database::open(in(folder, "strange/run.sqlite"), Access::Write);
    REQUIRE(strange);
    REQUIRE((*strange)->run("UPDATE run SET config = replace(config, 'd_model', 'd_madel')"));
  }
  std::string bytes = readBytes(in(folder, "damaged/run.sqlite"));
  writeBytes(in(folder, "damaged/run.sqlite"), bytes.substr(0, 3000));
  Service service;
  RunConfig endless = smallMarkov();
  endless.schedule.steps = 100'000'000;
  const RunPointer trains = service.start(endless);
  const RunPointer gone = service.runs->open(in(folder, "gone")), newer = service.runs->open(in(folder, "newer")),
                   damaged = service.runs->open(in(folder, "damaged")),
                   strange = service.runs->open(in(folder, "strange"));
  service.until([&] { return gone->loaded() && newer->loaded() && damaged->loaded() && strange->loaded(); });
  CHECK(gone->failure().empty());
  CHECK(isSentence(newer->failure(), "newer program"));
  CHECK(isSentence(damaged->failure(), "damaged"));
  CHECK(damaged->savedSteps().size() == 5);  // reading checkpoints needs no database
  CHECK(isSentence(strange->failure(), "d_model"));
  CHECK_FALSE(strange->config());
  CHECK(strange->series("loss")->steps.size() == 40);
  CHECK_FALSE(service.runs->resume(*strange));
  const Numbers before = shown(*gone);
  std::filesystem::remove_all(in(folder, "gone"));
  service.until([&] { return !gone->failure().empty(); });
  CHECK(isSentence(gone->failure(), "removed or moved"));
  CHECK(shown(*gone) == before);
  CHECK_FALSE(gone->savedSteps().size() > 0);
  const std::int64_t at = trains->step();
  service.until([&] { return trains->step() > at + 10; });
}

TEST_CASE("A long run is shown with a few steps first, then with all") {
  const RunFolder folder;
  const std::string path = in(folder, "long");
  RunConfig config = smallMarkov();
  config.schedule.steps = 40'000;
  RunRecord record;
  record.config = toJson(config).dump(2);
  record.steps = config.schedule.steps;
  record.state = RunState::Stopped;
  {
    auto writer = RunWriter::create(path, record);
    REQUIRE(writer);
    std::vector<Metric> metrics;
    for (std::int64_t step = 1; step <= config.schedule.steps; ++step) {
      for (const char* name : {"loss", "rate", "gradient_norm"})
        metrics.push_back({step, metricId(name), -1, -1, static_cast<double>(step % 1000)});
      if (step % 10 == 0) metrics.push_back({step, metricId("validation"), -1, -1, 1.0 / static_cast<double>(step)});
    }
    REQUIRE((*writer)->append(config.schedule.steps, metrics));
  }
  Service service;
  const RunPointer run = service.runs->open(path);
  service.until([&] { return run->series("loss") != nullptr; });
  CHECK_FALSE(run->loaded());
  CHECK(service.runs->busy());
  const std::size_t few = run->series("loss")->steps.size();
  CHECK(few >= ui::kOverviewSteps);
  CHECK(few <= 3 * ui::kOverviewSteps);
  CHECK(run->series("validation")->steps.size() >= ui::kOverviewSteps);
  CHECK(run->series("loss")->steps.back() == 40'000);
  CHECK_FALSE(service.runs->resume(*run));
  service.until([&] { return run->loaded(); });
  CHECK_FALSE(service.runs->busy());
  CHECK(run->series("loss")->steps.size() == 40'000);
  CHECK(shown(*run) == numbers(path));
}

TEST_CASE("A long run that another program cut off is read again in portions") {
  const RunFolder folder;
  const std::string path = in(folder, "long");
  RunConfig config = smallMarkov();
  config.schedule.steps = 110'000;
  RunRecord record;
  record.config = toJson(config).dump(2);
  record.steps = config.schedule.steps;
  record.state = RunState::Stopped;
  {
    auto writer = RunWriter::create(path, record);
    REQUIRE(writer);
    std::vector<Metric> metrics;
    for (std::int64_t step = 1; step <= config.schedule.steps; ++step)
      for (const char* name : {"loss", "rate", "gradient_norm"})
        metrics.push_back({step, metricId(name), -1, -1, static_cast<double>(step)});
    REQUIRE((*writer)->append(config.schedule.steps, metrics));
  }
  Service service;
  const RunPointer run = service.runs->open(path);
  service.until([&] { return run->loaded(); });
  REQUIRE(run->series("loss")->steps.size() == 110'000);
  const int woken = service.woken;
  {
    auto writer = RunWriter::resume(path, 100'000);
    REQUIRE(writer);
    REQUIRE((*writer)->event(100'000, "resumed", "100000"));
  }
  service.until([&] { return run->series("loss")->steps.size() == 100'000; });
  CHECK(run->series("loss")->steps.back() == 100'000);
  CHECK(service.woken >= woken + 6);  // 300,000 numbers in portions of 50,000
  for (const char* name : {"rate", "gradient_norm"})
    CHECK(run->series(name)->values == run->series("loss")->values);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers have their own allocators
TEST_CASE("A followed run that does not fit into memory gives an error message, and the window continues") {
  const RunFolder folder;
  const std::string path = in(folder, "run");
  finished(*started(smallMarkov(), headless(path)));
  CHECK(inChild([&path] {
          const OtherProgram other([&path] {
            const auto database = Database::open(path + "/run.sqlite", Access::Write);
            return database && (*database)->run("UPDATE run SET note = hex(zeroblob(20000000))") ? 0 : 1;
          });
          Service service;
          const RunPointer run = service.runs->open(path);
          service.until([&] { return run->loaded(); });
          const MemoryLimit limit(std::size_t{64} << 20);  // reading takes 40 MB, plus a copy
          if (!limit.holds()) return 0;
          if (other.run() != 0) return 1;
          service.until([&] { return !run->failure().empty(); });
          service.frames(3);
          return isSentence(run->failure(), "cannot be read: ") ? 0 : 2;
        }) == 0);
}
#endif

TEST_CASE("The steps of an overview are steps at which metrics are recorded") {
  train::Schedule schedule;
  schedule.recordEvery = 3;
  schedule.evaluateEvery = 700;
  schedule.scoresEvery = 0;
  const std::vector<std::int64_t> steps = ui::overviewSteps(schedule, 1'000'001);
  CHECK(steps.front() == 0);
  CHECK(steps.back() == 1'000'001);
  CHECK(std::ranges::count_if(steps, [](std::int64_t step) { return step % 700 == 0; }) > 400);
  CHECK(steps.size() < 3 * ui::kOverviewSteps);
  CHECK(std::ranges::is_sorted(steps));
  CHECK(ui::overviewSteps({.recordEvery = 0, .evaluateEvery = 0, .scoresEvery = 0}, 7) == std::vector<std::int64_t>{7});
  // The largest integer works too.
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  schedule.recordEvery = 1;
  const std::vector<std::int64_t> far = ui::overviewSteps(schedule, kLargest);
  CHECK(far.size() < 3 * ui::kOverviewSteps);
  CHECK(far.back() == kLargest);
  CHECK(far.front() == 0);
  CHECK(ui::overviewSteps(schedule, -1) == std::vector<std::int64_t>{-1});
}

TEST_CASE("Steps with stored matrices are known as soon as they are stored") {
  Service service(true);
  RunConfig config = smallMarkov();
  config.schedule.storeEvery = 3;
  const RunPointer run = service.start(config);
  service.runs->setStepsPerFrame(7);
  for (int frame = 0; frame < 7; ++frame) {
    service.frames(1);
    const auto reader = RunReader::open(run->folder());
    REQUIRE(reader);
    CHECK(run->storedSteps() == *(*reader)->storedSteps());
  }
  CHECK(run->state() == RunState::Finished);
  CHECK(run->storedSteps().size() == 15);
  service.send(run, CommandKind::SetSteps, 50);
  service.frames(1);
  CHECK(run->storedSteps().back() == 45);
  service.frames(1);
  CHECK(run->storedSteps().back() == 50);
}

TEST_CASE("The runs of one window share its threads") {
  Service service(false, 2);
  RunConfig config = smallDiffusion();
  std::vector<RunPointer> all;
  for (int i = 0; i < 4; ++i)
    all.push_back(service.start(config));
  service.until([&] { return service.runs->training() == 0 && !service.runs->busy(); });
  for (const RunPointer& run : all) {
    CHECK(run->state() == RunState::Finished);
    requireSameRun(run->folder(), all.front()->folder(), 24);
  }
}

TEST_CASE("A run of ten million numbers is shown in parts before it is read completely", "[.][speed]") {
  const RunFolder folder;
  const std::string path = in(folder, "long");
  RunConfig config = smallMarkov();
  config.schedule.steps = 1'000'000;
  config.schedule.scoresEvery = 100;
  RunRecord record;
  record.config = toJson(config).dump(2);
  record.steps = config.schedule.steps;
  record.state = RunState::Stopped;
  {
    auto writer = RunWriter::create(path, record);
    REQUIRE(writer);
    for (std::int64_t first = 1; first <= config.schedule.steps; first += 10'000) {
      std::vector<Metric> metrics;
      for (std::int64_t step = first; step < first + 10'000; ++step) {
        for (const char* name : {"loss", "rate", "gradient_norm"})
          metrics.push_back({step, metricId(name), -1, -1, static_cast<double>(step % 1000)});
        if (step % 100 != 0) continue;
        for (int layer = 0; layer < 12; ++layer)
          for (int head = -1; head < 18; ++head)
            for (const char* name : {"symmetry", "directionality", "row_column_cv"})
              metrics.push_back({step, metricId(name), layer, head, 0.5});
      }
      REQUIRE((*writer)->append(first, metrics));
    }
    REQUIRE((*writer)->state(RunState::Stopped, config.schedule.steps, ""));
  }
  Service service;
  const auto begun = std::chrono::steady_clock::now();
  const auto since = [&] {
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  const RunPointer run = service.runs->open(path);
  service.until([&] { return run->series("loss") != nullptr; });
  const double first = since();
  double frame = 0;
  while (!run->loaded()) {
    const double before = since();
    service.runs->update();
    frame = std::max(frame, since() - before);
    std::this_thread::sleep_for(milliseconds(1));
  }
  std::size_t rows = 0;
  for (const std::string& name : run->metricNames())
    for (const ui::RunSeries* series : run->seriesOf(name))
      rows += series->steps.size();
  WARN(rows << " numbers: curves after " << first << " ms, all after " << since() << " ms, longest update " << frame
            << " ms");
  CHECK(rows > 9'000'000);
}

TEST_CASE("A folder of runs is watched while a list of its runs is visible") {
  Service service;
  const std::string folder = service.folder.path();
  const auto watched = [&](auto seen) {
    service.until([&] {
      service.runs->watch(folder);
      return seen();
    });
  };
  watched([&, frames = 0]() mutable { return ++frames > 5 && !service.runs->busy(); });
  const std::uint64_t before = service.runs->revision();
  finished(*started(smallMarkov(), headless(in(service.folder, "elsewhere"))));  // as if another program had trained it
  watched([&] { return service.runs->revision() != before; });
  service.frames(2);  // the folder is no longer watched
  service.until([&] { return !service.runs->busy(); });
  const std::uint64_t after = service.runs->revision();
  finished(*started(smallMarkov(), headless(in(service.folder, "another"))));
  for (int i = 0; i < 150; ++i) {
    service.runs->update();
    std::this_thread::sleep_for(milliseconds(10));
  }
  CHECK(service.runs->revision() == after);
}

TEST_CASE("Changes of the runs and of the claims in the folder of a sweep are detected") {
  Service service;
  const std::string folder = in(service.folder, "sweep");
  for (const char* const part : {"/runs", "/claims", "/failed"})
    std::filesystem::create_directories(folder + part);
  std::ofstream(folder + "/plan.json") << "{}";
  const auto watched = [&](auto seen) {
    service.until([&] {
      service.runs->watch(folder);
      return seen();
    });
  };
  watched([&, frames = 0]() mutable { return ++frames > 5 && !service.runs->busy(); });
  std::uint64_t before = service.runs->revision();
  const auto isNews = [&] { return service.runs->revision() != before; };
  std::ofstream(folder + "/claims/0000") << "{}";
  watched(isNews);
  before = service.runs->revision();
  finished(*started(smallMarkov(), headless(folder + "/runs/0000")));
  watched(isNews);
  CHECK(isNews());
}

TEST_CASE("A finished run without users frees its memory, and is read again when it is opened") {
  Service service(false, 1, milliseconds(0));
  ui::Runs& runs = *service.runs;
  RunConfig config = smallMarkov();
  config.schedule.storeEvery = 3;
  RunPointer run = service.start(config);
  const std::string folder = run->folder();
  service.until([&] { return run->state() == RunState::Finished && !runs.busy(); });
  service.frames(3);
  const Numbers whole = shown(*run);
  const std::vector<std::int64_t> stored = run->storedSteps();
  CHECK_FALSE(stored.empty());
  CHECK(whole == numbers(folder));  // the run is in use, so its numbers stay
  CHECK(run->loaded());

  const ui::Run* const same = run.get();
  run.reset();
  service.until([&] { return !same->loaded() && !runs.busy(); });
  REQUIRE(runs.all().size() == 1);
  CHECK(same->metricNames().empty());
  CHECK(same->live().matrices.empty());
  CHECK(same->savedSteps().empty());
  CHECK(same->name() == "small");
  CHECK(same->state() == RunState::Finished);

  run = runs.open(folder);
  CHECK(run.get() == same);
  CHECK(runs.busy());
  service.until([&] { return run->loaded() && !runs.busy(); });
  CHECK(shown(*run) == whole);
  CHECK(run->here());
  CHECK(run->savedSteps() == savedSteps(folder));
  CHECK(run->storedSteps() == stored);

  // The run continues as if it had been in memory all the time.
  service.send(run, CommandKind::SetSteps, 44);
  service.until([&] { return run->step() == 44 && run->state() == RunState::Finished && !runs.busy(); });
  CHECK(shown(*run) == numbers(folder));
}

TEST_CASE("A run without users keeps its numbers while it trains, and for some time after its end") {
  Service service(false, 1, milliseconds(0)), patient;
  RunConfig endless = smallMarkov();
  endless.schedule.steps = 1'000'000;
  const ui::Run& trains = *service.start(endless);
  service.until([&] { return trains.step() > 3; });
  service.frames(20);
  CHECK(trains.loaded());
  CHECK(trains.series("loss") != nullptr);
  const ui::Run& ended = *patient.start(smallMarkov());
  patient.until([&] { return ended.state() == RunState::Finished && !patient.runs->busy(); });
  patient.frames(20);
  CHECK(ended.loaded());
  CHECK(shown(ended) == numbers(ended.folder()));
}
