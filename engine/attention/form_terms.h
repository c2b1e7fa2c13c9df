// SPDX-License-Identifier: Apache-2.0
// The raw attention score of two embeddings, split into terms [Attention-Structure, (1)-(4), (S13), (S14)]: x_i^T W_qk
// x_j per head, and the parts that the form leaves out: norm, biases, rotary encoding. The terms of a head add up to
// the model's score. `score` is computed independently, as the model does it, as a check. Double precision; any thread.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"

namespace sepx::attention {

struct HeadTerms {        ///< the terms of one head's score for one pair
  double form = 0;        ///< x_i^T W_qk^h x_j of the unchanged embeddings
  double norm = 0;        ///< added to `form` by the norm before the projections
  double queryBias = 0;   ///< b_Q . k_j
  double keyBias = 0;     ///< q_i . b_K
  double bothBiases = 0;  ///< b_Q . b_K
  double rope = 0;        ///< added by the rotation by `offset`
  double sum() const { return form + norm + queryBias + keyBias + bothBiases + rope; }
  double score = 0;  ///< q_i^T R(offset) k_j, as the model computes it; multiplied by `scale` before the softmax
};

/// `offset`: position of j minus position of i.
std::vector<HeadTerms> formTerms(const LayerFactors& factors, const OmittedScoreParts& omitted,
                                 const Eigen::VectorXd& x_i, const Eigen::VectorXd& x_j, int offset);

/// Raw scores and softmax of one query against several keys in one head. Both have the same order [Equation (5)].
struct Ranking {
  std::vector<double> raw, softmax;  ///< [keys]
  std::vector<int> order;            ///< key indices by descending score
};
Ranking ranking(const std::vector<double>& raw, double scale);

}  // namespace sepx::attention
