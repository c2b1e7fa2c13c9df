// SPDX-License-Identifier: Apache-2.0
// Failures of a run: its folder, disk, data, numbers and checkpoints. The run ends with a message, and saved data are
// kept.
#include <atomic>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <thread>

#include "engine/data/source_config.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store_database.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A damaged checkpoint is skipped for the one before, and without a valid one a run does not start again") {
  const RunFolder folder;
  const RunConfig config = smallMarkov();
  const std::string whole = in(folder, "whole"), hurt = in(folder, "hurt");
  finished(*started(config, headless(whole)));
  finished(*started(config, headless(hurt)));
  REQUIRE(writeFile(checkpointFolder(hurt, 40) + "/state.safetensors", "no tensors"));
  TrainerOptions again = headless(hurt);
  again.resume = true;
  {
    const auto trainer = started(config, again);
    finished(*trainer);
    trainer->refresh();
    CHECK(trainer->latest().notice.find("continuing from step 30") != std::string::npos);
  }
  requireSameRun(whole, hurt, 40);
  for (const std::int64_t step : {10, 20, 30, 40})
    std::filesystem::remove_all(checkpointFolder(hurt, step));
  finished(*started(config, again));  // from its start
  requireSameRun(whole, hurt, 40);
  again.steps = 30;
  CHECK(failure(*started(config, again), ErrorKind::Usage).find("40 steps are already done") != std::string::npos);
  again.steps = 0;
  for (const std::int64_t step : savedSteps(hurt))
    REQUIRE(writeFile(checkpointFolder(hurt, step) + "/state.safetensors", "no tensors"));
  CHECK(failure(*started(config, again), ErrorKind::BadInput).find("no checkpoint of") != std::string::npos);
  std::filesystem::remove_all(hurt + "/checkpoints");
  CHECK(failure(*started(config, again), ErrorKind::BadInput).find("has no checkpoints") != std::string::npos);
  CHECK(numbers(whole) == numbers(hurt));
}

TEST_CASE("A run whose folder or newest checkpoint is removed reports it and is not called saved") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  const std::string away = in(folder, "away");
  SECTION("the folder is moved before a stop") {
    const auto trainer = started(smallMarkov(), options);
    trainer->runSteps(3);
    std::filesystem::rename(options.folder, away);
    trainer->send({CommandKind::Stop, 0, {}});
    CHECK(failure(*trainer, ErrorKind::OutputFailed).find("was removed or moved") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(options.folder));  // it is not created again
  }
  SECTION("the folder is removed before a checkpoint is due") {
    const auto trainer = started(smallMarkov(), options);
    trainer->runSteps(3);
    std::filesystem::remove_all(options.folder);
    trainer->runSteps(100);
    CHECK(failure(*trainer, ErrorKind::OutputFailed).find(options.folder) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(options.folder));
  }
  SECTION("only the checkpoint is removed") {
    const auto trainer = started(smallMarkov(), options);
    trainer->runSteps(10);  // a checkpoint was saved at step 10
    std::filesystem::remove_all(checkpointFolder(options.folder, 10));
    trainer->send({CommandKind::Stop, 0, {}});
    CHECK(failure(*trainer, ErrorKind::OutputFailed).find("step-0000010") != std::string::npos);
  }
}

TEST_CASE("A run that another program has taken over is no longer written") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  std::atomic<bool> held{true};
  options.held = [&held] { return held.load(); };
  {
    const auto trainer = started(smallMarkov(), options);
    trainer->runSteps(13);  // a checkpoint was saved at step 10
    held = false;
    trainer->runSteps(20);
    CHECK(failure(*trainer, ErrorKind::OutputFailed).find("another program has taken the run over") !=
          std::string::npos);
    trainer->send({CommandKind::Stop, 0, {}});
  }
  const auto reader = RunReader::open(options.folder);
  REQUIRE(reader);
  const auto record = (*reader)->record();
  CHECK(record->state == RunState::Running);  // the state that belongs to the other program
  CHECK(record->step == 13);
  CHECK(savedSteps(options.folder).back() == 10);
}

