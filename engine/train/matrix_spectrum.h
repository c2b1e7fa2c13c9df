// SPDX-License-Identifier: Apache-2.0
// Singular values of one matrix of a run, and the vectors that belong to the largest. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace sepx::train {

/// Singular values, descending, and the vectors that belong to the largest: W ~ singular[0] left right^T, the sign
/// such that the largest entry of `right` is positive.
struct MatrixSpectrum {
  std::vector<double> singular;
  Eigen::VectorXd left, right;  ///< [rows], [columns]; empty where the matrix has a non-finite entry
  double ratio() const;         ///< sigma1/sigma2; infinite for rank one; NaN for zero and for one row or column
};
MatrixSpectrum matrixSpectrum(std::span<const float> values, int rows, int columns);

}  // namespace sepx::train
