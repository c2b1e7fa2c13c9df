// SPDX-License-Identifier: Apache-2.0
// A run on its own thread: the data in its store, resuming, branches, and how it ends.
#include <atomic>
#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store_database.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A run stores its metrics, its checkpoints and how it ended") {
  const RunFolder folder;
  const auto trainer = started(smallMarkov(), headless(in(folder, "run")));
  finished(*trainer);
  trainer->refresh();
  const Snapshot& end = trainer->latest();
  CHECK(end.state == RunState::Finished);
  CHECK(end.step == 40);
  CHECK(end.steps == 40);
  CHECK(end.savedStep == 40);
  CHECK(end.parameters > 0);
  CHECK(end.bounds.size() == 2);
  const Numbers all = numbers(in(folder, "run"));
  for (std::int64_t step = 1; step <= 40; ++step) {
    CHECK(std::isfinite(all.at({"loss", -1, -1, step})));
    CHECK(all.at({"rate", -1, -1, step}) == Approx(1e-2));
    CHECK(all.at({"gradient_norm", -1, -1, step}) > 0);
  }
  for (const std::int64_t step : {0, 10, 20, 30, 40}) {
    CHECK(all.at({"validation", -1, -1, step}) > 0.5);
    CHECK(std::abs(all.at({"symmetry", 0, -1, step})) <= 1);
  }
  CHECK(all.at({"validation", -1, -1, 40}) == end.validation);
  CHECK(all.at({"loss", -1, -1, 40}) == end.loss);
  CHECK(all.count({"loss", -1, -1, 41}) == 0);
  CHECK(savedSteps(in(folder, "run")) == std::vector<std::int64_t>{0, 10, 20, 30, 40});
  const RunRecord record = recordOf(in(folder, "run"));
  CHECK(record.state == RunState::Finished);
  CHECK(record.step == 40);
  CHECK(record.name == "small");
  const auto config = readRunConfig(in(folder, "run") + "/config.json");
  REQUIRE(config);
  CHECK_FALSE(difference(*config, smallMarkov()));
}

TEST_CASE("The same seed gives the same metrics on one and two threads, and another seed gives others") {
  const RunFolder folder;
  for (RunConfig config : {smallMarkov(), smallDiffusion()}) {
    const std::string one = in(folder, config.name + "1"), two = in(folder, config.name + "2");
    finished(*started(config, headless(one, 1)));
    finished(*started(config, headless(two, 2)));
    requireSameRun(one, two, config.schedule.steps);
    const std::string other = in(folder, config.name + "3");
    config.seed = 1;
    finished(*started(config, headless(other)));
    CHECK(numbers(one) != numbers(other));
  }
}

TEST_CASE("A stopped run that resumes gives the run without a stop") {
  const RunFolder folder;
  for (const RunConfig& config : {smallMarkov(), smallDiffusion()}) {
    const std::string whole = in(folder, config.name), parts = in(folder, config.name + "-parts");
    finished(*started(config, headless(whole)));
    TrainerOptions options = headless(parts);
    options.paced = true;
    for (const std::int64_t steps : {7, 1, 5}) {
      const auto trainer = started(config, options);
      trainer->runSteps(steps);
      options.resume = true;
    }
    CHECK(savedSteps(parts).back() == 13);
    CHECK(recordOf(parts).state == RunState::Stopped);
    options.paced = false;
    finished(*started(config, options));
    requireSameRun(whole, parts, config.schedule.steps);
    // A second resume has nothing to do.
    finished(*started(config, options));
    requireSameRun(whole, parts, config.schedule.steps);
  }
}

TEST_CASE("A run killed before its first checkpoint resumes from the same start") {
  const RunFolder folder;
  const RunConfig config = smallMarkov();
  const std::string whole = in(folder, "whole"), hurt = in(folder, "hurt");
  finished(*started(config, headless(whole)));
  {
    RunRecord record;
    record.config = toJson(config).dump();
    REQUIRE(RunWriter::create(hurt, record));
  }
  // A second kill before anything is measured.
  REQUIRE(RunWriter::resume(hurt, -1));
  CHECK(recordOf(hurt).step == 0);
  TrainerOptions again = headless(hurt);
  again.resume = true;
  finished(*started(config, again));
  requireSameRun(whole, hurt, 40);
}

