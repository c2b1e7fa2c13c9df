// SPDX-License-Identifier: Apache-2.0
// One column and one row of the contribution of a token to W_qk of a head [Attention-Structure, Proposition 2.2,
// (13)-(16), as corrected: remarks att-6, att-7, att-12], and the resulting step of gradient descent on W_Q and W_K.
// With beta_ij = dL/d(q_i . k_j), t* at the positions *:
//   as context (t_j = t*)   column k: sum_* [x_*]_k sum_i beta_i* x_i     row m: sum_* (sum_i beta_i* [x_i]_m) x_*
//   as target (t_i = t*)    column k: sum_* (sum_j beta_*j [x_j]_k) x_*   row m: sum_* [x_*]_m sum_j beta_*j x_j
// Summed over all positions, each is the column or row of G = dL/dW_qk. W_qk itself changes through its factors; with
// biases q_i = W_Q^T x_i + b_Q, k_j = W_K^T x_j + b_K, which the paper leaves out:
//   dL/dW_Q = G W_K + (sum_ij beta_ij x_i) b_K^T,   dL/dW_K = G^T W_Q + (sum_ij beta_ij x_j) b_Q^T
//   change of W_qk / -eta = W_Q (dL/dW_K)^T + (dL/dW_Q) W_K^T - eta (dL/dW_Q) (dL/dW_K)^T
// X [T, d], beta [T, T]. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "engine/attention/factors.h"

namespace sepx::attention {

/// Column k and row m, each [d].
struct TokenLines {
  Eigen::VectorXd column, row;
};
TokenLines contextLines(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta,
                        std::span<const int> places, int k, int m);
TokenLines targetLines(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta,
                       std::span<const int> places, int k, int m);

/// dL/dW_Q and dL/dW_K of a layer by sums over tokens, with G column by column from (13); `beta` for every head. The
/// result has the layout of `factors`; a key head holds the sum over its query heads.
/// b_Q, b_K: [heads d_h], [kvHeads d_h]; empty: none.
LayerFactors gradientsByTokens(const LayerFactors& factors, const Eigen::Ref<const Matrix>& X,
                               std::span<const Matrix> beta, const Eigen::VectorXd& b_Q, const Eigen::VectorXd& b_K);

/// The change of W_qk of one head by a step of size eta against `gradients` (laid out as `factors`), divided by -eta;
/// [d, d].
Matrix stepOfForm(const LayerFactors& factors, const LayerFactors& gradients, int head, double eta);

}  // namespace sepx::attention
