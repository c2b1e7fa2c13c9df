// SPDX-License-Identifier: Apache-2.0
// Runs that train in a window: they are started, watched, changed, stopped and resumed.
#include <unistd.h>

#include "tests/ui/runs/runs_rig.h"
#include "ui/runs/run_service.h"

using namespace sepx;
using namespace sepx::test;
using ui::RunPointer;

TEST_CASE("In a script, each frame advances a run by a fixed number of steps") {
  Service service(true);
  const RunPointer run = service.start(smallMarkov());
  CHECK(run->here());
  CHECK(run->loaded());
  CHECK(run->trains());
  CHECK(run->name() == "small");
  CHECK(run->folder() == service.folder / "small");
  REQUIRE(run->config());
  for (int frame = 1; frame <= 3; ++frame) {
    CHECK(service.runs->update());
    CHECK(run->step() == 8 * frame);
    REQUIRE(run->series("loss") != nullptr);
    CHECK(run->series("loss")->steps.size() == static_cast<std::size_t>(8 * frame));
    CHECK(run->live().loss == run->series("loss")->values.back());
  }
  service.runs->setStepsPerFrame(3);
  service.runs->update();
  CHECK(run->step() == 27);
  CHECK(service.runs->training() == 1);
  CHECK_FALSE(service.runs->busy());
  CHECK(run->savedSteps() == std::vector<std::int64_t>{0, 10, 20});
  service.runs->setStepsPerFrame(100);
  service.runs->update();
  CHECK(run->state() == RunState::Finished);
  CHECK(run->step() == 40);
  CHECK(service.runs->training() == 0);
  CHECK(run->failure().empty());
  CHECK(run->savedSteps() == savedSteps(run->folder()));
  CHECK(run->record().created.size() == 20);
  CHECK_FALSE(run->bounds().empty());
  CHECK(shown(*run) == numbers(run->folder()));
  CHECK_FALSE(service.runs->update());
  // Other programs can use the folder of a finished run, and the run continues if its number of steps is increased.
  CHECK_FALSE(runIsAlive(run->folder()));
  CHECK_FALSE(service.runs->send(*run, {CommandKind::SetSteps, 30, {}}));
  CHECK_FALSE(service.runs->send(*run, {CommandKind::Pause, 0, {}}));
  service.send(run, CommandKind::SetSteps, 44);
  service.runs->update();
  CHECK(run->state() == RunState::Finished);
  CHECK(run->step() == 44);
  CHECK(shown(*run) == numbers(run->folder()));
}

TEST_CASE("Two windows with the same seed and frames show the same numbers") {
  Service one(true, 1), two(true, 2);
  const RunPointer a = one.start(smallDiffusion()), b = two.start(smallDiffusion());
  one.frames(4);
  two.frames(4);
  CHECK(a->state() == RunState::Finished);
  CHECK(shown(*a) == shown(*b));
}

TEST_CASE("A run trains between frames, pauses, makes single steps, changes its learning rate and stops") {
  Service service;
  RunConfig config = smallMarkov();
  config.schedule.steps = 10'000'000;
  const RunPointer run = service.start(config);
  service.until([&] { return run->step() > 20; });
  CHECK(service.woken > 0);
  service.send(run, CommandKind::Pause);
  service.until([&] { return run->state() == RunState::Paused; });
  const std::int64_t at = run->step();
  CHECK(service.runs->training() == 0);
  service.send(run, CommandKind::Step, 2);
  service.until([&] { return run->step() == at + 2 && run->state() == RunState::Paused; });
  service.send(run, CommandKind::SetRate, 0.5);
  REQUIRE(service.runs->send(*run, {CommandKind::Watch, 0, {"embedding.weight"}}));
  service.send(run, CommandKind::Step, 1);
  service.until([&] { return run->step() == at + 3 && run->live().matrices.size() == 1; });
  CHECK(run->live().rate == Approx(0.5e-2));
  service.send(run, CommandKind::Stop);
  CHECK(service.runs->busy());
  service.until([&] { return !service.runs->busy(); });
  CHECK(run->state() == RunState::Stopped);
  CHECK(isSentence(run->failure(), "stopped after step"));
  CHECK_FALSE(runIsAlive(run->folder()));
  CHECK(shown(*run) == numbers(run->folder()));
  CHECK(run->savedSteps().back() == at + 3);
  CHECK_FALSE(service.runs->send(*run, {CommandKind::Continue, 0, {}}));

  REQUIRE(service.runs->resume(*run));
  CHECK_FALSE(service.runs->resume(*run));
  service.until([&] { return run->step() > at + 20; });
  CHECK(run->failure().empty());
  CHECK(run->live().rate == Approx(0.5e-2));
  service.runs.reset();  // the destructor stops and saves the run
  CHECK(recordOf(run->folder()).state == RunState::Stopped);
  CHECK_FALSE(runIsAlive(run->folder()));
}