TEST_CASE("A resume with another config, a second run in a folder and an impossible folder are refused") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  const std::string run = in(folder, "run");
  finished(*started(config, headless(run)));
  TrainerOptions again = headless(run);
  CHECK(failure(*started(config, again), ErrorKind::Usage).find("--resume") != std::string::npos);
  again.resume = true;
  config.optimisation.rule.learningRate = 0.5;
  CHECK(failure(*started(config, again), ErrorKind::Usage)
            .find("optimisation.learning_rate 0.01, but the config says 0.5") != std::string::npos);
  CHECK(numbers(run).count({"loss", -1, -1, 40}) == 1);
  config = smallMarkov();
  again.folder = in(folder, "none");
  failure(*started(config, again), ErrorKind::BadInput);
  CHECK_FALSE(std::filesystem::exists(in(folder, "none")));
  failure(*started(config, headless("/dev/null/run")), ErrorKind::OutputFailed);

  const auto running = [&] {
    TrainerOptions options = headless(in(folder, "busy"));
    options.paced = true;
    return started(config, options);
  }();
  running->runSteps(2);
  TrainerOptions second = headless(in(folder, "busy"));
  second.resume = true;
  failure(*started(config, second), ErrorKind::OutputFailed);
}

TEST_CASE("A resume that moves the end of a decay reports the effect on the learning rate") {
  const RunFolder folder;
  const auto noticeOf = [&folder](Decay decay, const std::string& name, std::int64_t end) {
    RunConfig config = smallMarkov();
    config.optimisation.decay = decay;
    config.optimisation.floor = 1e-3;
    TrainerOptions options = headless(in(folder, name));
    finished(*started(config, options));
    options.resume = true;
    options.steps = end;
    const auto again = started(config, options);
    finished(*again);
    again->refresh();
    return again->latest().notice;
  };
  // After 40 of 80 steps both are halfway from 0.01 to 0.001.
  CHECK(noticeOf(Decay::Linear, "linear", 80) ==
        "the linear decay now spans 80 steps in place of 40: the learning rate of step 41 is 0.0055 in place of 0.001");
  CHECK(numbers(in(folder, "linear")).at({"rate", -1, -1, 41}) == Approx(0.0055));
  CHECK(noticeOf(Decay::Cosine, "cosine", 80) ==
        "the cosine decay now spans 80 steps in place of 40: the learning rate of step 41 is 0.0055 in place of 0.001");
  CHECK(noticeOf(Decay::Cosine, "same", 40).empty());
  CHECK(noticeOf(Decay::Constant, "constant", 80).empty());
}

TEST_CASE("A resume by a config with another last step reports that the run keeps its own") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.steps = 20;
  finished(*started(smallMarkov(), options));
  options.resume = true;
  const auto noticeOf = [&](std::int64_t wanted, std::int64_t end) {
    RunConfig config = smallMarkov();
    config.schedule.steps = wanted;
    options.steps = end;
    const auto again = started(config, options);
    finished(*again);
    again->refresh();
    CHECK(again->latest().steps == (end > 0 ? end : 20));
    return again->latest().notice;
  };
  CHECK(noticeOf(70, 0) ==
        "schedule.steps is 70 in the config now; the run still ends at step 20, --steps 70 would change that");
  CHECK(noticeOf(20, 0).empty());   // the last value that was set for the run
  CHECK(noticeOf(70, 30).empty());  // --steps takes precedence
}

TEST_CASE("A stop takes effect within a step and a validation, and the resume completes the rest") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.schedule.evaluateSequences = 4000;  // a validation takes most of the time
  config.schedule.steps = 30;
  const std::string whole = in(folder, "whole");
  finished(*started(config, headless(whole)));
  for (int round = 0; round < 6; ++round) {
    TrainerOptions options = headless(in(folder, "stopped" + std::to_string(round)));
    {
      const auto trainer = started(config, options);
      std::this_thread::sleep_for(std::chrono::milliseconds(3 + 17 * round));
      trainer->send({CommandKind::Stop, 0, {}});
      trainer->waitFor(tests::kPatience);
    }
    options.resume = true;
    finished(*started(config, options));
    requireSameRun(whole, options.folder, config.schedule.steps);
  }
}

TEST_CASE("A cancelled step and a cancelled validation change nothing") {
  RunConfig config = smallMarkov();
  config.schedule.batch = 64;
  const auto source = data::makeSource(config.data);
  REQUIRE(source);
  REQUIRE(resolve(config, **source));
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    Stepper stepper(config, **source, pool);
    stepper.begin();
    const TrainState before = stepper.state();
    std::atomic<int> asked{0};
    stepper.onCancel([&asked] { return ++asked > 0; });
    const auto step = stepper.step(40);
    REQUIRE_FALSE(step);
    CHECK(step.error().kind == ErrorKind::Interrupted);
    CHECK(stepper.cancelled());
    stepper.validate();
    CHECK(stepper.cancelled());
    CHECK(asked > 1);
    CHECK(stepper.state().theta == before.theta);
    CHECK(stepper.state().sequence == before.sequence);
    CHECK(stepper.made() == 0);
    stepper.onCancel({});
    const auto made = stepper.step(40);
    Stepper other(config, **source, pool);
    other.begin();
    const auto wanted = other.step(40);
    REQUIRE(made);
    REQUIRE(wanted);
    CHECK(made->loss == wanted->loss);
    CHECK(stepper.state().theta == other.state().theta);
  }
}

