// SPDX-License-Identifier: Apache-2.0
// A run on its own thread: what it leaves in the store, commands, resume, branches, and every way to end.
#include <cmath>
#include <map>
#include <thread>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/frame_gate.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "engine/train/trainer.h"
#include "tests/engine/train/small_runs.h"

using namespace sepx;
using namespace sepx::train;
using std::chrono::milliseconds;
using test::in;
using test::RunFolder;

namespace {

TrainerOptions headless(const std::string& folder, int threads = 1) {
  TrainerOptions options;
  options.folder = folder;
  options.threads = threads;
  options.background = false;
  return options;
}

std::unique_ptr<Trainer> started(const RunConfig& config, const TrainerOptions& options) {
  auto trainer = Trainer::start(config, options);
  INFO((trainer ? "" : trainer.error().sentence));
  REQUIRE(trainer);
  return std::move(*trainer);
}

std::string failure(Trainer& trainer, ErrorKind kind) {
  const Result<void> ended = trainer.finish();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().kind == kind);
  CHECK(ended.error().sentence.find('\n') == std::string::npos);
  return ended.error().sentence;
}

void finished(Trainer& trainer) {
  const Result<void> ended = trainer.finish();
  INFO((ended ? "" : ended.error().sentence));
  REQUIRE(ended);
}

/// Looks at the trainer as a window does until `seen`; fails after ten seconds.
template <class Seen>
const Snapshot& look(Trainer& trainer, Seen seen) {
  for (int i = 0; i < 10000; ++i) {
    trainer.refresh();
    if (seen(trainer.latest())) return trainer.latest();
    std::this_thread::sleep_for(milliseconds(1));
  }
  FAIL("not seen within ten seconds");
  return trainer.latest();
}

/// name, layer, head, step -> value
using Numbers = std::map<std::tuple<std::string, int, int, std::int64_t>, double>;
Numbers numbers(const std::string& folder) {
  auto reader = RunReader::open(folder);
  INFO((reader ? "" : reader.error().sentence));
  REQUIRE(reader);
  const auto all = (*reader)->series();
  REQUIRE(all);
  Numbers found;
  for (const Series& series : *all)
    for (std::size_t i = 0; i < series.steps.size(); ++i)
      found[{series.name, series.layer, series.head, series.steps[i]}] = series.values[i];
  return found;
}

RunRecord recordOf(const std::string& folder) {
  auto reader = RunReader::open(folder);
  REQUIRE(reader);
  const auto record = (*reader)->record();
  REQUIRE(record);
  return *record;
}

std::string fileOf(const std::string& folder, std::int64_t step, const char* name) {
  const Result<std::string> bytes = readFile(checkpointFolder(folder, step) + "/" + name);
  REQUIRE(bytes);
  return *bytes;
}

void requireSameRun(const std::string& a, const std::string& b, std::int64_t step) {
  CHECK(numbers(a) == numbers(b));
  for (const char* file : {"state.safetensors", "model.safetensors", "config.json"})
    CHECK(fileOf(a, step, file) == fileOf(b, step, file));
}

}  // namespace

TEST_CASE("A run leaves its metrics, its checkpoints and how it ended") {
  const RunFolder folder;
  const auto trainer = started(test::smallMarkov(), headless(in(folder, "run")));
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
  CHECK_FALSE(difference(*config, test::smallMarkov()));
}

