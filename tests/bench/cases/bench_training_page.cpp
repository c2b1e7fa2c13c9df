// SPDX-License-Identifier: Apache-2.0
// Benchmark of frames of the Training exhibit: while its two runs train, and while the slider moves through a run whose
// matrices are stored at each of 2,000 steps.
#include <algorithm>
#include <chrono>
#include <thread>

#include "app/cli/text.h"
#include "app/data_files.h"
#include "engine/core/clock.h"
#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/train/trainer.h"
#include "tests/bench/cases/bench.h"
#include "tests/bench/cases/bench_checkpoints.h"
#include "ui/runs/runs.h"

namespace sepx::app::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPageFrames = 600, kPageWarmUp = 60, kScrubs = 400;
constexpr std::int64_t kSteps = 2000, kStride = 777;  // consecutive visits are far apart, and no step is visited twice
constexpr std::chrono::microseconds kPageInterval{1'000'000 / 60};
constexpr double kLate = 1000.0 / 30;

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

Result<std::unique_ptr<Headless>> withSession(const Options& common, const std::string& path, const std::string& text) {
  SEPX_TRY(writeFile(path, text));
  SEPX_ASSIGN(auto headless, Headless::create(common, Drawing::EveryFrame));
  SEPX_TRY(headless->workbench().open(path));
  SEPX_TRY(headless->frame());
  return headless;
}

Result<double> number(Headless& headless, std::string_view key) {
  SEPX_ASSIGN(const ui::Value value, headless.workbench().get(key));
  const auto* const found = std::get_if<double>(&value);
  return found ? *found : 0;
}

/// Measures the frames after Start, at most 60 a second.
Result<void> whileTraining(const Options& common, BenchResult& result) {
  const BenchFolder folder;
  Options options = common;
  options.outDir = folder.path();
  SEPX_ASSIGN(auto headless,
              withSession(options, folder.path() + "/race.sepx",
                          R"({"version":1,"exhibit":"training","training":{"experiment":"encoder-decoder"}})"));
  ui::Workbench& workbench = headless->workbench();
  workbench.runs().setPaced(false);  // as in a window: frames do not wait for steps
  SEPX_TRY(workbench.run("training.start"));
  const Clock::time_point pressed = Clock::now();
  double moving = 0, first = 0;
  std::vector<double> frames;
  Clock::time_point due = Clock::now(), start{};
  for (int i = -kPageWarmUp; i < kPageFrames; ++i) {
    due = std::max(due + kPageInterval, Clock::now());
    std::this_thread::sleep_until(due);
    if (i == 0) {
      start = Clock::now();
      SEPX_ASSIGN(first, number(*headless, "training.runs[0].step"));
    }
    const Clock::time_point begun = Clock::now();
    SEPX_TRY(headless->frame());
    headless->context().waitIdle();
    if (i >= 0) frames.push_back(millisecondsSince(begun));
    if (moving > 0) continue;
    SEPX_ASSIGN(const double step, number(*headless, "training.runs[0].step"));
    if (step > 0) moving = millisecondsSince(pressed);
  }
  const double seconds = millisecondsSince(start) / 1000;
  SEPX_ASSIGN(const double last, number(*headless, "training.runs[0].step"));
  const auto late = static_cast<double>(std::ranges::count_if(frames, [](double ms) { return ms > kLate; }));
  result.amounts.push_back({"first-step-ms", tr(N_("from Start to the first frame with a step, ms")), moving});
  result.amounts.push_back({"frames-a-second", tr(N_("frames a second while two runs train, at most 60")),
                            static_cast<double>(frames.size()) / seconds});
  result.amounts.push_back(
      {"late-share", tr(N_("share of these frames above 1/30 s")), late / static_cast<double>(frames.size())});
  result.amounts.push_back({"frame-p95-ms", tr(N_("95th percentile of these frames, ms")), percentile(frames, 0.95)});
  result.amounts.push_back(
      {"steps-a-second", tr(N_("steps per second of each run during these frames")), (last - first) / seconds});
  result.measurements.push_back({"training", tr(N_("a frame while two runs train")), std::move(frames)});
  return {};
}

Result<void> whileScrubbing(const Options& common, BenchResult& result) {
  const BenchFolder folder;
  SEPX_ASSIGN(train::RunConfig config, train::readRunConfig(assetsFolder() + "/configs/small-encoder.json"));
  config.schedule.steps = kSteps;
  config.schedule.storeEvery = 1;
  train::TrainerOptions options;
  options.folder = folder.path() + "/run";
  options.threads = common.threads;
  options.background = false;
  SEPX_ASSIGN(auto trainer, train::Trainer::start(config, options));
  SEPX_TRY(trainer->finish());
  trainer.reset();
  SEPX_ASSIGN(
      auto headless,
      withSession(common, folder.path() + "/run.sepx",
                  R"({"version":1,"exhibit":"training","training":{"page":"structure","runs":[{"folder":"run"}]}})"));
  SEPX_TRY(headless->settle());
  ui::Workbench& workbench = headless->workbench();
  Measurement frames{"scrub", tr(N_("slider to a far step of 2,000 until the frame with its matrix is drawn")), {}};
  for (std::int64_t i = 1; i <= kScrubs; ++i) {
    const auto step = static_cast<double>(i * kStride % kSteps);
    const Clock::time_point begun = Clock::now();
    SEPX_TRY(workbench.set("training.step", step, "scrub"));
    for (int k = 0; k < 1000; ++k) {
      SEPX_TRY(headless->frame());
      headless->context().waitIdle();
      SEPX_ASSIGN(const double shown, number(*headless, "training.runs[0].form.step"));
      if (shown == step) break;
    }
    frames.milliseconds.push_back(millisecondsSince(begun));
  }
  result.amounts.push_back(
      {"scrub-p95-ms", tr(N_("95th percentile of the slider steps, ms")), percentile(frames.milliseconds, 0.95)});
  result.measurements.push_back(std::move(frames));
  return {};
}

}  // namespace

Result<BenchResult> benchTrainingPage(const Options& common) {
  BenchResult result{.name = "train-page"};
  SEPX_TRY(whileTraining(common, result));
  SEPX_TRY(whileScrubbing(common, result));
  return result;
}

}  // namespace sepx::app::cli
