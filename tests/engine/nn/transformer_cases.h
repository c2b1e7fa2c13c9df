// SPDX-License-Identifier: Apache-2.0
// Models and batches for the tests of the transformer: every option of ModelConfig as a factor with levels, a set of
// configurations in which every possible pair of levels occurs, random parameters, batches with masks and padding.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "engine/core/random.h"
#include "engine/nn/batch.h"
#include "engine/nn/model_config.h"
#include "engine/nn/transformer.h"

namespace sepx::test {

// clang-format off
enum Factor {
  kInput, kOutput, kCausal, kAttention, kScale, kPositions, kSigned, kNorm, kPlacement, kEmbeddingNorm, kFinalNorm,
  kActivation, kFeedForward, kAttentionBias, kProjectionBias, kFeedForwardBias, kOutputBias, kHeadTransform, kSegments,
  kDropout, kHeads, kLayers, kMask, kTargets, kFactors
};
// clang-format on
constexpr std::array<int, kFactors> kLevels{2, 2, 2, 2, 2, 5, 2, 4, 2, 2, 2, 4, 2, 2, 2, 2, 2, 2, 2, 2, 4, 2, 4, 3};
using Levels = std::array<int, kFactors>;

/// Makes an impossible combination of two options possible by changing one of them.
inline void repair(Levels& f) {
  if (f[kAttention] == 1 && f[kPositions] == 4) f[kPositions] = 1;
  if (f[kActivation] == 3) f[kHeadTransform] = 0;
  if (f[kNorm] == 0) f[kEmbeddingNorm] = 0;
}

inline nn::ModelConfig configOf(const Levels& f) {
  using namespace nn;
  ModelConfig c;
  c.input = f[kInput] == 0 ? Input::Table : Input::Bit;
  c.vocabulary = c.input == Input::Bit ? 2 : 5;
  c.output = f[kOutput] == 0 ? Output::Tied : Output::Untied;
  c.causal = f[kCausal] == 0;
  c.attention = f[kAttention] == 0 ? AttentionKind::Softmax : AttentionKind::Linear;
  c.attentionScale = f[kScale] == 0 ? 0 : 0.7;
  c.positions = std::array{Positions::None, Positions::Learned, Positions::Sinusoidal, Positions::Rope,
                           Positions::Alibi}[static_cast<std::size_t>(f[kPositions])];
  c.alibiSigned = f[kSigned] == 1;
  c.norm = f[kNorm] == 0 ? Norm::None : f[kNorm] == 3 ? Norm::Rms : Norm::Layer;
  c.normBias = f[kNorm] == 1;
  c.placement = f[kPlacement] == 0 ? Placement::Pre : Placement::Post;
  c.embeddingNorm = f[kEmbeddingNorm] == 1;
  c.finalNorm = f[kFinalNorm] == 0;
  c.activation = std::array{Activation::Relu, Activation::GeluErf, Activation::GeluTanh,
                            Activation::SwiGlu}[static_cast<std::size_t>(f[kActivation])];
  c.d_ff = f[kFeedForward] == 0 ? 5 : 0;
  c.attentionBias = f[kAttentionBias] == 0;
  c.projectionBias = f[kProjectionBias] == 0;
  c.feedForwardBias = f[kFeedForwardBias] == 0;
  c.outputBias = f[kOutputBias] == 1;
  c.headTransform = f[kHeadTransform] == 1;
  c.segments = f[kSegments] == 0 ? 0 : 2;
  if (f[kDropout] == 1) c.embeddingDropout = 0.2, c.attentionDropout = 0.3, c.residualDropout = 0.25;
  c.d_model = 4;
  c.heads = std::array{1, 2, 4, 3}[static_cast<std::size_t>(f[kHeads])];
  c.kvHeads = std::array{0, 0, 2, 1}[static_cast<std::size_t>(f[kHeads])];
  c.headDim = f[kHeads] >= 2 ? 2 : 0;
  c.layers = f[kLayers] + 1;
  c.length = 6;
  return c;
}

/// A set in which every possible pair of levels occurs, as a test checks.
inline std::vector<Levels> coveringSet() {
  std::set<std::tuple<int, int, int, int>> seen;
  const auto fresh = [&seen](const Levels& f, bool keep) {
    int count = 0;
    for (int a = 0; a < kFactors; ++a)
      for (int b = a + 1; b < kFactors; ++b) {
        const std::tuple pair{a, f[static_cast<std::size_t>(a)], b, f[static_cast<std::size_t>(b)]};
        if (seen.count(pair) == 0) ++count;
        if (keep) seen.insert(pair);
      }
    return count;
  };
  RandomStream random(5);
  std::vector<Levels> set;
  for (int idle = 0; idle < 40;) {
    Levels best{};
    int most = 0;
    for (int attempt = 0; attempt < 60; ++attempt) {
      Levels f{};
      for (std::size_t i = 0; i < f.size(); ++i)
        f[i] = static_cast<int>(random.below(static_cast<std::uint64_t>(kLevels[i])));
      repair(f);
      if (const int count = fresh(f, false); count > most) most = count, best = f;
    }
    idle = most == 0 ? idle + 1 : 0;
    if (most > 0) fresh(best, true), set.push_back(best);
  }
  return set;
}

/// Models of two layers in which a branch replaces the stream, with norms at every possible position.
inline std::vector<Levels> withoutResidual() {
  std::vector<Levels> all;
  for (const int norm : {0, 1, 3})
    for (const int placement : {0, 1})
      for (const int feedForward : {0, 1})
        for (const int targets : {0, 1}) {
          Levels f{};
          f[kOutput] = f[kLayers] = 1;
          f[kPositions] = 3;
          f[kActivation] = 2;
          f[kHeads] = 1;
          f[kNorm] = norm, f[kPlacement] = placement, f[kFeedForward] = feedForward, f[kTargets] = targets;
          f[kDropout] = targets == 1 && norm == 1;
          all.push_back(f);
        }
  return all;
}

/// Sets parameters to N(0, scale^2) and gains to values around 1.
template <class T>
void fill(nn::Transformer<T>& model, std::uint64_t seed, double scale = 0.5) {
  RandomStream random(seed, 3);
  for (const nn::Parameter& p : model.layout().all())
    for (T& x : model.of(p))
      x = static_cast<T>((p.kind == nn::ParameterKind::NormGain ? 1 : 0) + scale * random.normal());
}

enum class Asked { All, Few, Last };

/// Random tokens with targets on all rows, on one of four (one of them twice), or on all but the last of each sequence.
inline nn::Batch randomBatch(const nn::ModelConfig& c, int sequences, int length, Asked asked, std::uint64_t seed) {
  RandomStream random(seed, 4);
  nn::Batch batch;
  batch.sequences = sequences;
  batch.length = length;
  for (int i = 0; i < sequences * length; ++i)
    batch.tokens.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(c.vocabulary))));
  const auto ask = [&](int row) {
    batch.targets.push_back({row, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(c.vocabulary))),
                             static_cast<float>(random.uniform(0.1, 0.5))});
  };
  for (int row = 0; row < sequences * length; ++row) {
    const int n = row % length;
    if (asked == Asked::All || (asked == Asked::Few && n % 4 == 1) || (asked == Asked::Last && n + 1 < length))
      ask(row);
    if (asked == Asked::Few && row == 1) ask(row);
  }
  return batch;
}

/// mask 1: any pairs, 2: padding and hidden keys, 3: both.
inline void addMask(nn::Batch& batch, int mask, std::uint64_t seed) {
  RandomStream random(seed, 5);
  if (mask == 1 || mask == 3)
    for (int i = 0; i < batch.length * batch.length; ++i)
      batch.allowed.push_back(random.uniform() < 0.7 ? 1 : 0);
  if (mask < 2) return;
  for (int b = 0; b < batch.sequences; ++b)
    batch.lengths.push_back(1 + static_cast<int>(random.below(static_cast<std::uint64_t>(batch.length))));
  for (int row = 0; row < batch.sequences * batch.length; ++row)
    batch.readable.push_back(random.uniform() < 0.7 ? 1 : 0);
}

inline nn::Batch batchOf(const Levels& f, const nn::ModelConfig& c, std::uint64_t seed) {
  nn::Batch batch = randomBatch(c, 2, 5, static_cast<Asked>(f[kTargets]), seed);
  addMask(batch, f[kMask], seed);
  return batch;
}

}  // namespace sepx::test
