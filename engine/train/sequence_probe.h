// SPDX-License-Identifier: Apache-2.0
// Runs a model on one sequence, without dropout and without a loss: the attention of one layer, and the predicted
// distribution at every position. Any thread. The cost is a forward and backward pass of one sequence, and if each
// position is hidden in turn also a forward pass of as many sequences as there are positions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/train/run_config.h"

namespace sepx::train {

struct SequenceRequest {  ///< input of probeSequence()
  int layer = 0;
  std::vector<std::int32_t> tokens;  ///< the sequence; [MASK] where a token is not known
  std::vector<int> hidden;           ///< positions that a masked model reads as [MASK]
};

/// The predicted distribution of the token at a position.
struct Prediction {
  int place = 0;               ///< the position; a causal model predicts it from those before it; T: the next token
  std::vector<double> shares;  ///< [vocabulary], sum 1
};

struct SequenceProbe {
  std::vector<std::int32_t> read;             ///< what the model read for `attention`
  std::vector<attention::MatrixF> attention;  ///< of each head, [T, T], row = query; linear attention: its weights
  /// For a causal model all positions but the first, and the one after the last. For a masked model the hidden
  /// positions and those whose token is [MASK]; if there are none, each position, hidden while the others are read.
  std::vector<Prediction> predictions;
  bool eachInTurn = false;
};

/// In longer sequences positions are not hidden in turn, because that takes T^2 tokens.
inline constexpr int kLongestInTurn = 160;

/// `config` is resolved (step_check.h), theta is of its model. Fails with Usage and a one-sentence message for a layer
/// that does not exist, no tokens or too many, a token outside the vocabulary, or a position outside the sequence.
Result<SequenceProbe> probeSequence(const RunConfig& config, std::span<const float> theta,
                                    const SequenceRequest& request, ThreadPool& pool);

}  // namespace sepx::train
