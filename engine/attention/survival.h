// SPDX-License-Identifier: Apache-2.0
// Survival curve of the norms of rows or columns: the share of norms above a value. Its height at the threshold of the
// directionality score is the share of outliers. Plain data; any thread.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace sepx::attention {

struct Survival {
  std::vector<double> norm;   ///< ascending, without NaN and duplicates
  std::vector<double> share;  ///< share of the finite norms that are > norm[i]; the last is 0
  std::size_t count = 0;      ///< finite norms
  /// Share of the norms > x: a falling staircase, 1 below the smallest norm.
  double at(double x) const;
};

/// Survival curve of norms as in Moments; NaN and infinite norms are ignored.
Survival survivalOf(const Eigen::VectorXd& norms);
/// The corners (x, share) of the staircase from x = 0, for a polyline; thinned to about `most` steps. Half of them are
/// evenly spaced in share; the others are the largest norms (the outliers), all of which are kept.
std::vector<std::pair<double, double>> staircase(const Survival& survival, std::size_t most = 400);

}  // namespace sepx::attention