TEST_CASE("The same seed gives the same metrics on one thread and on two, another seed gives others") {
  const RunFolder folder;
  for (RunConfig config : {test::smallMarkov(), test::smallDiffusion()}) {
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

TEST_CASE("A run that was stopped goes on as if it had not been") {
  const RunFolder folder;
  for (const RunConfig& config : {test::smallMarkov(), test::smallDiffusion()}) {
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
    // Once more: there is nothing left to do.
    finished(*started(config, options));
    requireSameRun(whole, parts, config.schedule.steps);
  }
}

TEST_CASE("A damaged checkpoint is passed over for the one before; without any nothing is begun again unasked") {
  const RunFolder folder;
  const RunConfig config = test::smallMarkov();
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
    CHECK(trainer->latest().notice.find("going on from step 30") != std::string::npos);
  }
  requireSameRun(whole, hurt, 40);
  for (const std::int64_t step : {10, 20, 30, 40})
    std::filesystem::remove_all(checkpointFolder(hurt, step));
  finished(*started(config, again));  // from its start
  requireSameRun(whole, hurt, 40);
  again.steps = 30;
  CHECK(failure(*started(config, again), ErrorKind::Usage).find("40 steps are made already") != std::string::npos);
  again.steps = 0;
  for (const std::int64_t step : savedSteps(hurt))
    REQUIRE(writeFile(checkpointFolder(hurt, step) + "/state.safetensors", "no tensors"));
  CHECK(failure(*started(config, again), ErrorKind::BadInput).find("no checkpoint of") != std::string::npos);
  std::filesystem::remove_all(hurt + "/checkpoints");
  CHECK(failure(*started(config, again), ErrorKind::BadInput).find("has no checkpoints") != std::string::npos);
  CHECK(numbers(whole) == numbers(hurt));
}

TEST_CASE("A run killed before its first checkpoint begins where it began") {
  const RunFolder folder;
  const RunConfig config = test::smallMarkov();
  const std::string whole = in(folder, "whole"), hurt = in(folder, "hurt");
  finished(*started(config, headless(whole)));
  {
    RunRecord record;
    record.config = toJson(config).dump();
    REQUIRE(RunWriter::create(hurt, record));
  }
  TrainerOptions again = headless(hurt);
  again.resume = true;
  finished(*started(config, again));
  requireSameRun(whole, hurt, 40);
}

TEST_CASE("A resume with another config, a second run in a folder and a folder that cannot be are refused") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
  const std::string run = in(folder, "run");
  finished(*started(config, headless(run)));
  TrainerOptions again = headless(run);
  CHECK(failure(*started(config, again), ErrorKind::Usage).find("--resume") != std::string::npos);
  again.resume = true;
  config.optimisation.rule.learningRate = 0.5;
  CHECK(
      failure(*started(config, again), ErrorKind::Usage).find("optimisation.learning_rate 0.01, the config says 0.5") !=
      std::string::npos);
  CHECK(numbers(run).count({"loss", -1, -1, 40}) == 1);
  config = test::smallMarkov();
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

TEST_CASE("A resume on another text than the run was begun with is refused") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
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

TEST_CASE("A run whose data cannot be had ends with that sentence and leaves nothing") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
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

TEST_CASE("A window pauses a run, makes single steps, and lets it go on") {
  RunConfig config = test::smallMarkov();
  config.schedule.steps = 1000000;
  TrainerOptions options;
  options.threads = 1;
  const auto trainer = started(config, options);
  look(*trainer, [](const Snapshot& s) { return s.step > 0; });
  REQUIRE(trainer->send({CommandKind::Pause, 0, {}}));
  const std::int64_t at = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step;
  std::this_thread::sleep_for(milliseconds(30));
  trainer->refresh();
  CHECK(trainer->latest().step == at);
  REQUIRE(trainer->send({CommandKind::Step, 3, {}}));
  look(*trainer, [at](const Snapshot& s) { return s.state == RunState::Paused && s.step == at + 3; });
  REQUIRE(trainer->send({CommandKind::Step, std::nan(""), {}}));
  REQUIRE(trainer->send({CommandKind::Step, 1, {}}));
  look(*trainer, [at](const Snapshot& s) { return s.state == RunState::Paused && s.step == at + 4; });
  REQUIRE(trainer->send({CommandKind::Continue, 0, {}}));
  look(*trainer, [at](const Snapshot& s) { return s.state == RunState::Running && s.step > at + 10; });
  REQUIRE(trainer->send({CommandKind::Stop, 0, {}}));
  CHECK(failure(*trainer, ErrorKind::Interrupted).find("nothing was kept") != std::string::npos);
  look(*trainer, [](const Snapshot& s) { return s.state == RunState::Stopped; });
}

TEST_CASE("A script makes exactly the steps it asks for and changes rate, end and what it watches between them") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  const auto trainer = started(test::smallMarkov(), options);
  trainer->runSteps(5);
  trainer->refresh();
  CHECK(trainer->latest().step == 5);
  CHECK(trainer->latest().metrics.size() >= 15);
  REQUIRE(trainer->send({CommandKind::SetRate, 7, {}}));
  REQUIRE(trainer->send({CommandKind::SetRate, 0.5, {}}));  // the last one counts
  REQUIRE(trainer->send({CommandKind::SetRate, -1, {}}));   // outside its range
  REQUIRE(trainer->send({CommandKind::Watch, 0, {"embedding.weight", "no such thing"}}));
  trainer->runSteps(1);
  trainer->refresh();
  CHECK(trainer->latest().rate == Approx(0.5e-2));
  REQUIRE(trainer->latest().matrices.size() == 1);
  CHECK(trainer->latest().matrices[0].rows == 2);
  CHECK(trainer->latest().matrices[0].columns == 8);
  CHECK(trainer->latest().matrices[0].values.size() == 16);
  const MatrixSnapshot& watched = trainer->latest().matrices[0];
  REQUIRE(watched.singular.size() == 2);
  REQUIRE(watched.left.size() == 2);
  REQUIRE(watched.right.size() == 8);
  double square = 0, largest = 0;  // |W|^2 = sum of sigma^2, and left^T W right = sigma_1
  for (std::size_t i = 0; i < 16; ++i) {
    square += static_cast<double>(watched.values[i]) * static_cast<double>(watched.values[i]);
    largest += watched.left[i / 8] * static_cast<double>(watched.values[i]) * watched.right[i % 8];
  }
  CHECK(std::pow(watched.singular[0], 2) + std::pow(watched.singular[1], 2) == Approx(square));
  CHECK(largest == Approx(watched.singular[0]));
  REQUIRE(trainer->send({CommandKind::Save, 0, {}}));
  look(*trainer, [](const Snapshot& s) { return s.savedStep == 6; });
  REQUIRE(trainer->send({CommandKind::SetSteps, 8, {}}));
  trainer->runSteps(100);
  finished(*trainer);
  trainer->refresh();
  CHECK(trainer->latest().step == 8);
  CHECK(trainer->latest().state == RunState::Finished);
  CHECK(savedSteps(options.folder) == std::vector<std::int64_t>{0, 6, 8});
  // A window may move the end of a run that has reached it.
  REQUIRE(trainer->send({CommandKind::SetSteps, 9, {}}));
  look(*trainer, [](const Snapshot& s) { return s.state == RunState::Running; });
  trainer->runSteps(100);
  CHECK(look(*trainer, [](const Snapshot& s) { return s.state == RunState::Finished; }).step == 9);
  CHECK(recordOf(options.folder).steps == 9);
  const auto reader = RunReader::open(options.folder);
  REQUIRE(reader);
  CHECK((*reader)->events()->size() >= 3);
}

