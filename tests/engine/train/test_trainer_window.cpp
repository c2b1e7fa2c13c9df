// SPDX-License-Identifier: Apache-2.0
// A run that a window or a script watches and changes: commands, frames, snapshots.
#include <cmath>

#include "engine/core/frame_gate.h"
#include "engine/train/checkpoint_writer.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A window pauses a run, makes single steps, and lets it continue") {
  RunConfig config = smallMarkov();
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

TEST_CASE("A run that starts paused makes no step and is never shown as running before it continues") {
  TrainerOptions options;
  options.threads = 1;
  options.paused = true;
  const auto trainer = started(smallMarkov(), options);
  const Snapshot first = look(*trainer, [](const Snapshot& s) { return s.state != RunState::Preparing; });
  CHECK(first.state == RunState::Paused);
  CHECK(first.step == 0);
  REQUIRE(trainer->send({CommandKind::Step, 2, {}}));
  look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused && s.step == 2; });
  REQUIRE(trainer->send({CommandKind::Continue, 0, {}}));
  finished(*trainer);
}

TEST_CASE("A script makes exactly the requested steps and changes rate, end and watched parameters between them") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  const auto trainer = started(smallMarkov(), options);
  trainer->runSteps(5);
  trainer->refresh();
  CHECK(trainer->latest().step == 5);
  CHECK(trainer->latest().metrics.size() >= 15);
  REQUIRE(trainer->send({CommandKind::SetRate, 7, {}}));
  REQUIRE(trainer->send({CommandKind::SetRate, 0.5, {}}));  // the last valid value applies
  REQUIRE(trainer->send({CommandKind::SetRate, -1, {}}));   // out of range
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
  // A window may move the end of a finished run.
  REQUIRE(trainer->send({CommandKind::SetSteps, 9, {}}));
  look(*trainer, [](const Snapshot& s) { return s.state == RunState::Running; });
  trainer->runSteps(100);
  CHECK(look(*trainer, [](const Snapshot& s) { return s.state == RunState::Finished; }).step == 9);
  CHECK(recordOf(options.folder).steps == 9);
  const auto reader = RunReader::open(options.folder);
  REQUIRE(reader);
  CHECK((*reader)->events()->size() >= 3);
}

TEST_CASE("A decay that SetSteps stretches gives a window the same notice as --resume") {
  RunConfig config = smallMarkov();
  config.optimisation.decay = Decay::Linear;
  config.optimisation.floor = 1e-3;
  TrainerOptions options = headless({});
  options.paced = true;
  const auto trainer = started(config, options);
  trainer->runSteps(20);
  trainer->refresh();
  CHECK(trainer->latest().notice.empty());
  REQUIRE(trainer->send({CommandKind::SetSteps, 80, {}}));
  const Snapshot& told = look(*trainer, [](const Snapshot& s) { return s.steps == 80; });
  CHECK(
      told.notice ==
      "the linear decay now spans 80 steps in place of 40: the learning rate of step 21 is 0.00775 in place of 0.0055");
}

TEST_CASE("The learning rate that a window set is still set after a resume") {
  const RunFolder folder;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  {
    const auto trainer = started(smallMarkov(), options);
    trainer->runSteps(3);
    trainer->send({CommandKind::SetRate, 0.25, {}});
    trainer->runSteps(1);
  }
  options.resume = true;
  const auto trainer = started(smallMarkov(), options);
  trainer->runSteps(1);
  trainer->refresh();
  CHECK(trainer->latest().step == 5);
  CHECK(trainer->latest().rate == Approx(0.25e-2));
}

TEST_CASE("Changes after the last checkpoint are made again after a kill") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
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
    trainer->send({CommandKind::SetSteps, 44, {}});  // a cosine decay to another end
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

TEST_CASE("A checkpoint that was saved by time is kept if the user saves the same step") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
  config.schedule.saveEvery = 0;
  config.schedule.saveSeconds = 1;
  TrainerOptions options = headless(in(folder, "run"));
  options.paced = true;
  const auto trainer = started(config, options);
  const auto saveByTime = [&] {
    std::this_thread::sleep_for(milliseconds(1100));
    trainer->runSteps(1);
    trainer->refresh();
    return trainer->latest().savedStep;
  };
  const std::int64_t kept = saveByTime();
  REQUIRE(kept > 0);
  trainer->send({CommandKind::Save, 0, {}});
  const std::int64_t replaced = saveByTime();
  const std::int64_t last = saveByTime();
  CHECK(savedSteps(options.folder) == std::vector<std::int64_t>{0, kept, last});
  CHECK(kept < replaced);
  CHECK(replaced < last);
}

TEST_CASE("Steps between two frames are limited if a window requests it") {
  RunConfig config = smallMarkov();
  config.schedule.steps = 1000000;
  TrainerOptions options;
  options.threads = 1;
  const auto trainer = started(config, options);
  trainer->send({CommandKind::Pause, 0, {}});
  const std::int64_t at = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step;
  trainer->send({CommandKind::StepsPerFrame, 2, {}});
  const auto start = std::chrono::steady_clock::now();
  trainer->send({CommandKind::Continue, 0, {}});
  std::this_thread::sleep_for(milliseconds(250));  // no frame is drawn
  trainer->send({CommandKind::Pause, 0, {}});
  const std::int64_t made = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step - at;
  const double tenths = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 10;
  CHECK(made <= static_cast<std::int64_t>(2 * (tenths + 3)));
}

TEST_CASE("A trainer in the background waits while a frame is drawn, and a headless one does not") {
  RunConfig config = smallMarkov();
  config.schedule.steps = 1000000;
  for (const bool background : {true, false}) {
    TrainerOptions options;
    options.threads = 1;
    options.background = background;
    const auto trainer = started(config, options);
    look(*trainer, [](const Snapshot& s) { return s.step > 0; });
    const FrameInProgress frame;
    // A snapshot after this one was taken during the frame.
    trainer->refresh();
    const std::int64_t before = trainer->latest().step;
    const std::int64_t at = look(*trainer, [&](const Snapshot& s) { return s.step > before; }).step;
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(milliseconds(300));
    trainer->send({CommandKind::Pause, 0, {}});
    const std::int64_t made = look(*trainer, [](const Snapshot& s) { return s.state == RunState::Paused; }).step - at;
    const double waits = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 0.05;
    if (background) {
      CHECK(made > 0);  // a frame that never ends does not stop the trainer
      CHECK(static_cast<double>(made) < waits + 3);
    } else {
      CHECK(static_cast<double>(made) > waits);
    }
  }
}

TEST_CASE("Numbers that a window shows are already in the store") {
  const RunFolder folder;
  RunConfig config = smallMarkov();
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

TEST_CASE("A run that saves at every step still shows its progress") {
  RunFolder folder;
  RunConfig config = smallMarkov();
  config.schedule.steps = 10'000'000;
  config.schedule.saveEvery = 1;
  const auto trainer = started(config, headless(in(folder, "often")));
  look(*trainer, [](const Snapshot& now) { return now.step > 20; });
  trainer->send({CommandKind::Stop, 0, {}});
  CHECK_FALSE(trainer->finish());
}
