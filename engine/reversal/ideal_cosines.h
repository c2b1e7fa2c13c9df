// SPDX-License-Identifier: Apache-2.0
// The cosine of forward and reverse gradients by parameter, as given in the appendix of Reversal for an idealised layer
// in which only the evidence B counts [C.1, the B-route; Proposition C.1]: alpha = sigma(S_B/sqrt D), z = W_U alpha
// v_B,
//   grad W_U = alpha (p - e_A) v^T,  grad W_V = alpha u h_B^T,  u = W_U^T (p - e_A)
//   grad W_Q = c (grad_q S) h_M^T,  grad W_K = c (grad_k S) h_B^T,  c = alpha (1 - alpha) u . v/sqrt D
//   grad W_E: c W_Q^T grad_q S in the column of [M], c W_K^T grad_k S + alpha W_V^T u in that of B
// with grad_q S = R(Delta) k, grad_k S = R(-Delta) q for RoPE, k and q otherwise. The layer has no other tokens, norms,
// residual path or MLP, so these are not the gradients of a trained model, although p, alpha and the vectors may come
// from one. Any thread.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include "engine/nn/transformer.h"
#include "engine/reversal/storage_gradient.h"

namespace sepx::reversal {

/// W_U, W_V, W_Q, W_K as y = W x. W_V includes W_O: it is the product W_O W_V.
struct IdealLayer {
  Eigen::MatrixXd W_U, W_V, W_Q, W_K;
};
/// One query.
struct IdealQuery {
  double alpha = 0;                            ///< attention to B
  double scale = 1;                            ///< 1/sqrt D
  Eigen::VectorXd error;                       ///< p - e_A
  Eigen::VectorXd mask, evidence;              ///< h_M, h_B
  Eigen::VectorXd queryGradient, keyGradient;  ///< grad_q S_B, grad_k S_B
};
/// NaN where a gradient is 0.
struct IdealCosines {
  double output = std::nan(""), value = std::nan(""), query = std::nan(""), key = std::nan(""),
         embedding = std::nan("");
};
/// <grad L_fwd, grad L_rev> by parameter, I_W of Proposition C.1. For W_E it is the sum of the paths through q, k and v
/// and of the cross terms of k and v in the column of B,
///   I_KV = c_f alpha_r <W_K^T grad_k S_f, W_V^T u_r> + c_r alpha_f <W_K^T grad_k S_r, W_V^T u_f>
struct IdealProducts {
  double output = 0, value = 0, query = 0, key = 0;
  double embeddingQuery = 0, embeddingKey = 0, embeddingValue = 0, embeddingCross = 0;
  double embedding() const { return embeddingQuery + embeddingKey + embeddingValue + embeddingCross; }
};
IdealProducts idealProducts(const IdealLayer& layer, const IdealQuery& forward, const IdealQuery& reverse);
/// The cosines of the gradients of both queries.
IdealCosines idealCosines(const IdealLayer& layer, const IdealQuery& forward, const IdealQuery& reverse);

/// The layer of a trained model with one layer and one head (checkOneHead()). The outputs of its norm take the place of
/// embeddings.
IdealLayer idealLayer(const nn::Transformer<double>& model);
/// To be called after maskedPass() of this query, while the model's probe() still holds that pass.
IdealQuery idealQuery(nn::Transformer<double>& model, const MaskedPass& pass);

}  // namespace sepx::reversal
