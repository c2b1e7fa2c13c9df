// SPDX-License-Identifier: Apache-2.0
// Decomposes the logit of a query into storage and routing [Reversal, 3 and A.1]. The paper's layer has no norm, no
// residual stream and no feed-forward part, and one matrix W_V; there logit_A = sum_k alpha_k Y_{A, x_k} with Y = W_U
// W_V W_E. For a trained model we include the other factors on that path, so that the sum is one exact term of its
// logit. With n(x) = norm x without its bias and g_f the gain of the last norm,
//   Y_{A,t} = <g_f U_A, W_O W_V n(x_t)>   (layer norm: g_f U_A acts on its argument minus the mean)
//   logit_A = (1/s) sum_k alpha_k Y_{A,x_k} + residual + feed-forward + norms + biases,   s: deviation of the last norm
// The other terms are x_i, the output of the feed-forward part and the biases, each after the last norm. The sum is the
// logit to within rounding. With absolute positions x_t, and so Y, depends on the place too; Y is then that of this
// place. Pure; any thread. The row is the place of [M] for an MDM and the last place of the prefix for an ARM.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/reversal/one_layer.h"
#include "engine/reversal/query.h"

namespace sepx::reversal {

/// Terms of the logit of one token; they sum to it.
struct LogitParts {
  double storage = 0;      ///< (1/s) sum_k alpha_k Y_{A,x_k}: what storage and routing predict
  double residual = 0;     ///< of the stream x_i, which bypasses the attention
  double feedForward = 0;  ///< of what the feed-forward part adds
  double norms = 0;        ///< of the biases of both norms
  double biases = 0;       ///< of W_V, W_O and the logits
  double sum() const { return storage + residual + feedForward + norms + biases; }
};

struct Route {             ///< how evidence reaches an answer
  Vector alpha;            ///< attention from the row to each place, sums to 1
  Vector contributions;    ///< alpha_k Y_{A,x_k} / s of each place, A the target
  Vector column;           ///< Y_{.,B} of each output token, B the token at the evidence's place, [V]
  Vector predicted;        ///< (1/s) sum_k alpha_k Y_{.,x_k} of each output token, [V]
  Vector actual;           ///< logits, [V]
  double deviation = 1;    ///< s
  LogitParts target;       ///< of the target
  LogitParts placeholder;  ///< of "0", which most wrong answers are
  double probability = 0;  ///< of the target by the softmax of all logits
};

/// `alpha`: replaces the model's own attention; empty: its own. The query must not be longer than the model's length.
Route route(const OneLayer& model, const Query& query, int row, std::span<const int> places = {},
            const Vector& alpha = {});
/// The row of the answer: the place of [M], or the last of a prefix.
int rowOf(const Query& query);

}  // namespace sepx::reversal
