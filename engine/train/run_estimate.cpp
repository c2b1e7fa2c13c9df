// SPDX-License-Identifier: Apache-2.0
// See run_estimate.h.
#include "engine/train/run_estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/core/try.h"
#include "engine/nn/model_config.h"
#include "engine/train/trainer.h"

namespace sepx::train {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFirst = 2, kTimed = 40;  // untimed steps, and the maximum number of timed steps
constexpr std::chrono::milliseconds kLongest{1500};
constexpr std::int64_t kSentences = 2000;  // of generated text: enough to contain all its letters

int statesOf(const nn::OptimiserOptions& rule) {
  if (rule.rule != nn::Rule::Sgd) return 2;
  return rule.momentum > 0 ? 1 : 0;
}

/// Vocabulary size of the data, which a config may leave out. It follows from the number of parameters, which is linear
/// in it. 0: that number does not depend on it.
int vocabularyOf(nn::ModelConfig model, std::int64_t parameters) {
  if (model.vocabulary > 0) return model.vocabulary;
  model.vocabulary = 1;
  const std::int64_t one = nn::parameterCount(model);
  model.vocabulary = 2;
  const std::int64_t each = nn::parameterCount(model) - one;
  return each > 0 ? static_cast<int>(1 + (parameters - one) / each) : 0;
}

/// Seconds per step; 0 if cancelled.
double timeSteps(Trainer& trainer, const std::function<bool()>& cancelled) {
  std::int64_t timed = 0;
  const Clock::time_point begin = Clock::now();
  while (timed < kTimed && Clock::now() - begin < kLongest) {
    if (cancelled()) return 0;
    trainer.runSteps(1);
    ++timed;
  }
  return std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(timed);
}

}  // namespace

Result<RunEstimate> estimateRun(const RunConfig& config, int threads, bool timed,
                                const std::function<bool()>& cancelled) {
  RunConfig trial = config;
  trial.schedule.evaluateEvery = trial.schedule.scoresEvery = 0;
  trial.schedule.gradientsEvery = trial.schedule.spectraEvery = 0;
  trial.schedule.stopPatience = 0;
  trial.schedule.stopFactor = 0;
  trial.schedule.steps = kFirst + kTimed;
  trial.data.sentences = std::min(trial.data.sentences, kSentences);
  TrainerOptions options;
  options.threads = threads;
  options.paced = true;
  SEPX_ASSIGN(const auto trainer, Trainer::start(trial, options));
  trainer->runSteps(timed ? kFirst : 1);
  trainer->refresh();
  const Snapshot& shown = trainer->latest();
  if (shown.state == RunState::Failed) return fail(ErrorKind::BadInput, shown.sentence);
  RunEstimate made;
  made.parameters = shown.parameters;
  made.model = config.model;
  made.model.vocabulary = vocabularyOf(config.model, made.parameters);
  nn::ModelConfig model = made.model;
  model.vocabulary = std::max(model.vocabulary, 2);
  made.bytes = nn::memoryNeed(model, config.schedule.batch, model.length, config.schedule.batch * model.length,
                              statesOf(config.optimisation.rule), sizeof(float), threads)
                   .total();
  if (timed) made.secondsPerStep = timeSteps(*trainer, cancelled);
  if (cancelled()) return fail(ErrorKind::Interrupted, "cancelled");
  made.seconds = made.secondsPerStep * static_cast<double>(config.schedule.steps);
  return made;
}

}  // namespace sepx::train
