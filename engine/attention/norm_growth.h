// SPDX-License-Identifier: Apache-2.0
// What Theorem 2.3 of Attention-Structure rests on, sampled: the norms of rows and columns that a token adds to W_qk as
// context of random tokens [Proposition A.7, (S48)-(S56)], and the lemma on tails that should turn variances into (18)
// [Lemma A.11]. (S56) is right; the two steps from it to (18) are not (remarks att-8, att-9).
//   one update   dW = (sum_i beta_i x_i) y^T,  x_i ~ N(0, diag Sigma), y ~ N(0, diag Gamma), beta_i ~ N(0, 1/tokens)
//   E |column k|^2 = Gamma_kk Tr Sigma,  E |row m|^2 = Sigma_mm Tr Gamma
// Pure; any thread.
#pragma once

#include <cstdint>
#include <functional>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/attention/scores.h"
#include "engine/attention/survival.h"

namespace sepx::attention {

struct NormModel {
  Eigen::VectorXd predicted;  ///< diagonal of Sigma: variances of the tokens that are predicted, [d]
  Eigen::VectorXd context;    ///< diagonal of Gamma: variances of the token that is their context, [d]
  int tokens = 16;            ///< N: predicted tokens of an update
};
/// d variances proportional to (m + 1)^-power, m = 0 ... d - 1, of mean 1: power 0 is the same everywhere.
Eigen::VectorXd powerVariances(Eigen::Index d, double power);

/// (S56): E |column k|^2 / E |row m|^2 of one update.
double expectedRatio(const NormModel& model, Eigen::Index column, Eigen::Index row);

struct NormGrowth {
  std::int64_t updates = 0;
  Eigen::VectorXd rows2, columns2;          ///< mean squared norm of a row (column) of one update, [d]
  Eigen::VectorXd rowErrors, columnErrors;  ///< their standard errors
  Matrix sum;                               ///< of all updates, [d, d]: what W_qk has gained
  Moments moments;                          ///< of `sum`
  Survival rows, columns;                   ///< of the norms of `sum`; (18) compares the two
  /// Variance of the norms of the rows (columns) of `sum`.
  double rowVariance = 0, columnVariance = 0;
};
/// `updates` independent updates, the same for the same seed. `cancelled` is asked now and then; then fewer are made.
NormGrowth growNorms(const NormModel& model, std::int64_t updates, std::uint64_t seed,
                     const std::function<bool()>& cancelled = {});

/// A law of two values.
struct TwoValues {
  double low = 0, high = 0;
  double share = 0;  ///< of `high`
  double mean() const { return low + share * (high - low); }
  double deviation() const;
  /// Pr[X > z]
  double above(double z) const { return (low > z ? 1 - share : 0) + (high > z ? share : 0); }
};

/// Two laws of one mean, the first with the larger deviation and nothing above z, the second with something above z:
/// against Lemma A.11, whatever its threshold is, as long as z > mean.
struct TailExample {
  TwoValues wide, narrow;
  double z = 0;
};
/// `wide` > `narrow` > 0 are the deviations, z > mean.
TailExample tailExample(double mean, double wide, double narrow, double z);
/// The threshold above which Lemma A.11 claims Pr[wide > z] >= Pr[narrow > z], as printed: sqrt(wide narrow) - mean.
double lemmaThreshold(double mean, double wide, double narrow);

}  // namespace sepx::attention
