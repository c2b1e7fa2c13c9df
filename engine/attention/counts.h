// SPDX-License-Identifier: Apache-2.0
// How often a token is context and how often it is predicted [Attention-Structure, Proposition A.9 and (S111), as
// corrected: remarks att-10, att-11]. P_k = Pr[t_k = t*], k = 1 ... N; rho: share of masked places.
//   autoregressive  mu_c = sum (N - k) P_k,  mu_p = sum (k - 1) P_k,  mu_c / mu_p = (N - mu)/(mu - 1)
//   bidirectional   mu_c = mu_p = (N - 1) rho (1 - rho) sum P_k       (printed with a factor N too many)
// Pure; any thread.
#pragma once

#include <span>

namespace sepx::attention {

struct TokenCounts {     ///< what one token does as context and as prediction, expected
  double context = 0;    ///< mu_c: tokens that t* is expected to help predict, per sequence
  double predicted = 0;  ///< mu_p: tokens that are expected to help predict t*
  /// NaN where both are zero, infinite where only mu_p is.
  double ratio() const { return context / predicted; }
};

TokenCounts autoregressiveCounts(std::span<const double> P);             ///< every row predicts the next token
TokenCounts bidirectionalCounts(std::span<const double> P, double rho);  ///< each token is masked with probability rho
/// mu = sum k P_k / sum P_k: mean place of t*, from 1. NaN where t* never occurs.
double meanPosition(std::span<const double> P);
/// (N - mu)/(mu - 1); infinite at mu = 1.
double ratioFromMean(double N, double mu);
/// How far the mean place is left of the middle, the largest delta of (S80): (N + 1)/2 - mu; 0 or below where it is
/// not.
double leftOfMiddle(double N, double mu);
/// epsilon of (S82): where mu <= (N + 1)/2 - delta, mu_c / mu_p >= 1 + epsilon, with equality at the largest delta.
/// 2 delta/(mu - 1); infinite at mu = 1.
double ratioMargin(double delta, double mu);

/// Of N tokens pN are masked. Pairs of two masked tokens are those whose terms come in both orders.
struct MaskedPairs {
  double ratio = 0;  ///< to pairs of a masked and an unmasked token: (pN - 1)/(N - pN)  [(S111)]
  double limit = 0;  ///< of the ratio for long sequences: p/(1 - p)
  double share = 0;  ///< of all terms off the diagonal: (pN - 1)/(N - 1)
};
MaskedPairs maskedPairs(double N, double p);

}  // namespace sepx::attention
