// SPDX-License-Identifier: Apache-2.0
// The low-rank family of Local-to-Global, App. C, with <v, alpha> = 0, as the paper observes. Its scalars are e, p, w,
// b and beta, the number of ones among the signs of the hidden units, of a transformer of width d with r hidden units:
//   e-vector = e alpha, p_n = -p alpha, alpha in {-1, 1}^d                                             (12)
//   W_1 = w s alpha^T, s in {-1, 1}^r,  W_2 = sign W_1^T                                               (14), (15)
//   logit_n = e d c (1 + sign w^2 d N(c)) + b,  c = e x_n - p,  N(c) = beta for w c > 0, r - beta for w c < 0  (16),
//   (17)
// where sign = 1 in (15), and -1 for p + q > 1, as App. D requires. (17) gives N only for w > 0 and 0 < p < e; the form
// above is that of the network for every p. The gradient and the fixed points are ours, not the paper's. Any thread.
#pragma once

#include <array>

#include "engine/markov/chain.h"

namespace sepx::markov {

struct LowRank {
  double e = 1, p = 0.5, w = 0.1, b = 0;
  int d = 8, r = 32, beta = 32;
  int sign = 1;  ///< W_2 = sign W_1^T
};

/// The logits after 0 and after 1.
std::array<double, 2> lowRankLogits(const LowRank& at);
/// The loss (11), in nats.
double lowRankLoss(const Chain& chain, const LowRank& at);
/// Derivatives with respect to e, p, w, b; one-sided where c = 0.
std::array<double, 4> lowRankGradient(const Chain& chain, const LowRank& at);
/// The b of least loss for the values of the other scalars (Lemma 5, whose S is the difference of the logits).
double lowRankBias(const Chain& chain, const LowRank& at);
/// The same scalars with p/e fixed at `part`, the e > 0 at which the logits differ by S_star, and the best b. This is a
/// fixed point, where the network predicts the transition kernel. NaN if there is no such e.
LowRank lowRankMinimum(const Chain& chain, LowRank at, double part);

}  // namespace sepx::markov
