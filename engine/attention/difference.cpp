// SPDX-License-Identifier: Apache-2.0
// Difference of two forms: by Gram matrices for narrow factors, by blocks of both products for wide ones. The choice
// depends on the shapes alone.
#include "engine/attention/difference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "engine/attention/blocks.h"
#include "engine/attention/product.h"
#include "engine/core/gemm.h"

namespace sepx::attention {
namespace {

using Eigen::Index;

constexpr Index kDifferenceTile = 192;

/// A^T B of two tall matrices.
Matrix gram(const Matrix& A, const Matrix& B) {
  const Matrix left = A.transpose(), right = B.transpose();
  Matrix C(left.rows(), right.rows());
  const auto size = [](Index i) { return static_cast<std::size_t>(i); };
  gemmABt(size(left.rows()), size(right.rows()), size(left.cols()), left.data(), size(left.cols()), right.data(),
          size(right.cols()), C.data(), size(C.cols()));
  return C;
}

double inner(const Matrix& A, const Matrix& B) {
  return A.cwiseProduct(B).sum();
}

/// Squares of |A|, |B| and |A - B|, and <A, B>.
struct Squares {
  double a = 0, b = 0, difference = 0, product = 0;
  void operator+=(const Squares& other) {
    a += other.a;
    b += other.b;
    difference += other.difference;
    product += other.product;
  }
};

/// For factors of the same inner shape: A - B = D K_a^T + Q_b E^T, D = Q_a - Q_b, E = K_a - K_b.
Squares byGram(const LayerFactors& a, const LayerFactors& b) {
  const Matrix D = a.W_Q - b.W_Q, E = a.W_K - b.W_K;
  Squares squares;
  squares.a = inner(gram(a.W_Q, a.W_Q), gram(a.W_K, a.W_K));
  squares.b = inner(gram(b.W_Q, b.W_Q), gram(b.W_K, b.W_K));
  squares.product = inner(gram(a.W_Q, b.W_Q), gram(a.W_K, b.W_K));
  squares.difference = inner(gram(D, D), gram(a.W_K, a.W_K)) + inner(gram(b.W_Q, b.W_Q), gram(E, E)) +
                       2 * inner(gram(D, b.W_Q), gram(a.W_K, E));
  return squares;
}

std::optional<Squares> byTiles(const LayerFactors& a, const LayerFactors& b, ThreadPool* pool,
                               const std::function<bool()>& cancelled) {
  const Product A(a, pool), B(b, pool);
  const Index across = blocksOf(A.columns(), kDifferenceTile);
  std::vector<Squares> parts(static_cast<std::size_t>(blocksOf(A.rows(), kDifferenceTile) * across));
  const bool whole = forEachBlock(static_cast<Index>(parts.size()), pool, cancelled, [&](Index place) {
    const Index row = place / across * kDifferenceTile, column = place % across * kDifferenceTile;
    const Crop crop{row, std::min(row + kDifferenceTile, A.rows()), column,
                    std::min(column + kDifferenceTile, A.columns())};
    Matrix x(crop.rows(), crop.columns()), y(crop.rows(), crop.columns());
    A.block(crop, x.data(), x.cols());
    B.block(crop, y.data(), y.cols());
    parts[static_cast<std::size_t>(place)] = {x.squaredNorm(), y.squaredNorm(), (x - y).squaredNorm(), inner(x, y)};
  });
  if (!whole) return std::nullopt;
  Squares sum;
  for (const Squares& part : parts)
    sum += part;
  return sum;
}

Difference finish(const Squares& squares) {
  Difference result;
  result.normA = std::sqrt(std::max(0.0, squares.a));
  result.normB = std::sqrt(std::max(0.0, squares.b));
  result.norm = std::sqrt(std::max(0.0, squares.difference));
  const double scale = std::sqrt(result.normA * result.normB);
  result.relative = result.norm == 0 ? 0 : result.norm / scale;
  result.cosine = std::clamp(squares.product / (result.normA * result.normB), -1.0, 1.0);
  return result;
}

}  // namespace

std::optional<Difference> difference(const LayerFactors& a, const LayerFactors& b, ThreadPool* pool,
                                     const std::function<bool()>& cancelled) {
  assert(a.rows() == b.rows() && a.columns() == b.columns());
  if (!a.W_Q.allFinite() || !a.W_K.allFinite() || !b.W_Q.allFinite() || !b.W_K.allFinite()) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    return Difference{kNaN, kNaN, kNaN, kNaN, kNaN};
  }
  const auto left = joinedHeads(borrowed(a), pool), right = joinedHeads(borrowed(b), pool);
  const Index inner = left->W_Q.cols();
  const bool narrow = inner == right->W_Q.cols() && 4 * inner < std::min(a.rows(), a.columns());
  if (narrow) return finish(byGram(*left, *right));
  const std::optional<Squares> squares = byTiles(*left, *right, pool, cancelled);
  if (!squares) return std::nullopt;
  return finish(*squares);
}

Difference difference(const LayerFactors& a, const LayerFactors& b) {
  return *difference(a, b, nullptr, {});
}

}  // namespace sepx::attention
