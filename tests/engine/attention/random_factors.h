// SPDX-License-Identifier: Apache-2.0
// Random factors for tests, and W_qk computed by the literal triple loop.
#pragma once

#include <random>

#include "engine/attention/factors.h"
#include "engine/attention/tiles.h"

namespace sepx::attention {

inline Matrix gaussian(std::mt19937_64& generator, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped<Eigen::RowMajor>())
    entry = normal(generator);
  return matrix;
}

/// Query head h uses key head h / (heads / kvHeads).
inline LayerFactors randomFactors(int rows, int columns, int heads, int kvHeads, int d_h, unsigned seed) {
  std::mt19937_64 generator(seed);
  LayerFactors factors;
  factors.heads = heads;
  factors.d_h = d_h;
  factors.W_Q = gaussian(generator, rows, Eigen::Index{heads} * d_h);
  factors.W_K = gaussian(generator, columns, Eigen::Index{kvHeads} * d_h);
  for (int h = 0; h < heads; ++h)
    factors.keyHead.push_back(h / (heads / kvHeads));
  return factors;
}

inline Matrix literal(const LayerFactors& factors) {
  Matrix M = Matrix::Zero(factors.rows(), factors.columns());
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j)
      for (int h = 0; h < factors.heads; ++h)
        for (int k = 0; k < factors.d_h; ++k)
          M(i, j) += factors.query(h)(i, k) * factors.key(h)(j, k);
  return M;
}

inline Matrix literal(const LayerFactors& factors, Part part) {
  const Matrix M = literal(factors);
  if (part == Part::Full) return M;
  return part == Part::Symmetric ? Matrix(0.5 * (M + M.transpose())) : Matrix(0.5 * (M - M.transpose()));
}

}  // namespace sepx::attention
