// SPDX-License-Identifier: Apache-2.0
// The change of W_qk = W_Q W_K^T of one head in one step of gradient descent on W_Q and W_K, split by powers of eta
// [Attention-Structure, Proposition 2.1 as corrected: remarks att-6, att-7]. beta_ij = dL/d(q_i . k_j):
//   G = dL/dW_qk = sum_ij beta_ij x_i x_j^T,   dL/dW_Q = G W_K,   dL/dW_K = G^T W_Q
//   change of W_qk = -eta (W_Q W_Q^T G + G W_K W_K^T) + eta^2 G W_K W_Q^T G       exactly
// In a layer with several heads each head has its own beta and G. No biases, no rotary encoding. Any thread.
#pragma once

#include "engine/attention/factors.h"

namespace sepx::attention {

/// X^T beta X, with X [tokens, d] and beta [tokens, tokens].
Matrix formGradient(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta);

struct FormUpdate {  ///< one step of gradient descent on a form
  Matrix first;      ///< W_Q W_Q^T G + G W_K W_K^T, times -eta
  Matrix second;     ///< G W_K W_Q^T G, times eta^2
  /// -eta first + eta^2 second: the change of W_qk in one step of gradient descent.
  Matrix change(double eta) const { return eta * eta * second - eta * first; }
};
/// W_Q, W_K [d, d_h] of one head; G [d, d].
FormUpdate formUpdate(const Eigen::Ref<const Matrix>& W_Q, const Eigen::Ref<const Matrix>& W_K,
                      const Eigen::Ref<const Matrix>& G);

/// <A, B> / (|A| |B|): 1 if the update is proportional to the gradient of the form. NaN if A or B is zero.
double cosine(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B);

}  // namespace sepx::attention
