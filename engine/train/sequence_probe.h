// SPDX-License-Identifier: Apache-2.0
// What a model makes of one sequence, without dropout and without a loss: the attention of one layer, and the
// distribution that it predicts for every place. Any thread; a forward and backward pass of one sequence, and where
// each place is hidden in turn a forward pass of as many sequences as there are places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/train/run_config.h"

namespace sepx::train {

struct SequenceRequest {  ///< what is asked of a model
  int layer = 0;
  std::vector<std::int32_t> tokens;  ///< what stands there; [MASK] where that is not known
  std::vector<int> hidden;           ///< places that a model that masks reads as [MASK]
};

/// The distribution of the token at a place.
struct Prediction {
  int place = 0;               ///< of a causal model: predicted from the places before it; T: what comes next
  std::vector<double> shares;  ///< [vocabulary], sum 1
};

struct SequenceProbe {
  std::vector<std::int32_t> read;             ///< what the model read for `attention`
  std::vector<attention::MatrixF> attention;  ///< of each head, [T, T], row = query; linear attention: its weights
  /// Of a causal model all places but the first, and the one after the last. Of one that masks the hidden places and
  /// those whose token is [MASK]; where there are none, each place, hidden while the others are read.
  std::vector<Prediction> predictions;
  bool eachInTurn = false;
};

/// Longer sequences have no place hidden in turn: that is T^2 tokens.
inline constexpr int kLongestInTurn = 160;

/// `config` is resolved (step.h), theta of its model. Usage with a sentence: a layer that is not there, no tokens or
/// too many, a token outside the vocabulary, a place outside the sequence.
Result<SequenceProbe> probeSequence(const RunConfig& config, std::span<const float> theta,
                                    const SequenceRequest& request, ThreadPool& pool);

}  // namespace sepx::train