TEST_CASE("A resume with another text than that of the run is refused") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.model.vocabulary = 0;
  config.data.kind = data::SourceKind::Text;
  config.data.path = in(folder, "a.txt");
  const std::string text = "the quick brown fox jumps over the lazy dog and runs on and on. ";
  const auto write = [&](const std::string& words) {
    std::string whole;
    for (int i = 0; i < 40; ++i)
      whole += words;
    REQUIRE(writeFile(config.data.path, whole));
  };
  write(text);
  finished(*started(config, headless(in(folder, "run"))));
  TrainerOptions again = headless(in(folder, "run"));
  again.resume = true;
  finished(*started(config, again));
  std::string other = text;
  std::swap(other[5], other[12]);
  write(other);
  CHECK(failure(*started(config, again), ErrorKind::BadInput).find("a.txt") != std::string::npos);
}

TEST_CASE("A branch continues from a saved step of another run") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  const std::string parent = in(folder, "parent");
  finished(*started(config, headless(parent)));
  const Numbers before = numbers(parent);

  const auto same = Trainer::branch(parent, 20, config, headless(in(folder, "same")));
  REQUIRE(same);
  finished(**same);
  const Numbers twin = numbers(in(folder, "same"));
  for (std::int64_t step = 21; step <= 40; ++step)
    CHECK(twin.at({"loss", -1, -1, step}) == before.at({"loss", -1, -1, step}));
  CHECK(twin.count({"loss", -1, -1, 20}) == 0);
  CHECK(twin.at({"validation", -1, -1, 20}) == before.at({"validation", -1, -1, 20}));
  CHECK(recordOf(in(folder, "same")).parent == parent + "@20");
  CHECK(fileOf(parent, 40, "state.safetensors") == fileOf(in(folder, "same"), 40, "state.safetensors"));

  config.optimisation.rule.learningRate = 1e-3;
  TrainerOptions options = headless(in(folder, "slower"));
  options.paced = true;
  {
    const auto slower = Trainer::branch(parent, 20, config, options);
    REQUIRE(slower);
    (*slower)->runSteps(3);
  }
  options.resume = true;
  options.paced = false;
  finished(*started(config, options));
  const Numbers other = numbers(in(folder, "slower"));
  CHECK(other.at({"loss", -1, -1, 21}) == before.at({"loss", -1, -1, 21}));
  CHECK(other.at({"loss", -1, -1, 30}) != before.at({"loss", -1, -1, 30}));
  CHECK(numbers(parent) == before);

  const auto refusal = [&](std::int64_t step, const RunConfig& wanted) {
    const auto trainer = Trainer::branch(parent, step, wanted, headless(in(folder, "no")));
    REQUIRE(trainer);
    return failure(**trainer, ErrorKind::Usage);
  };
  CHECK(refusal(21, config).find("the saved steps are 0, 10, 20, 30, 40") != std::string::npos);
  CHECK(refusal(40, config).find("schedule.steps is 40") != std::string::npos);
  config.model.d_model = 16;
  CHECK(refusal(20, config).find("its model is not the config's") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(in(folder, "no")));
  // The checkpoints are sufficient.
  config = smallMarkov();
  REQUIRE(writeFile(parent + "/run.sqlite", "damaged"));
  const auto saved = Trainer::branch(parent, 20, config, headless(in(folder, "saved")));
  REQUIRE(saved);
  finished(**saved);
  CHECK(numbers(in(folder, "saved")) == twin);
}

TEST_CASE("Only the newest checkpoints are kept if the config says so") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.schedule.keep = 2;
  finished(*started(config, headless(in(folder, "run"))));
  CHECK(savedSteps(in(folder, "run")) == std::vector<std::int64_t>{30, 40});
}

TEST_CASE("A trainer may be destroyed in every state") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.schedule.steps = 1000000;
  config.schedule.saveEvery = 0;
  for (int i = 0; i < 5; ++i)
    started(config, headless(in(folder, "preparing" + std::to_string(i)))).reset();
  {
    const auto running = started(config, headless(in(folder, "running")));
    look(*running, [](const Snapshot& s) { return s.step > 3; });
  }
  CHECK(recordOf(in(folder, "running")).state == RunState::Stopped);
  CHECK(savedSteps(in(folder, "running")).size() == 2);
  {
    const auto paused = started(config, headless(in(folder, "paused")));
    paused->send({CommandKind::Pause, 0, {}});
    look(*paused, [](const Snapshot& s) { return s.state == RunState::Paused; });
  }
  CHECK(recordOf(in(folder, "paused")).state == RunState::Stopped);
  TrainerOptions options = headless(in(folder, "failed"));
  options.resume = true;
  {
    const auto failed = started(config, options);
    failure(*failed, ErrorKind::BadInput);
    int taken = 0;
    while (taken < 1000 && failed->send({CommandKind::Save, 0, {}}))
      ++taken;
    CHECK(taken == 64);  // the queue is full, because no one takes commands from it
  }
}
