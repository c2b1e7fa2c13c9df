// SPDX-License-Identifier: Apache-2.0
// Benchmark of the library of runs. A folder of 1,000 runs is read without the cache (to the first rows, and
// completely), from the cache, and again with a known list. The page is measured from setting the folder to the settled
// picture. The runs are copies of one run of 60 steps.
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/cli/text.h"
#include "app/data_files.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/train/run_library.h"
#include "engine/train/trainer.h"
#include "tests/bench/cases/bench.h"
#include "tests/bench/cases/bench_checkpoints.h"

namespace sepx::app::cli {
namespace {

namespace fs = std::filesystem;
constexpr int kRuns = 1000;

}  // namespace

Result<void> writeBenchRuns(const std::string& folder, int count) {
  SEPX_ASSIGN(auto config, train::readRunConfig(assetsFolder() + "/configs/small-encoder.json"));
  config.schedule.steps = 60;
  config.schedule.evaluateEvery = config.schedule.scoresEvery = 20;
  train::TrainerOptions options;
  options.folder = folder + "/one";
  SEPX_ASSIGN(auto trainer, train::Trainer::start(config, options));
  SEPX_TRY(trainer->finish());
  trainer.reset();
  std::error_code error;
  for (int i = 0; i < count && !error; ++i) {
    const std::string run = fmt::format("{}/runs/run-{:04}", folder, i);
    fs::create_directories(run, error);
    if (!error) fs::copy_file(folder + "/one/run.sqlite", run + "/run.sqlite", error);
  }
  if (error) return fail(ErrorKind::OutputFailed, fmt::format("{}: {}", folder, error.message()));
  return {};
}

namespace {

/// Fails if not all runs were read.
Result<void> whole(std::size_t count) {
  if (count == kRuns) return {};
  return fail(ErrorKind::Internal, fmt::format("{} runs of {} were read", count, kRuns));
}

}  // namespace

Result<BenchResult> benchLibrary(const Options& common) {
  constexpr int kTimes = 5;
  const BenchFolder folder;
  const std::string runs = folder.file("runs"), cache = folder.file("library.sqlite");
  SEPX_TRY(writeBenchRuns(folder.path(), kRuns));
  ThreadPool pool;
  Measurement first{"first-rows", trf(N_("the first of {} runs, nothing cached"), kRuns), {}};
  Measurement cold{"cold", trf(N_("{} runs, nothing cached"), kRuns), {}};
  Measurement cached{"cached", trf(N_("{} runs from the cache"), kRuns), {}};
  Measurement again{"again", trf(N_("{} runs again, with a known list"), kRuns), {}};
  Measurement page{"page", trf(N_("{} runs, nothing cached, to the settled picture of the page"), kRuns), {}};
  train::RunList known;
  for (int i = 0; i < kTimes; ++i) {
    fs::remove(cache);
    SEPX_TRY(measure(first, {1, 0}, [&]() -> Result<void> {
      train::readLibrary(runs, {.pool = &pool, .progress = [](const train::RunList&) { return false; }});
      return {};
    }));
    SEPX_TRY(measure(cold, {1, 0}, [&] { return whole(train::readLibrary(runs, {.pool = &pool}).size()); }));
    known = train::readLibrary(runs, {.cache = cache, .pool = &pool});
    SEPX_TRY(measure(cached, {1, 0},
                     [&] { return whole(train::readLibrary(runs, {.cache = cache, .pool = &pool}).size()); }));
    SEPX_TRY(measure(again, {1, 0},
                     [&] { return whole(train::readLibrary(runs, {.known = known, .pool = &pool}).size()); }));
  }
  SEPX_ASSIGN(auto headless, Headless::create(common, Drawing::EveryFrame));
  SEPX_TRY(headless->workbench().set("exhibit", std::string("training")));
  SEPX_TRY(headless->workbench().set("training.page", std::string("library")));
  SEPX_TRY(headless->settle());
  SEPX_TRY(measure(page, {1, 0}, [&]() -> Result<void> {
    SEPX_TRY(headless->workbench().set("training.library.folder", runs));
    return headless->settle();
  }));
  return BenchResult{
      .name = "library",
      .measurements = {std::move(first), std::move(cold), std::move(cached), std::move(again), std::move(page)},
      .device = headless->context().info().name};
}

}  // namespace sepx::app::cli
