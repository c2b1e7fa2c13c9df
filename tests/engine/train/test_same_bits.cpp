// SPDX-License-Identifier: Apache-2.0
// The same seed and config give the same numbers and files to the bit on one and on two threads, and with resumes at
// random steps with a random number of threads each time. The configs are random: model, data, objective, optimiser,
// and what is measured and when. A sample runs with every test, many under [long].
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/random.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {

template <class T, std::size_t N>
T oneOf(RandomStream& random, const T (&values)[N]) {
  return values[random.below(N)];
}

RunConfig drawnConfig(RandomStream& random) {
  RunConfig config = oneOf(random, {0, 1, 2}) == 0 ? smallMarkov()
                     : random.below(3) == 0        ? smallImages()
                                                   : smallDiffusion();
  config.seed = config.data.seed = random.below(1000);
  nn::ModelConfig& model = config.model;
  const bool images = model.readsImages(), diffusion = config.objective.kind == nn::ObjectiveKind::Diffusion;
  model.layers = static_cast<int>(1 + random.below(3));
  model.residualDropout = oneOf(random, {0.0, 0.1, 0.3});
  if (!images) model.norm = oneOf(random, {nn::Norm::None, nn::Norm::Layer, nn::Norm::Rms});
  if (diffusion && random.below(2) == 0) config.objective.kind = nn::ObjectiveKind::Masked;
  Optimisation& how = config.optimisation;
  how.rule.rule = oneOf(random, {nn::Rule::Sgd, nn::Rule::Adam, nn::Rule::AdamW});
  if (how.rule.rule != nn::Rule::AdamW) how.rule.weightDecay = 0, how.decayMatricesOnly = false;
  if (how.rule.rule == nn::Rule::Sgd) how.rule.momentum = oneOf(random, {0.0, 0.9});
  how.accumulate = static_cast<int>(1 + random.below(3));
  how.ema = oneOf(random, {0.0, 0.9, 0.999});
  if (how.ema == 0) how.emaEvery = 1;
  how.clip = oneOf(random, {0.0, 0.5});
  how.decay = oneOf(random, {Decay::Constant, Decay::Linear, Decay::Cosine});
  Schedule& schedule = config.schedule;
  schedule.steps = static_cast<std::int64_t>(12 + random.below(20));
  schedule.batch = static_cast<int>(1 + random.below(9));
  schedule.evaluateEvery = static_cast<std::int64_t>(random.below(7));
  schedule.scoresEvery = static_cast<std::int64_t>(random.below(7));
  schedule.gradientsEvery = static_cast<std::int64_t>(random.below(5));
  schedule.saveEvery = static_cast<std::int64_t>(1 + random.below(9));
  return config;
}

/// Stops at random steps and resumes until the run has finished.
void trainInPieces(const RunConfig& config, const std::string& folder, RandomStream& random) {
  for (bool begun = false;; begun = true) {
    TrainerOptions options = headless(folder, static_cast<int>(1 + random.below(2)));
    options.resume = begun;
    options.paced = true;
    const auto trainer = started(config, options);
    trainer->runSteps(static_cast<std::int64_t>(1 + random.below(9)));
    trainer->refresh();
    const Snapshot& shown = trainer->latest();
    INFO(shown.sentence);
    REQUIRE(shown.state != RunState::Failed);
    if (shown.state == RunState::Finished) return;
    if (random.below(2) == 0) trainer->send({CommandKind::Stop, 0, {}});  // otherwise the destructor stops it
  }
}

void compareDrawn(std::uint64_t seed) {
  RandomStream random(17, seed);
  const RunConfig config = drawnConfig(random);
  INFO(fmt::format("drawn config {}: {}", seed, toJson(config).dump()));
  REQUIRE(check(config));
  const RunFolder folder;
  const std::string one = in(folder, "one"), two = in(folder, "two"), pieces = in(folder, "pieces");
  finished(*started(config, headless(one, 1)));
  finished(*started(config, headless(two, 2)));
  trainInPieces(config, pieces, random);
  const std::int64_t end = config.schedule.steps;
  requireSameRun(one, two, end);
  requireSameRun(one, pieces, end);
}

}  // namespace

TEST_CASE("Random configs give the same bits on one and two threads and with resumes") {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    compareDrawn(seed);
}

TEST_CASE("Many random configs give the same bits on one and two threads and with resumes", "[.][long]") {
  for (std::uint64_t seed = 6; seed < 150; ++seed)
    compareDrawn(seed);
}