TEST_CASE("The rate that a window set is still set after a resume") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  {
    const auto trainer = started(test::smallMarkov(), options);
    trainer->runSteps(3);
    trainer->send({CommandKind::SetRate, 0.25, {}});
    trainer->runSteps(1);
  }
  options.resume = true;
  const auto trainer = started(test::smallMarkov(), options);
  trainer->runSteps(1);
  trainer->refresh();
  CHECK(trainer->latest().step == 5);
  CHECK(trainer->latest().rate == Approx(0.25e-2));
}

TEST_CASE("What was changed after the last checkpoint is changed again where a kill lost it") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
  config.optimisation.decay = Decay::Cosine;
  const std::string whole = in(folder, "whole"), hurt = in(folder, "hurt");
  for (const std::string& run : {whole, hurt}) {
    TrainerOptions options = headless(run);
    options.paced = true;
    const auto trainer = started(config, options);
    trainer->runSteps(20);
    trainer->send({CommandKind::SetRate, 1.0 / 3, {}});
    trainer->runSteps(3);
    trainer->send({CommandKind::SetRate, 0.1, {}});
    trainer->send({CommandKind::SetSteps, 44, {}});  // a cosine to another end
    trainer->runSteps(21);
    finished(*trainer);
  }
  for (const std::int64_t step : {30, 40, 44})
    std::filesystem::remove_all(checkpointFolder(hurt, step));
  TrainerOptions again = headless(hurt);
  again.resume = true;
  finished(*started(config, again));
  requireSameRun(whole, hurt, 44);
}