TEST_CASE("A window that rarely updates loses no metric") {
  Service service;
  RunConfig config = smallMarkov();
  config.schedule.steps = 6000;  // three metrics per step: several times the capacity of a snapshot
  config.schedule.saveEvery = 0;
  config.schedule.evaluateEvery = 0;
  const RunPointer run = service.start(config);
  service.until([&] { return run->step() > 0; });
  const auto finished = [&] {
    const auto reader = RunReader::open(run->folder());
    return reader && (*reader)->record()->state == RunState::Finished;
  };
  REQUIRE(tests::eventually(finished));
  service.until([&] { return run->state() == RunState::Finished && !service.runs->busy(); });
  CHECK(run->series("loss")->steps.size() == 6000);
  CHECK(shown(*run) == numbers(run->folder()));
}

TEST_CASE("A run started as paused waits before its first step; a branch starts from the other run's saved state") {
  Service service(true);
  const RunPointer run = service.start(smallMarkov(), true);
  service.frames(2);
  CHECK(run->state() == RunState::Paused);
  CHECK(run->step() == 0);
  service.send(run, CommandKind::Continue);
  service.frames(5);
  CHECK(run->state() == RunState::Finished);
  RunConfig other = *run->config();
  other.optimisation.rule.learningRate = 1e-3;
  const auto refusal = [&](std::int64_t step, const RunConfig& config) {
    const auto refused = service.runs->branch(*run, step, config);
    REQUIRE_FALSE(refused);
    return refused.error().message;
  };
  CHECK(isSentence(refusal(7, other), "step 7 is not saved; the saved steps are 0, 10, 20, 30, 40"));
  CHECK(isSentence(refusal(40, other), "must end after it"));
  RunConfig larger = other;
  larger.model.d_model = 16;
  CHECK(isSentence(refusal(20, larger), "model.d_model is 8 there and 16 in the config"));
  CHECK(namesIn(service.folder.path()).size() == 1);
  const auto branch = service.runs->branch(*run, 20, other);
  REQUIRE(branch);
  service.frames(1);
  CHECK((*branch)->step() == 28);
  CHECK((*branch)->record().parent == run->folder() + "@20");
  CHECK((*branch)->folder() != run->folder());
  CHECK(service.runs->all().size() == 2);
  std::filesystem::remove_all(run->folder());
  CHECK(isSentence(refusal(20, other), "has no checkpoints of a run"));
}

TEST_CASE("An invalid run is refused or fails, and no folder remains") {
  Service service;
  RunConfig config = smallMarkov();
  config.model.heads = 3;  // d_model 8
  const auto run = service.runs->start(config);
  REQUIRE_FALSE(run);
  CHECK(isSentence(run.error().message, "heads"));
  CHECK(service.runs->all().empty());
  CHECK(namesIn(service.folder.path()).empty());
  // The trainer finds that a text file is missing, and the reserved folder is removed.
  config = smallMarkov();
  config.data.kind = data::SourceKind::Text;
  config.data.path = "/no/such/text";
  config.model.vocabulary = 0;
  const auto missing = service.runs->start(config);
  REQUIRE(missing);
  service.until([&] { return (*missing)->state() == RunState::Failed && !service.runs->busy(); });
  CHECK(isSentence((*missing)->failure(), "/no/such/text"));
  CHECK(namesIn(service.folder.path()).empty());
}

