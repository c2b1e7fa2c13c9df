// SPDX-License-Identifier: Apache-2.0
// From a checkpoint and its map to the factors of W_qk = sum over heads of W_Q^h (W_K^h)^T. Any thread.
#pragma once

#include <memory>
#include <mutex>

#include "engine/attention/factors.h"
#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

enum class HeadPairing {  ///< which key head answers a query head
  Grouped,                ///< query head h with key head h / (H/K), as the model computes
  Published,              ///< query head h with key head h mod K: what the code behind the published tables did
};

struct FactorOptions {  ///< what is read, and how
  HeadPairing pairing = HeadPairing::Grouped;
  int head = -1;          ///< one head only (its columns alone are read), -1: all
  bool foldNorm = false;  ///< the gain of the norm multiplied into the rows of W_Q and W_K
  bool operator==(const FactorOptions&) const = default;
};

/// Reads and converts: d_model x d_h x 2 numbers a head. BadInput as Checkpoint::read; Interrupted soon after
/// `cancelled` said yes (asked every few megabytes).
Result<attention::LayerFactors> loadFactors(const Checkpoint& checkpoint, const AttentionLayer& layer,
                                            const FactorOptions& options = {}, const Cancelled& cancelled = {});

/// What W_qk leaves out, for the bilinear form explained: biases b_Q [H d_h], b_K [K d_h], the norm's gain and bias.
Result<attention::LeftOut> loadLeftOut(const Checkpoint& checkpoint, const AttentionLayer& layer);

/// A row of the token embedding. BadInput when there is none or no such token.
Result<Eigen::VectorXd> loadEmbedding(const Checkpoint& checkpoint, const AttentionMap& map, std::int64_t token);

}  // namespace sepx::checkpoint
