// SPDX-License-Identifier: Apache-2.0
// The low-rank family of Local-to-Global, App. C, with <v, alpha> = 0, which the text observes: scalars e, p, w, b and
// beta, the number of ones among the signs of the hidden units, of a transformer of width d with r hidden units,
//   e-vector = e alpha, p_n = -p alpha, alpha in {-1, 1}^d                                             (12)
//   W_1 = w s alpha^T, s in {-1, 1}^r,  W_2 = sign W_1^T                                               (14), (15)
//   logit_n = e d c (1 + sign w^2 d N(c)) + b,  c = e x_n - p,  N(c) = beta for w c > 0, r - beta for w c < 0  (16),
//   (17)
// where sign = 1 in (15) and -1 as App. D says that p + q > 1 needs. (17) prints N for w > 0 and 0 < p < e alone; the
// form above is that of the network for every p. The gradient and the fixed points are ours. Any thread.
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
/// (11), nats.
double lowRankLoss(const Chain& chain, const LowRank& at);
/// By e, p, w, b. One-sided where c = 0.
std::array<double, 4> lowRankGradient(const Chain& chain, const LowRank& at);
/// The b of the least loss for the others' values (Lemma 5, whose S is the difference of the logits).
double lowRankBias(const Chain& chain, const LowRank& at);
/// The same scalars with the e > 0 at which the logits differ by S_star, p/e held at `part`, and the best b: a fixed
/// point, where the network predicts the kernel. NaN where no e does.
LowRank lowRankMinimum(const Chain& chain, LowRank at, double part);

}  // namespace sepx::markov
