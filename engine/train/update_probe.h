// SPDX-License-Identifier: Apache-2.0
// Runs one forward and backward pass of a model over one sequence and keeps the data of a layer's attention: enough to
// decompose the update of W_qk (engine/attention/pair_terms.h, update.h). In double precision, without dropout. Any
// thread; a pass takes as long as one training step of a batch of 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/attention/factors.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/data/source.h"
#include "engine/train/run_config.h"

namespace sepx::train {

struct ProbeRequest {  ///< input of probeUpdate()
  int layer = 0;
  std::vector<std::int32_t> tokens;  ///< the whole sequence, at most model.length
  /// For objectives that mask: these positions are replaced by [MASK] and predicted; empty: drawn by `seed` as in
  /// training.
  std::vector<int> hidden;
  std::uint64_t seed = 0;
};

struct UpdateProbe {
  int layer = 0;
  std::vector<std::int32_t> tokens;   ///< what the model read, [MASK] included
  std::vector<std::int32_t> targets;  ///< rows whose prediction counts, ascending
  double loss = 0;                    ///< as in training: nats per token, or per sequence
  attention::Matrix X;                ///< input of the projections, [T, d_model]: the norm's output if there is a norm
  // For each query head:
  std::vector<attention::Matrix> attention;  ///< probabilities (linear attention: weights), [T, T]
  std::vector<attention::Matrix> beta;       ///< dL/d(q_i . k_j), row i the query, [T, T]
  std::vector<attention::Matrix> gradient;   ///< G = X^T beta X, [d_model, d_model]: dL/dW_qk of the head
  attention::LayerFactors factors;           ///< W_Q, W_K of the layer
  /// dL/dW_Q and dL/dW_K as the backward pass computes them in training, without beta: a reference for the step that
  /// token_lines.h computes.
  attention::LayerFactors gradients;
  Eigen::VectorXd b_Q, b_K;  ///< of all heads; empty: none
  /// False with a rotary encoding: scores then also depend on i - j, and G is not a gradient of one matrix.
  bool isForm = true;
};

/// `config` is resolved (step_check.h) and checked, theta is of its model. Fails with Usage and a one-sentence message
/// for a layer that does not exist, no tokens or too many, a token outside the vocabulary, a hidden position outside
/// the sequence or given to an objective that hides none, and the objective leave_one_out, which reads a sequence once
/// for each of its positions.
Result<UpdateProbe> probeUpdate(const RunConfig& config, std::span<const float> theta, const ProbeRequest& request,
                                ThreadPool& pool);

/// P_k = Pr[t_k = token], k = 1 ... length, counted over the first `sequences` sequences of the training split: input
/// for engine/attention/counts.h.
std::vector<double> placeShares(const data::Source& source, std::int32_t token, int length, int sequences);

}  // namespace sepx::train