TEST_CASE("Steps between two frames are limited where a window asks for it") {
  RunConfig config = test::smallMarkov();
  config.schedule.steps = 1000000;
  TrainerOptions options;
  options.threads = 1;
  const auto trainer = started(config, options);
  trainer->send({CommandKind::Pause, 0, {}});
  const std::int64_t at = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step;
  trainer->send({CommandKind::StepsPerFrame, 2, {}});
  const auto start = std::chrono::steady_clock::now();
  trainer->send({CommandKind::Continue, 0, {}});
  std::this_thread::sleep_for(milliseconds(250));  // nobody looks
  trainer->send({CommandKind::Pause, 0, {}});
  const std::int64_t made = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step - at;
  const double tenths = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 10;
  CHECK(made <= static_cast<std::int64_t>(2 * (tenths + 3)));
}

TEST_CASE("A trainer in the background waits while a frame is made, a headless one does not") {
  RunConfig config = test::smallMarkov();
  config.schedule.steps = 1000000;
  for (const bool background : {true, false}) {
    TrainerOptions options;
    options.threads = 1;
    options.background = background;
    const auto trainer = started(config, options);
    look(*trainer, [](const Snapshot& s) { return s.step > 0; });
    const FrameInProgress frame;
    std::this_thread::sleep_for(milliseconds(150));
    trainer->refresh();
    const std::int64_t at = trainer->latest().step;
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(milliseconds(300));
    trainer->send({CommandKind::Pause, 0, {}});
    const std::int64_t made = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step - at;
    const double waits = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 0.05;
    if (background) {
      CHECK(made > 0);  // a frame that never ends stops nobody
      CHECK(static_cast<double>(made) < waits + 3);
    } else {
      CHECK(static_cast<double>(made) > waits);
    }
  }
}

TEST_CASE("What a window sees is in the store already") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
  config.schedule.steps = 300;
  TrainerOptions options;
  options.threads = 2;
  options.folder = in(folder, "run");
  const auto trainer = started(config, options);
  std::int64_t seen = 0;
  while (!trainer->waitFor(milliseconds(2))) {
    if (!trainer->refresh()) continue;
    const Snapshot now = trainer->latest();
    CHECK(now.step >= seen);
    seen = now.step;
    if (now.step == 0) continue;
    const Numbers kept = numbers(options.folder);
    CHECK(kept.at({"loss", -1, -1, now.step}) == now.loss);
    for (const Metric& metric : now.metrics)
      CHECK(kept.at({std::string(metricName(metric.name)), metric.layer, metric.head, metric.step}) == metric.value);
  }
  finished(*trainer);
}

TEST_CASE("A run that diverges ends with a sentence, and its last good checkpoint stays") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
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
  const std::int64_t step = trainer->latest().step;
  const RunRecord record = recordOf(options.folder);
  CHECK(record.state == RunState::Failed);
  CHECK(record.sentence == sentence);
  CHECK(record.step == step);
  CHECK(sentence.find("the last good checkpoint is") != std::string::npos);
  CHECK(savedSteps(options.folder).back() == step);
  CHECK(readCheckpoint(checkpointFolder(options.folder, step), nn::ParameterLayout(config.model)));
}

TEST_CASE("A branch goes on from a saved step of another run") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
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
  CHECK(refusal(21, config).find("saved are 0, 10, 20, 30, 40") != std::string::npos);
  CHECK(refusal(40, config).find("schedule.steps is 40") != std::string::npos);
  config.model.d_model = 16;
  CHECK(refusal(20, config).find("its model is not the config's") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(in(folder, "no")));
  // The checkpoints are enough.
  config = test::smallMarkov();
  REQUIRE(writeFile(parent + "/run.sqlite", "damaged"));
  const auto saved = Trainer::branch(parent, 20, config, headless(in(folder, "saved")));
  REQUIRE(saved);
  finished(**saved);
  CHECK(numbers(in(folder, "saved")) == twin);
}

TEST_CASE("Only the newest checkpoints stay where the config says so") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
  config.schedule.keep = 2;
  finished(*started(config, headless(in(folder, "run"))));
  CHECK(savedSteps(in(folder, "run")) == std::vector<std::int64_t>{30, 40});
}

TEST_CASE("A trainer may be let go in every state") {
  const RunFolder folder;
  RunConfig config = test::smallMarkov();
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
    CHECK(taken == 64);  // nobody takes them any more
  }
}
