// SPDX-License-Identifier: Apache-2.0
// Samples the premises of Theorem 2.3 of Attention-Structure: the norms of the rows and columns that a token adds to
// W_qk as context of random tokens and as the token that they predict [Proposition A.7, Corollaries A.8, A.12], and the
// lemma on tails that should turn variances into (18) [Lemma A.11]. (S56) is right; the two steps from it to (18) are
// not (remarks att-8, att-9). In one sequence a token t* is context of n_c of the N other tokens and is predicted by
// n_p of them [(S89), (S90)]:
//   one update   dW = (sum_{i <= n_c} beta_i x_i) y^T + y (sum_{j <= n_p} beta'_j x'_j)^T
//                x ~ N(0, diag Sigma), y ~ N(0, diag Gamma), beta ~ N(0, 1/N), all independent
//   E |column k|^2 = (E n_c Gamma_kk Tr Sigma + E n_p Sigma_kk Tr Gamma)/N
//   E |row m|^2    = (E n_c Sigma_mm Tr Gamma + E n_p Gamma_mm Tr Sigma)/N
// These are exact, since the cross terms have mean 0: (S52), (S55), (S61) and (S91), which prints sums of beta in place
// of sums of beta^2. Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>

#include <Eigen/Core>

#include "engine/attention/counts.h"
#include "engine/attention/factors.h"
#include "engine/attention/scores.h"
#include "engine/attention/survival.h"

namespace sepx::attention {

/// How n_c and n_p of a sequence are chosen.
enum class TokenRole {
  Context,         ///< N and 0: Proposition A.7
  Predicted,       ///< 0 and N: Corollary A.8
  Autoregressive,  ///< t* at position k of N + 1: N + 1 - k and k - 1 (S66), (S67)
  Bidirectional,   ///< each position masked independently: an unmasked t* is context of the masked tokens, a masked t*
                   ///< is predicted by the unmasked ones (S71), (S72): Corollary A.12
};

struct NormModel {            ///< parameters of the expected growth
  Eigen::VectorXd predicted;  ///< diagonal of Sigma: variances of the other tokens, [d]
  Eigen::VectorXd context;    ///< diagonal of Gamma: variances of t*, [d]
  int tokens = 16;            ///< N: number of other tokens in a sequence
  TokenRole role = TokenRole::Context;
  double early = 1;    ///< for Autoregressive: Pr[t* at position k] ~ k^-early; above 0: left of the middle
  double mask = 0.15;  ///< for Bidirectional: share of masked positions
};
/// d variances proportional to (m + 1)^-power, m = 0 ... d - 1, scaled to mean 1; power 0 makes them all equal.
Eigen::VectorXd powerVariances(Eigen::Index d, double power);

/// E n_c and E n_p of a sequence that contains t* [Proposition A.9], with `mask` and `early` of the model.
TokenCounts expectedCounts(const NormModel& model);
/// E |row m|^2 and E |column k|^2 of one update, [d] each.
struct ExpectedNorms {
  Eigen::VectorXd rows2, columns2;
};
ExpectedNorms expectedNorms(const NormModel& model);
/// (S56), (S61), (S91): E |column k|^2 / E |row m|^2 of one update.
double expectedRatio(const NormModel& model, Eigen::Index column, Eigen::Index row);

struct NormGrowth {
  std::int64_t updates = 0;
  Eigen::VectorXd rows2, columns2;          ///< mean squared norm of a row (column) of one update, [d]
  Eigen::VectorXd rowErrors, columnErrors;  ///< their standard errors
  Matrix sum;                               ///< sum of all updates, [d, d]: the change of W_qk
  Moments moments;                          ///< of `sum`
  Survival rows, columns;                   ///< survival curves of the norms of `sum`, compared by (18)
  /// Variance of the norms of the rows (columns) of `sum`.
  double rowVariance = 0, columnVariance = 0;
};
/// Samples `updates` independent updates, reproducible by `seed`. `cancelled` is called every few hundred updates; if
/// it returns true, the result has fewer updates.
NormGrowth growNorms(const NormModel& model, std::int64_t updates, std::uint64_t seed,
                     const std::function<bool()>& cancelled = {});

/// A distribution on two values.
struct TwoValues {
  double low = 0, high = 0;
  double share = 0;  ///< probability of `high`
  double mean() const { return low + share * (high - low); }
  double deviation() const;  ///< the square root of the variance
  /// Pr[X > z]
  double above(double z) const { return (low > z ? 1 - share : 0) + (high > z ? share : 0); }
};

/// Two distributions of equal mean. `wide` has the larger deviation but no mass above z, and `narrow` has mass above z:
/// a counterexample to Lemma A.11 for any threshold, as long as z > mean.
struct TailExample {
  TwoValues wide, narrow;
  double z = 0;
};
/// `wide` > `narrow` > 0: the deviations; z > mean.
TailExample tailExample(double mean, double wide, double narrow, double z);
/// The printed threshold above which Lemma A.11 claims Pr[wide > z] >= Pr[narrow > z]: sqrt(wide narrow) - mean.
double lemmaThreshold(double mean, double wide, double narrow);

}  // namespace sepx::attention
