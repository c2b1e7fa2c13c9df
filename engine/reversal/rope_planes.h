// SPDX-License-Identifier: Apache-2.0
// Measures Assumption 4.2 in a trained model with RoPE [Reversal, A.3]. Given the query q of [M], it states that the
// key blocks of a token in the planes s = 1 ... D/2 are uncorrelated across planes, have the same total variance tau^2,
// and have in each plane the covariance
//   Sigma_s = tau^2 ((1 - rho_s)/2 I + rho_s q_s q_s^T / |q_s|^2), 0 <= rho_s <= 1.
// The sample is the tokens whose keys are used: the 26 capitals in our own models. A plane violates the assumption if
// keys vary more across the query than along it (rho_s < 0); the deviations from the other statements are given as
// numbers. Whether q is N(0, sigma^2 I) cannot be tested on the single q of a model; its shares w_s are given. Plane s
// of a head of D dimensions has the coordinates s and s + D/2. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "engine/core/result.h"
#include "engine/nn/model_config.h"
#include "engine/reversal/letter_scores.h"

namespace sepx::reversal {

struct RopePlane {    ///< two coordinates that rotate together
  double angle = 0;   ///< theta_s, radians per place
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
  double traceSpread = 0;      ///< standard deviation / mean of tau^2 over the planes; 0 by assumption
  double tilt = 0;             ///< root mean square over planes of 2 cross/(along + across); 0 by assumption
  /// Share of |Cov(k)|_F^2 that lies between planes; 0 by assumption. n tokens give a covariance of rank at most n - 1,
  /// so part of this share is present in every model.
  double between = 0;
  int samples = 0;
  /// S(Delta) = sum_s cosines_s cos(theta_s Delta) + sines_s sin(theta_s Delta), each [samples, planes].
  std::vector<double> cosines, sines;

  /// Scores of the sample `distance` places to the right of [M], [samples]; also beyond the model's length.
  std::vector<double> scoresAt(double distance) const;
  /// The correlation over the sample of the scores at +forward and at -reverse.
  double correlationAt(double forward, double reverse) const;
  /// The correlation that Assumption 4.2 predicts from the measured w_s and rho_s (A.3 for forward = reverse, B.3 in
  /// general). A rho below 0 is used as it is.
  double assumedCorrelation(double forward, double reverse) const;
};

/// For a query and keys [samples, D] at place 0, D even. Plane s rotates by angles[s] per place; there are D/2 angles.
/// `scale`: the factor of q . k.
RopePlanes planesOfHead(const Eigen::VectorXd& query, const Eigen::MatrixXd& keys, std::span<const double> angles,
                        double scale);

/// For the capitals. A Usage error if the model has no RoPE, does not read the tokens of pairs, has no such head, or
/// its head dimension is odd.
template <class T>
Result<RopePlanes> ropePlanes(const nn::ModelConfig& config, std::span<const T> theta, int head, ThreadPool& pool);

extern template Result<RopePlanes> ropePlanes(const nn::ModelConfig&, std::span<const float>, int, ThreadPool&);
extern template Result<RopePlanes> ropePlanes(const nn::ModelConfig&, std::span<const double>, int, ThreadPool&);

}  // namespace sepx::reversal
