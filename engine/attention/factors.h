// SPDX-License-Identifier: Apache-2.0
// The factors of the bilinear form of one attention, W_qk = sum_h W_Q^h (W_K^h)^T [Attention-Structure, (1)-(2)]: rows
// of W_qk belong to the query side, columns to the key side. No 1/sqrt(d_h), no norm gain, no bias, rotary encoding at
// offset 0. Plain data; any thread.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

namespace sepx::attention {

/// Row-major, so that a tile reads a row of W_Q contiguously.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct LayerFactors {        ///< W_Q and W_K of a layer
  int heads = 0;             ///< query heads
  int d_h = 0;               ///< width of a head
  Matrix W_Q;                ///< [d_model, heads * d_h]
  Matrix W_K;                ///< [d_key, kvHeads * d_h]; each key head once
  std::vector<int> keyHead;  ///< [heads]: the key head that each query head uses

  Eigen::Index rows() const { return W_Q.rows(); }     ///< d_model, rows of W_qk
  Eigen::Index columns() const { return W_K.rows(); }  ///< d_key, columns of W_qk
  /// Columns of head h: W_Q^h [d_model, d_h] and W_K^h [d_key, d_h].
  auto query(int h) const { return W_Q.middleCols(Eigen::Index{h} * d_h, d_h); }
  auto key(int h) const { return W_K.middleCols(Eigen::Index{keyHead[static_cast<std::size_t>(h)]} * d_h, d_h); }
};

/// The factors of one head alone.
LayerFactors headOf(const LayerFactors& factors, int head);
/// [d_key, heads * d_h]: the columns of a key head are repeated for every query head that uses it, so that W_qk = W_Q *
/// keysOfHeads(f)^T.
Matrix keysOfHeads(const LayerFactors& factors);
/// Largest rank that W_qk can have: d_h for each key head that is used, at most the smaller side. This is the `rank`
/// argument of `randomBands`.
int rankOf(const LayerFactors& factors);

/// The parts of a model's attention score that the bilinear form leaves out.
struct OmittedScoreParts {
  Eigen::VectorXd b_Q, b_K;      ///< [heads * d_h], [kvHeads * d_h]; empty: none
  Eigen::VectorXd gain, bias;    ///< of the norm before the projections, [d_model]; empty: none
  bool rms = false;              ///< the mean is not subtracted
  bool hasNorm = false;          ///< false: x is the residual stream itself; `gain`, `bias` and `epsilon` are unused
  bool normOfKeys = true;        ///< false in cross attention: x_j comes from the other stack and is not normalised
  double epsilon = 1e-5;         ///< of that norm
  double ropeBase = 0;           ///< 0: no rotary encoding
  int ropeDimensions = 0;        ///< number of the d_h dimensions that are rotated, from the first; 0: all
  bool ropeInterleaved = false;  ///< pairs (2t, 2t + 1); else (t, t + ropeDimensions/2)
  double scale = 1;              ///< factor of x_i^T W_qk x_j, as AttentionLayer::scale
};

}  // namespace sepx::attention
