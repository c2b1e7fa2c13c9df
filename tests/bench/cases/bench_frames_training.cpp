// SPDX-License-Identifier: Apache-2.0
// Benchmark of frames of the whole interface while a decoder trains at full speed in the background, and of the effect
// of the frames on the speed of training. The pointer moves 60 times a second.
#include "tests/bench/cases/bench.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/cli/text.h"
#include "engine/core/clock.h"
#include "engine/core/try.h"
#include "engine/train/trainer.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kFrames = 300, kFramesUnmeasured = 30;
constexpr std::chrono::microseconds kInterval{1'000'000 / 60};

/// A decoder of 2.4 million parameters that keeps every core busy; a step takes longer than a frame.
train::RunConfig decoder() {
  train::RunConfig config;
  config.name = "frames";
  config.model.d_model = 192;
  config.model.layers = 5;
  config.model.heads = 6;
  config.model.length = 128;
  config.model.vocabulary = 0;
  config.data.kind = data::SourceKind::English;
  config.data.sentences = 2000;
  config.optimisation.rule.rule = nn::Rule::AdamW;
  config.optimisation.rule.learningRate = 1e-3;
  config.schedule.steps = 1'000'000;
  config.schedule.evaluateEvery = 0;
  config.schedule.scoresEvery = 20;
  return config;
}

struct DragRow {
  Measurement frames;
  double late = 0;     ///< share of frames that took more than 1/30 s
  double longest = 0;  ///< ms
};

/// Draws a frame every 1/60 s while the pointer drags a point. A measurement begins with taking the trainer's snapshot
/// and ends with the finished picture.
Result<DragRow> drag(Headless& headless, render::Point from, train::Trainer* trainer, std::string name,
                     std::string what) {
  DragRow row{{std::move(name), std::move(what), {}}};
  Clock::time_point due = Clock::now();
  for (int i = -kFramesUnmeasured; i < kFrames; ++i) {
    due += kInterval;
    std::this_thread::sleep_until(due);
    const Clock::time_point start = Clock::now();
    due = std::max(due, start);  // a late frame delays the next ones instead of shortening their intervals
    if (trainer != nullptr) trainer->refresh();
    SEPX_TRY(headless.frame({ui::PointerMoved{from.x + i % 97, from.y + i % 23}}));
    headless.context().waitIdle();  // until the picture is finished, not only submitted
    if (i >= 0) row.frames.milliseconds.push_back(millisecondsSince(start));
  }
  const std::vector<double>& all = row.frames.milliseconds;
  row.longest = *std::max_element(all.begin(), all.end());
  row.late = static_cast<double>(std::count_if(all.begin(), all.end(), [](double ms) { return ms > 1000.0 / 30; })) /
             static_cast<double>(all.size());
  return row;
}

/// Steps per second of an undisturbed trainer, measured over `time`.
double stepsPerSecond(train::Trainer& trainer, milliseconds time) {
  trainer.refresh();
  const auto before = trainer.latest().step;
  const Clock::time_point start = Clock::now();
  std::this_thread::sleep_for(time);
  trainer.refresh();
  return 1000.0 * static_cast<double>(trainer.latest().step - before) / millisecondsSince(start);
}

}  // namespace

Result<BenchResult> benchFramesTraining(const Options& common) {
  SEPX_ASSIGN(const OnePoint prepared, withOnePoint(common));
  Headless& headless = *prepared.headless;
  SEPX_TRY(press(headless, prepared.handle));

  SEPX_ASSIGN(const DragRow alone,
              drag(headless, prepared.handle, nullptr, "alone", tr(N_("a frame while nothing trains"))));

  train::TrainerOptions options;
  options.threads = common.threads;
  SEPX_ASSIGN(auto trainer, train::Trainer::start(decoder(), options));
  while (trainer->refresh(), trainer->latest().state == train::RunState::Preparing)
    std::this_thread::sleep_for(milliseconds(20));
  stepsPerSecond(*trainer, milliseconds(1000));
  const double free = stepsPerSecond(*trainer, milliseconds(4000));
  const std::int64_t before = trainer->latest().step;
  const Clock::time_point start = Clock::now();
  SEPX_ASSIGN(const DragRow beside, drag(headless, prepared.handle, trainer.get(), "training",
                                         tr(N_("a frame while a decoder trains at full speed"))));
  trainer->refresh();
  const double disturbed = 1000.0 * static_cast<double>(trainer->latest().step - before) / millisecondsSince(start);
  if (trainer->latest().state != train::RunState::Running) return fail(ErrorKind::Internal, trainer->latest().sentence);

  BenchResult result{"frames-training",
                     {beside.frames, alone.frames},
                     "training / alone",
                     beside.frames.median() / alone.frames.median(),
                     headless.context().info().name};
  result.amounts = {{"late-share", tr(N_("share of frames above 1/30 s while training")), beside.late},
                    {"longest-ms", tr(N_("longest frame while training, ms")), beside.longest},
                    {"steps-free", tr(N_("steps a second while nothing is drawn")), free},
                    {"steps-drawing", tr(N_("steps a second while 60 frames a second are drawn")), disturbed}};
  return result;
}

}  // namespace sepx::app::cli
