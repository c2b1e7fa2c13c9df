// SPDX-License-Identifier: Apache-2.0
// The raw attention score of two embeddings taken apart [Attention-Structure, (1)-(4), (S13), (S14)]: x_i^T W_qk x_j
// head by head, and what the form leaves out: norm, biases, rotary encoding. The parts of a head add up to the score
// that the model computes, which `score` computes in the model's own way as a check. Double precision; any thread.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"

namespace sepx::attention {

struct HeadTerms {        ///< the terms of one head's score of a pair
  double form = 0;        ///< x_i^T W_qk^h x_j with the embeddings as they are
  double norm = 0;        ///< what the norm before the projections adds to that
  double queryBias = 0;   ///< b_Q . k_j
  double keyBias = 0;     ///< q_i . b_K
  double bothBiases = 0;  ///< b_Q . b_K
  double rope = 0;        ///< what the rotation by `offset` adds
  double sum() const { return form + norm + queryBias + keyBias + bothBiases + rope; }
  double score = 0;  ///< q_i^T R(offset) k_j, as the model computes it; times `scale` it goes into the softmax
};

/// `offset`: position of j minus position of i.
std::vector<HeadTerms> formTerms(const LayerFactors& factors, const LeftOut& leftOut, const Eigen::VectorXd& x_i,
                                 const Eigen::VectorXd& x_j, int offset);

/// Raw scores and softmax of one query against several keys, one head: their order is the same [Equation (5)].
struct Ranking {
  std::vector<double> raw, softmax;  ///< [keys]
  std::vector<int> order;            ///< indices of keys by falling score
};
Ranking ranking(const std::vector<double>& raw, double scale);

}  // namespace sepx::attention
