// SPDX-License-Identifier: Apache-2.0
// The update of W_qk; products are ordered so that none costs more than d x d x d_h.
#include "engine/attention/update.h"

#include <cassert>

namespace sepx::attention {

Matrix formGradient(const Eigen::Ref<const Matrix>& X, const Eigen::Ref<const Matrix>& beta) {
  assert(beta.rows() == X.rows() && beta.cols() == X.rows());
  return X.transpose() * (beta * X);
}

FormUpdate formUpdate(const Eigen::Ref<const Matrix>& W_Q, const Eigen::Ref<const Matrix>& W_K,
                      const Eigen::Ref<const Matrix>& G) {
  assert(W_Q.rows() == G.rows() && W_K.rows() == G.cols() && W_Q.cols() == W_K.cols());
  const Matrix ofQuery = G * W_K, ofKey = G.transpose() * W_Q;  // dL/dW_Q, dL/dW_K
  FormUpdate update;
  update.first = W_Q * ofKey.transpose() + ofQuery * W_K.transpose();
  update.second = ofQuery * ofKey.transpose();
  return update;
}

double cosine(const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Matrix>& B) {
  return A.cwiseProduct(B).sum() / (A.norm() * B.norm());
}

}  // namespace sepx::attention
