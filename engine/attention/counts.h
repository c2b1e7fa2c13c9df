// SPDX-License-Identifier: Apache-2.0
// How often a token is context and how often it is predicted [Attention-Structure, Proposition A.9 and (S111), as
// corrected: remarks att-10, att-11]. P_k = Pr[t_k = t*], k = 1 ... N; rho: share of masked positions.
//   autoregressive  mu_c = sum (N - k) P_k,  mu_p = sum (k - 1) P_k,  mu_c / mu_p = (N - mu)/(mu - 1)
//   bidirectional   mu_c = mu_p = (N - 1) rho (1 - rho) sum P_k       (printed with a factor N too many)
// Pure; any thread.
#pragma once

#include <span>

namespace sepx::attention {

struct TokenCounts {     ///< expected counts of one token as context and as prediction
  double context = 0;    ///< mu_c: expected number of tokens that t* helps to predict, per sequence
  double predicted = 0;  ///< mu_p: expected number of tokens that help to predict t*
  /// NaN if both are zero, infinite if only mu_p is zero.
  double ratio() const { return context / predicted; }
};

TokenCounts autoregressiveCounts(std::span<const double> P);             ///< every row predicts the next token
TokenCounts bidirectionalCounts(std::span<const double> P, double rho);  ///< each token is masked with probability rho
/// mu = sum k P_k / sum P_k: mean position of t*, counted from 1. NaN if t* never occurs.
double meanPosition(std::span<const double> P);
/// (N - mu)/(mu - 1); infinite at mu = 1.
double ratioFromMean(double N, double mu);
/// Distance of the mean position to the left of the middle, the largest delta of (S80): (N + 1)/2 - mu. Zero or
/// negative if the mean is not left of the middle.
double leftOfMiddle(double N, double mu);
/// epsilon of (S82): where mu <= (N + 1)/2 - delta, mu_c / mu_p >= 1 + epsilon, with equality at the largest delta.
/// 2 delta/(mu - 1); infinite at mu = 1.
double ratioMargin(double delta, double mu);

/// Ratios for N tokens of which pN are masked. Only pairs of two masked tokens have terms in both orders.
struct MaskedPairs {
  double ratio = 0;  ///< terms of masked pairs over terms of mixed pairs: (pN - 1)/(N - pN)  [(S111)]
  double limit = 0;  ///< limit of the ratio for long sequences: p/(1 - p)
  double share = 0;  ///< share of all off-diagonal terms: (pN - 1)/(N - 1)
};
MaskedPairs maskedPairs(double N, double p);

}  // namespace sepx::attention
