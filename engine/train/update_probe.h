// SPDX-License-Identifier: Apache-2.0
// One forward and backward pass of a model over one sequence, and what the attention of a layer saw in it: enough to
// take the update of W_qk apart (engine/attention/pair_terms.h, update.h). In double precision, without dropout. Any
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

struct ProbeRequest {  ///< what is asked of a model
  int layer = 0;
  std::vector<std::int32_t> tokens;  ///< the whole sequence, at most model.length
  /// Of objectives that mask: these places stand behind [MASK] and are predicted; empty: drawn by `seed` as in
  /// training.
  std::vector<int> hidden;
  std::uint64_t seed = 0;
};

struct UpdateProbe {
  int layer = 0;
  std::vector<std::int32_t> tokens;   ///< what the model read, [MASK] included
  std::vector<std::int32_t> targets;  ///< rows whose prediction counts, rising
  double loss = 0;                    ///< as in training: nats a token, or a sequence
  attention::Matrix X;                ///< what the projections read, [T, d_model]: the norm's output where there is one
  // Of each query head:
  std::vector<attention::Matrix> attention;  ///< probabilities (linear attention: weights), [T, T]
  std::vector<attention::Matrix> beta;       ///< dL/d(q_i . k_j), row i the query, [T, T]
  std::vector<attention::Matrix> gradient;   ///< G = X^T beta X, [d_model, d_model]: dL/dW_qk of the head
  attention::LayerFactors factors;           ///< W_Q, W_K of the layer
  /// dL/dW_Q and dL/dW_K as the backward pass computes them in training, without beta: what token_lines.h says of the
  /// step can be compared with them.
  attention::LayerFactors gradients;
  Eigen::VectorXd b_Q, b_K;  ///< of all heads; empty: none
  /// False with a rotary encoding: scores then depend on i - j besides W_qk, and G is not a gradient of one matrix.
  bool isForm = true;
};

/// `config` is resolved (step.h) and checked, theta of its model. Usage with a sentence: a layer that is not there, no
/// tokens or too many, a token outside the vocabulary, a place to hide outside the sequence or given to an objective
/// that hides none, and the objective leave_one_out, which reads a sequence once for each of its places.
Result<UpdateProbe> probeUpdate(const RunConfig& config, std::span<const float> theta, const ProbeRequest& request,
                                ThreadPool& pool);

/// P_k = Pr[t_k = token], k = 1 ... length, counted over the first `sequences` sequences of the training split: what
/// engine/attention/counts.h wants.
std::vector<double> placeShares(const data::Source& source, std::int32_t token, int length, int sequences);

}  // namespace sepx::train
