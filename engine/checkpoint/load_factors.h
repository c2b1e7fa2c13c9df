// SPDX-License-Identifier: Apache-2.0
// Loads the factors of W_qk = sum over heads of W_Q^h (W_K^h)^T from a checkpoint and its map. Any thread.
#pragma once

#include <memory>
#include <mutex>

#include "engine/attention/factors.h"
#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

enum class HeadPairing {  ///< which key head belongs to a query head
  Grouped,                ///< query head h with key head h / (H/K), as the model computes
  Published,              ///< query head h with key head h mod K, as in the code behind the published tables
};

struct FactorOptions {  ///< what is read, and how
  HeadPairing pairing = HeadPairing::Grouped;
  int head = -1;          ///< one head only (only its columns are read), -1: all
  bool foldNorm = false;  ///< multiply the rows of W_Q and W_K by the gain of the norm
  bool operator==(const FactorOptions&) const = default;
};

/// Reads and converts 2 * d_model * d_h numbers per head. BadInput as in Checkpoint::read. Interrupted soon after
/// `cancelled` returned true; it is called every few megabytes.
Result<attention::LayerFactors> loadFactors(const Checkpoint& checkpoint, const AttentionLayer& layer,
                                            const FactorOptions& options = {}, const Cancelled& cancelled = {});

/// The parts that W_qk leaves out, for the explanation of the bilinear form: biases b_Q [H d_h] and b_K [K d_h], the
/// norm's gain and bias, the scale, and the parameters of the rotary encoding.
Result<attention::OmittedScoreParts> loadOmittedScoreParts(const Checkpoint& checkpoint, const AttentionLayer& layer);

/// A row of the token embedding. BadInput if there is no embedding or no such token.
Result<Eigen::VectorXd> loadEmbedding(const Checkpoint& checkpoint, const AttentionMap& map, std::int64_t token);

}  // namespace sepx::checkpoint
