// SPDX-License-Identifier: Apache-2.0
// Assumption 4.2 measured in a trained model with RoPE [Reversal, A.3]: given the query q of [M], the key blocks of a
// token in the planes s = 1 ... D/2 are to be uncorrelated across planes, of one total variance tau^2, and in each
// plane
//   Sigma_s = tau^2 ((1 - rho_s)/2 I + rho_s q_s q_s^T / |q_s|^2), 0 <= rho_s <= 1.
// The tokens that a key is taken of are the sample: the 26 capitals in our own models. A plane violates the assumption
// where keys vary more across the query than along it (rho_s < 0); what of it does not hold exactly is given as a
// number. That q is N(0, sigma^2 I) cannot be seen in the one q that a model has; its shares w_s are there. Plane s of
// a head of D dimensions: coordinates s and s + D/2. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/reversal/letter_scores.h"

namespace sepx::reversal {

struct RopePlane {    ///< two coordinates that turn together
  double angle = 0;   ///< theta_s, radians a place
  double weight = 0;  ///< w_s = |q_s|^2/|q|^2
  /// Covariance of the key blocks over the sample, in the basis of q_s and the direction orthogonal to it.
  double along = 0, across = 0, cross = 0;
  double trace() const { return along + across; }  ///< tau^2 of this plane
  /// (along - across)/(along + across): the rho_s that fits best; NaN where keys do not vary.
  double alignment() const { return (along - across) / (along + across); }
  bool violates() const { return across > along; }
};

struct RopePlanes {
  std::vector<RopePlane> planes;
  int violating = 0;           ///< planes with rho_s < 0
  double violatingWeight = 0;  ///< sum of their w_s
  double traceSpread = 0;      ///< deviation over mean of tau^2 across the planes: 0 by assumption
  double tilt = 0;             ///< root mean square over planes of 2 cross/(along + across): 0 by assumption
  /// Share of |Cov(k)|_F^2 that lies between planes: 0 by assumption. n tokens cannot make a covariance of more than
  /// rank n - 1, so that a part of it is there whatever the model is.
  double between = 0;
  int samples = 0;
  /// S(Delta) = sum_s cosines_s cos(theta_s Delta) + sines_s sin(theta_s Delta), each [samples, planes].
  std::vector<double> cosines, sines;

  /// Scores of the sample `distance` places to the right of [M], [samples]; also beyond the model's length.
  std::vector<double> scoresAt(double distance) const;
  /// Their correlation over the sample at +forward and -reverse.
  double correlationAt(double forward, double reverse) const;
  /// What Assumption 4.2 says of it with the measured w_s and rho_s (A.3 for forward = reverse, B.3 in general); a rho
  /// below 0 is taken as it is.
  double assumedCorrelation(double forward, double reverse) const;
};

/// Of a query and keys [samples, D] at place 0, D even; plane s turns by angles[s], D/2 of them. `scale`: of q . k.
RopePlanes planesOfHead(const Eigen::VectorXd& query, const Eigen::MatrixXd& keys, std::span<const double> angles,
                        double scale);

/// Of the capitals. Usage where the model has no RoPE or not the tokens of pairs, where a head has no such number, and
/// where its dimension is odd.
template <class T>
Result<RopePlanes> ropePlanes(const nn::ModelConfig& config, std::span<const T> theta, int head, ThreadPool& pool);

extern template Result<RopePlanes> ropePlanes(const nn::ModelConfig&, std::span<const float>, int, ThreadPool&);
extern template Result<RopePlanes> ropePlanes(const nn::ModelConfig&, std::span<const double>, int, ThreadPool&);

}  // namespace sepx::reversal