TEST_CASE("Runs with the same name get separate folders") {
  Service service(true);
  RunConfig config = smallMarkov();
  config.name = "../A name: with/parts";
  const RunPointer one = service.start(config, true), two = service.start(config, true);
  CHECK(one->folder() == service.folder / "A-name-with-parts");
  CHECK(two->folder() == service.folder / "A-name-with-parts-2");
  CHECK(one->name() == config.name);
}

TEST_CASE("The name of a run's folder keeps decimal points and signs of numbers") {
  Service service(true);
  const auto folderOf = [&service](const std::string& name) {
    RunConfig config = smallMarkov();
    config.name = name;
    return std::filesystem::path(service.start(config, true)->folder()).filename().string();
  };
  CHECK(folderOf("(−0.50, 0.99)") == "minus-0.50-0.99");
  CHECK(folderOf("(0.50, -0.99)") == "0.50-minus-0.99");
  CHECK(folderOf("-1") == "minus-1");
  CHECK(folderOf("small-encoder-3") == "small-encoder-3");
  CHECK(folderOf("rate 1e-3, p − q.") == "rate-1e-3-p-q");
  CHECK(folderOf("../..") == "run");
}

TEST_CASE("A window ends although many of its requests are still pending") {
  const RunFolder folder;
  constexpr unsigned kMostSeconds = 120;
  CHECK(inChild([&folder] {
          ::alarm(kMostSeconds);
          ui::RunsOptions options;
          options.folder = folder.path();
          ui::Runs runs(std::move(options));
          for (int i = 0; i < 400; ++i)
            runs.open(in(folder, std::to_string(i)));
          return 0;
        }) == 0);
}

TEST_CASE("The last request for a mark is carried out before the service ends") {
  const RunFolder folder;
  for (int i = 0; i < 200; ++i) {
    const std::string mark = in(folder, "marks/" + std::to_string(i) + ".run");
    {
      ui::RunService service({});
      for (const bool wanted : {false, true}) {
        ui::RunRequest request;
        request.folder = "a run";
        request.mark = ui::RunMark{mark, wanted};
        service.ask(std::move(request));
      }
    }
    REQUIRE(readBytes(mark) == "a run");
    {
      ui::RunService service({});
      ui::RunRequest request;
      request.mark = ui::RunMark{mark, false};
      service.ask(std::move(request));
    }
    REQUIRE_FALSE(std::filesystem::exists(mark));
  }
}

TEST_CASE("A folder is opened once, and is read on the thread of the service") {
  const RunFolder folder;
  finished(*started(smallDiffusion(), headless(in(folder, "run"))));
  Service service;
  const RunPointer run = service.runs->open(in(folder, "run"));
  CHECK(service.runs->open(in(folder, "run/")) == run);
  CHECK(service.runs->open(in(folder, "./run")) == run);
  CHECK_FALSE(run->loaded());
  CHECK_FALSE(run->trains());
  CHECK(service.runs->busy());
  service.until([&] { return run->loaded(); });
  CHECK_FALSE(service.runs->busy());
  CHECK(run->state() == RunState::Finished);
  CHECK(run->name() == "pairs");
  CHECK(shown(*run) == numbers(in(folder, "run")));
  CHECK(run->savedSteps() == savedSteps(in(folder, "run")));
  CHECK(run->live().loss == run->series("loss")->values.back());
  REQUIRE(run->config());
  CHECK_FALSE(run->elsewhere());
  CHECK_FALSE(service.runs->send(*run, {CommandKind::Pause, 0, {}}));
  const RunPointer none = service.runs->open(in(folder, "nothing"));
  service.until([&] { return none->loaded(); });
  CHECK(isSentence(none->failure(), "is not a run"));
  CHECK_FALSE(service.runs->resume(*none));
}
