// SPDX-License-Identifier: Apache-2.0
// Factors and matrices for tests, and W_qk by the literal triple loop.
#pragma once

#include <random>

#include "engine/attention/factors.h"

namespace sepx::attention::test {

inline Matrix gaussian(std::mt19937_64& generator, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped<Eigen::RowMajor>())
    entry = normal(generator);
  return matrix;
}

/// Query head h uses key head h / (heads / keyHeads).
inline LayerFactors randomFactors(unsigned seed, int rows, int columns, int heads, int keyHeads, int d_h) {
  std::mt19937_64 generator(seed);
  LayerFactors factors{heads,
                       d_h,
                       gaussian(generator, rows, Eigen::Index{heads} * d_h),
                       gaussian(generator, columns, Eigen::Index{keyHeads} * d_h),
                       {}};
  for (int h = 0; h < heads; ++h)
    factors.keyHead.push_back(h / (heads / keyHeads));
  return factors;
}

inline Matrix literalForm(const LayerFactors& factors) {
  Matrix M = Matrix::Zero(factors.rows(), factors.columns());
  for (int h = 0; h < factors.heads; ++h) {
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      for (Eigen::Index j = 0; j < M.cols(); ++j)
        for (int t = 0; t < factors.d_h; ++t)
          M(i, j) += factors.W_Q(i, h * factors.d_h + t) *
                     factors.W_K(j, factors.keyHead[static_cast<std::size_t>(h)] * factors.d_h + t);
  }
  return M;
}

}  // namespace sepx::attention::test
