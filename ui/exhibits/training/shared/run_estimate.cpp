// SPDX-License-Identifier: Apache-2.0
// See run_estimate.h.
#include "ui/exhibits/training/shared/run_estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/core/try.h"
#include "engine/nn/model_config.h"
#include "engine/train/trainer.h"

namespace sepx::ui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFirst = 2, kTimed = 40;  // steps: not timed, and timed at most
constexpr std::chrono::milliseconds kLongest{1500};
constexpr std::int64_t kSentences = 2000;  // of generated text: its letters are all there

int statesOf(const nn::OptimiserOptions& rule) {
  if (rule.rule != nn::Rule::Sgd) return 2;
  return rule.momentum > 0 ? 1 : 0;
}

}  // namespace

Result<RunEstimate> estimateRun(const train::RunConfig& config, int threads, const std::function<bool()>& cancelled) {
  train::RunConfig trial = config;
  trial.schedule.evaluateEvery = trial.schedule.scoresEvery = 0;
  trial.schedule.gradientsEvery = trial.schedule.spectraEvery = 0;
  trial.schedule.steps = kFirst + kTimed;
  trial.data.sentences = std::min(trial.data.sentences, kSentences);
  train::TrainerOptions options;
  options.threads = threads;
  options.paced = true;
  SEPX_ASSIGN(const auto trainer, train::Trainer::start(trial, options));
  const Clock::time_point start = Clock::now();
  trainer->runSteps(kFirst);
  std::int64_t timed = 0;
  const Clock::time_point begin = Clock::now();
  while (timed < kTimed && Clock::now() - start < kLongest) {
    if (cancelled()) return fail(ErrorKind::Interrupted, "cancelled");
    trainer->runSteps(1);
    ++timed;
  }
  const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
  trainer->refresh();
  const train::Snapshot& shown = trainer->latest();
  if (shown.state == train::RunState::Failed) return fail(ErrorKind::BadInput, shown.sentence);
  RunEstimate made;
  made.secondsPerStep = passed / static_cast<double>(std::max<std::int64_t>(timed, 1));
  made.seconds = made.secondsPerStep * static_cast<double>(config.schedule.steps);
  made.parameters = shown.parameters;
  const nn::ModelConfig& model = config.model;
  made.bytes = nn::memoryNeed(model, config.schedule.batch, model.length, config.schedule.batch * model.length,
                              statesOf(config.optimisation.rule), sizeof(float), threads)
                   .total();
  return made;
}

}  // namespace sepx::ui
