// SPDX-License-Identifier: Apache-2.0
// Runs that take milliseconds.
#pragma once

#include <string>

#include "engine/train/run_config.h"
#include "tests/engine/train/run_folder.h"

namespace sepx::test {

/// A path in the folder.
inline std::string in(const RunFolder& folder, const std::string& name) {
  return folder / name;
}

/// A binary chain, d = 8, one layer without norms: 100 steps take about 10 milliseconds.
inline train::RunConfig smallMarkov() {
  train::RunConfig config;
  config.name = "small";
  config.model = {.vocabulary = 2, .length = 16, .layers = 1, .d_model = 8, .heads = 2, .norm = nn::Norm::None};
  config.data.kind = data::SourceKind::Markov;
  config.data.p = 0.5;
  config.data.q = 0.8;
  config.optimisation.rule.rule = nn::Rule::AdamW;
  config.optimisation.rule.learningRate = 1e-2;
  config.schedule = {.steps = 40,
                     .batch = 8,
                     .evaluateEvery = 10,
                     .evaluateSequences = 20,
                     .scoresEvery = 10,
                     .saveEvery = 10,
                     .saveSeconds = 0};
  return config;
}

/// A two-layer bidirectional model of letters with masked diffusion, dropout and a running average: every part that
/// draws random numbers or has a state.
inline train::RunConfig smallDiffusion() {
  train::RunConfig config;
  config.name = "pairs";
  config.model = {.vocabulary = 0,
                  .length = 6,
                  .layers = 2,
                  .d_model = 16,
                  .heads = 2,
                  .output = nn::Output::Untied,
                  .causal = false,
                  .positions = nn::Positions::Rope,
                  .residualDropout = 0.1};
  config.data.kind = data::SourceKind::Pairs;
  config.objective.kind = nn::ObjectiveKind::Diffusion;
  config.optimisation.rule.rule = nn::Rule::AdamW;
  config.optimisation.rule.learningRate = 3e-3;
  config.optimisation.rule.weightDecay = 0.01;
  config.optimisation.decayMatricesOnly = true;
  config.optimisation.decay = train::Decay::Cosine;
  config.optimisation.warmUp = 5;
  config.optimisation.clip = 1;
  config.optimisation.accumulate = 2;
  config.optimisation.ema = 0.999;
  config.schedule = {.steps = 24,
                     .batch = 8,
                     .evaluateEvery = 8,
                     .evaluateSequences = 16,
                     .scoresEvery = 8,
                     .gradientsEvery = 8,
                     .spectraEvery = 12,
                     .saveEvery = 6,
                     .saveSeconds = 0};
  return config;
}

/// A ViT of two layers on generated images, with all augmentation of images.
inline train::RunConfig smallImages() {
  train::RunConfig config;
  config.name = "vit";
  config.model = {.vocabulary = 0,
                  .length = 17,
                  .layers = 2,
                  .d_model = 32,
                  .heads = 4,
                  .d_ff = 64,
                  .input = nn::Input::Patches,
                  .image = 16,
                  .channels = 3,
                  .patch = 4,
                  .output = nn::Output::Untied,
                  .causal = false,
                  .normEpsilon = 1e-6,
                  .activation = nn::Activation::GeluErf,
                  .outputBias = true};
  config.data.kind = data::SourceKind::Shapes;
  config.data.side = 16;
  config.data.augmentation = {.crop = 2, .flip = true, .mixup = 0.2, .cutmix = 1};
  config.objective = {.kind = nn::ObjectiveKind::Classify, .labelSmoothing = 0.1};
  config.initial.sigma = 0.05;
  config.optimisation.rule.rule = nn::Rule::AdamW;
  config.optimisation.rule.learningRate = 2e-3;
  config.optimisation.warmUp = 6;
  config.optimisation.warmUpStart = 0.033;
  config.optimisation.ema = 0.9;
  config.optimisation.emaEvery = 4;
  config.schedule = {.steps = 24,
                     .batch = 8,
                     .evaluateEvery = 8,
                     .evaluateSequences = 32,
                     .scoresEvery = 8,
                     .saveEvery = 6,
                     .saveSeconds = 0};
  return config;
}

}  // namespace sepx::test
