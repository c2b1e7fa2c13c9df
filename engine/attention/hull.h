// SPDX-License-Identifier: Apache-2.0
// The combination of keys that attention forms before W_V, for one query x_i and keys x_j [Attention-Structure,
// (3)-(5), (S10), Remark A.4 as corrected: remark att-12].
//   sum_j alpha_ij x_j, alpha the softmax: weights above 0 that sum to 1, a point of Conv(X)                (5)
//   sum_j alphahat_ij x_j, alphahat_ij = x_i^T W_qk x_j: in span(X) alone                                  (4)
//   P_j x = (x^T W_qk x_j) x_j, so P_j P_j = c_j P_j with c_j = x_j^T W_qk x_j. P_j is a projection (idempotent; the
//   paper says nilpotent) where c_j = 1 and nilpotent where c_j = 0; |P_j P_j - P_j| / |P_j| = |c_j - 1|.
//   S = sum_j P_j, with S x_i the sum of (4); a projection would have S S x_i = S x_i.
// The embeddings are used as stored, without norm, bias or rotation, as everywhere for W_qk. Pure; any thread.
#pragma once

#include <vector>

#include "engine/attention/factors.h"
#include "engine/attention/form_terms.h"

namespace sepx::attention {

/// The point of a convex hull that is nearest to y (Wolfe 1976). `points` [count, d], count >= 1.
struct HullPoint {
  Eigen::VectorXd weights;  ///< [count], non-negative, with sum 1
  double distance = 0;
};
HullPoint nearestInHull(const Eigen::Ref<const Matrix>& points, const Eigen::VectorXd& y);

/// A linear combination of the keys.
struct Combination {
  double sum = 0, least = 0;  ///< sum and minimum of the weights
  double outside = 0;  ///< distance from Conv(X) over the largest distance of a key from the mean key; NaN for one key
};
struct FormReading {  ///< one query's scores used as weights of the keys
  Combination softmax, raw;
  std::vector<double> own;  ///< c_j, by key
  double twice = 0;         ///< |S S x_i - S x_i| / |S x_i|; NaN where that is 0
};
/// `keys` [count, d]; `ranking`: their scores with x_i; `head`: -1 for the sum over heads (S14).
FormReading readForm(const LayerFactors& factors, int head, const Eigen::Ref<const Matrix>& keys,
                     const Ranking& ranking);

}  // namespace sepx::attention