TEST_CASE("A stop while the data are read ends the run before it begins") {
  const RunFolder folder;
  std::string words;
  for (int i = 0; i < 3'000'000; ++i)
    words += static_cast<char>('a' + i % 26);
  REQUIRE(writeFile(in(folder, "words.txt"), words));
  RunConfig config = smallMarkov();
  config.data = {};
  config.data.kind = data::SourceKind::Text;
  config.data.path = in(folder, "words.txt");
  config.model.vocabulary = 0;
  const TrainerOptions options = headless(in(folder, "run"));
  TrainerOptions stopped = options;
  Trainer* started = nullptr;
  std::atomic<bool> told{false};
  // The first notification of the reading comes from the trainer's thread, so the Stop is sent before the next part is
  // read.
  std::mutex mutex;
  mutex.lock();
  stopped.wake = [&] {
    if (told.exchange(true)) return;
    const std::lock_guard wait(mutex);
    started->send({CommandKind::Stop, 0, {}});
  };
  auto trainer = Trainer::start(config, stopped);
  REQUIRE(trainer);
  started = trainer->get();
  mutex.unlock();
  CHECK(failure(**trainer, ErrorKind::Interrupted).find("words.txt: stopped while it was read") != std::string::npos);
  (*trainer)->refresh();
  CHECK((*trainer)->latest().state == RunState::Stopped);
  CHECK_FALSE(std::filesystem::exists(options.folder));
}

TEST_CASE("Initial parameters without a finite loss are named as the cause, not the learning rate") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.initial.sigma = 1e300;
  const auto trainer = started(config, headless(in(folder, "run")));
  const std::string sentence = failure(*trainer, ErrorKind::CheckFailed);
  INFO(sentence);
  CHECK(sentence.find("initial.sigma is 1e+300") != std::string::npos);
  CHECK(sentence.find("learning") == std::string::npos);
}

TEST_CASE("A damaged config in the database is reported as damage of the database") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.steps = 2;
  finished(*started(smallMarkov(), options));
  {
    auto database = Database::open(options.folder + "/run.sqlite", Access::Write);
    REQUIRE(database);
    REQUIRE((*database)->run("UPDATE run SET config = replace(config, '\"length\"', '\"lemgth\"')"));
  }
  options.resume = true;
  const std::string sentence = failure(*started(smallMarkov(), options), ErrorKind::BadInput);
  INFO(sentence);
  CHECK(sentence.find("run/run.sqlite: ") != std::string::npos);
  CHECK(sentence.find("run/config.json") == std::string::npos);
}

TEST_CASE("A path that SQLite does not accept is reported as a file that could not be written") {
  const RunFolder folder;
  std::string deep = in(folder, "deep");
  while (deep.size() < 600)
    deep += "/" + std::string(100, 'x');
  const std::string sentence = failure(*started(smallMarkov(), headless(deep)), ErrorKind::OutputFailed);
  INFO(sentence);
  CHECK(sentence.find("SQLite allows at most") != std::string::npos);
}

TEST_CASE("A run whose data cannot be read ends with that message and leaves no files") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.data.kind = data::SourceKind::Text;
  config.data.path = in(folder, "none.txt");
  config.model.vocabulary = 0;
  CHECK(failure(*started(config, headless(in(folder, "run"))), ErrorKind::BadInput).find("none.txt") !=
        std::string::npos);
  CHECK_FALSE(std::filesystem::exists(in(folder, "run")));
  config.model.heads = 3;
  const auto refused = Trainer::start(config, headless(in(folder, "run")));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::Usage);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // the sanitizers have their own allocators
