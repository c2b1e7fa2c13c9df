// SPDX-License-Identifier: Apache-2.0
// Survival curve of the norms of rows or columns: the share of them that lies above a value. Where the threshold of the
// directionality score cuts it, its height is the share of outliers. Plain data; any thread.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace sepx::attention {

struct Survival {
  std::vector<double> norm;   ///< ascending, without NaN; equal norms stand once
  std::vector<double> share;  ///< of all (finite) norms that are > norm[i]; the last one is 0
  std::size_t count = 0;      ///< finite norms
  /// Share of the norms > x: a falling staircase, 1 below the smallest.
  double at(double x) const;
};

/// Of norms as in Moments; NaN and infinite ones are left out.
Survival survivalOf(const Eigen::VectorXd& norms);
/// The corners (x, share) of the staircase from x = 0, for a polyline; thinned to about `most` steps that are evenly
/// spaced in share, the largest norms (the outliers) kept one by one.
std::vector<std::pair<double, double>> staircase(const Survival& survival, std::size_t most = 400);

}  // namespace sepx::attention
