// SPDX-License-Identifier: Apache-2.0
// One query of a layer whose storage Y is the parameter itself [Reversal, Proposition 4.1, C.1]: given scores S_k and
// tokens x_k,
//   alpha = softmax(S/sqrt D),  m_x = sum over k with x_k = x of alpha_k,  p = softmax(Y m)
//   grad_Y L = (p - e_A) m^T,  dL/dS_k = alpha_k (mu_k - sum_l alpha_l mu_l)/sqrt D,  mu_k = (p - e_A)^T Y_{x_k}
// Idealised: there are no norms, residual path or MLP. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include "engine/core/result.h"

namespace sepx::reversal {

struct IdealPass {                ///< the quantities of one query
  double loss = 0;                ///< -log p(A), nats
  Eigen::VectorXd alpha;          ///< [length]
  Eigen::VectorXd mass;           ///< m, [tokens]
  Eigen::VectorXd p, error;       ///< p, p - e_A, [vocabulary]
  Eigen::VectorXd scoreGradient;  ///< dL/dS_k, [length]
  Eigen::MatrixXd storageGradient() const { return error * mass.transpose(); }
};

/// `Y` is [vocabulary, tokens]. A Usage error with a message if a token or the target is outside it, or the lengths
/// differ.
Result<IdealPass> idealPass(const Eigen::MatrixXd& Y, std::span<const std::int32_t> tokens,
                            std::span<const double> scores, int target, int dimensions);

}  // namespace sepx::reversal