TEST_CASE("A run without memory for the watched parameters of a window ends with a message") {
  CHECK(inChild([] {
          RunConfig config = smallMarkov();
          config.model.d_model = 1024;
          config.model.d_ff = 10'000;
          config.optimisation.rule.rule = nn::Rule::Sgd;
          config.schedule.evaluateEvery = config.schedule.scoresEvery = 0;
          TrainerOptions options = headless({});
          options.paused = true;
          const auto trainer = started(config, options);
          look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; });
          const MemoryLimit limit(std::size_t{16} << 20);
          if (!limit.holds()) return 0;
          trainer->send({CommandKind::Watch, 0, {"layers.0.feed_forward.W_1.weight"}});  // 41 MB
          trainer->send({.kind = CommandKind::Stop});
          const Result<void> ended = trainer->finish();
          if (ended || !isSentence(ended.error().message, "out of memory")) return 1;
          trainer->refresh();
          const Snapshot& last = trainer->latest();
          return last.state == RunState::Failed && last.sentence == ended.error().message ? 0 : 2;
        }) == 0);
}
#endif

TEST_CASE("A run that diverges ends with a message, and its last good checkpoint is kept") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.optimisation.rule = {nn::Rule::Sgd, 1e30};
  config.schedule.saveEvery = 1;
  TrainerOptions options = headless(in(folder, "run"));
  const auto trainer = started(config, options);
  const std::string sentence = failure(*trainer, ErrorKind::CheckFailed);
  INFO(sentence);
  CHECK(sentence.find("learning rate 1e+30") != std::string::npos);
  trainer->refresh();
  CHECK(trainer->latest().state == RunState::Failed);
  CHECK(trainer->latest().sentence == sentence);
  const RunRecord record = recordOf(options.folder);
  CHECK(record.state == RunState::Failed);
  CHECK(record.sentence == sentence);
  const std::int64_t good = savedSteps(options.folder).back();
  CHECK(sentence.find("the last good checkpoint is " + checkpointFolder(options.folder, good)) != std::string::npos);
  // The checkpoint is good: its parameters can be read and have a finite loss.
  ThreadPool pool(1);
  const auto source = data::makeSource(config.data);
  REQUIRE(source);
  RunConfig whole = config;
  REQUIRE(resolve(whole, **source));
  Stepper stepper(whole, **source, pool);
  auto state = readCheckpoint(checkpointFolder(options.folder, good), stepper.layout());
  REQUIRE(state);
  stepper.load(std::move(*state));
  CHECK(std::isfinite(stepper.validate().value));
}

TEST_CASE("A full disk ends a run with a message, saved data are kept, and the run resumes when there is space") {
  const RunFolder folder;
  const RunConfig config = smallDiffusion();
  const std::string whole = in(folder, "whole"), hurt = in(folder, "hurt");
  finished(*started(config, headless(whole)));
  TrainerOptions options = headless(hurt);
  options.paced = true;
  std::int64_t reached = 0;
  {
    const auto trainer = started(config, options);
    trainer->runSteps(7);
    {
      const FileSizeLimit full(4096);
      trainer->runSteps(100);
      const std::string sentence = failure(*trainer, ErrorKind::OutputFailed);
      INFO(sentence);
      CHECK(sentence.find(hurt) != std::string::npos);
    }
    trainer->refresh();
    CHECK(trainer->latest().state == RunState::Failed);
    reached = trainer->latest().step;
    CHECK(reached >= 7);
    CHECK(reached < config.schedule.steps);
  }
  CHECK(savedSteps(hurt) == std::vector<std::int64_t>{0, 6});
  CHECK(readCheckpoint(checkpointFolder(hurt, 6), nn::ParameterLayout([&] {
                         nn::ModelConfig model = config.model;
                         model.vocabulary = 54;
                         return model;
                       }())));
  const Numbers kept = numbers(hurt);
  for (std::int64_t step = 1; step <= reached; ++step)
    CHECK(kept.count({"loss", -1, -1, step}) == 1);
  options.paced = false;
  options.resume = true;
  finished(*started(config, options));
  requireSameRun(whole, hurt, config.schedule.steps);
}
