// SPDX-License-Identifier: Apache-2.0
// Predictions of a row of logits: ranks, probabilities, entropy, and the divergence of two rows. Sums in double. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sepx::forward {

struct Prediction {  ///< a token and its probability
  std::int32_t id = 0;
  double probability = 0;
};
/// The `most` most likely tokens of a row of logits, in descending order; ties by id. `entropy` (may be null): of the
/// whole row, nats; `total` (may be null): log sum_j exp x_j, so that token i has probability exp(x_i - total). A row
/// with a NaN or +infinite logit has no predictions, and its entropy is NaN.
std::vector<Prediction> rank(std::span<const float> logits, std::size_t most, double* entropy = nullptr,
                             double* total = nullptr);
/// Rank of token `id`; 1 for the most likely.
std::int64_t rankOf(std::span<const float> logits, std::int32_t id);
/// KL(p || q) of two rows of logits, nats; NaN if a logit of either row is NaN or +infinite.
double divergence(std::span<const float> p, std::span<const float> q);

}  // namespace sepx::forward
