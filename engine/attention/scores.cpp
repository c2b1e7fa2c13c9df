// SPDX-License-Identifier: Apache-2.0
// Symmetry and directionality from the moments of W_qk; see scores.h. The score functions have no loop over the matrix.
#include "engine/attention/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/attention/blocks.h"
#include "engine/attention/product.h"
#include "engine/core/gemm.h"

namespace sepx::attention {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();
/// A norm counts as above a threshold only if the difference exceeds rounding errors, so that equal norms (a
/// permutation, an orthogonal matrix) have no outlier at any gamma.
constexpr double kTie = 1e-12;

OutlyingNorms aboveThreshold(const Eigen::VectorXd& norms, double threshold) {
  OutlyingNorms side;
  side.threshold = threshold;
  const double least = threshold + kTie * std::abs(threshold);
  for (const double norm : norms) {
    if (!(norm > least)) continue;
    ++side.outliers;
    side.sum += norm;
    side.excess += norm - threshold;
  }
  return side;
}

OutlyingNorms sideOf(const Eigen::VectorXd& norms, const ScoreOptions& options) {
  const Eigen::Index n = norms.size();
  if (n == 0) return {};
  const double mean = norms.mean();
  const Eigen::Index freedom = n - options.ddof;
  const double deviation = freedom > 0 ? std::sqrt((norms.array() - mean).square().sum() / double(freedom)) : 0;
  OutlyingNorms side = aboveThreshold(norms, mean + options.gamma * deviation);
  side.mean = mean;
  side.deviation = deviation;
  return side;
}

double ratio(double r, double c) {
  const double total = r + c;
  return total == 0 ? 0 : (r - c) / total;
}

double weightOf(const OutlyingNorms& side, Directionality variant) {
  return variant == Directionality::Sum ? side.sum : side.excess;
}

bool comparable(const Moments& moments) {
  return moments.nonfinite == 0 && moments.rowNorms.allFinite() && moments.columnNorms.allFinite();
}

}  // namespace

double symmetry(const Moments& moments) {
  const double s = moments.traceMM / moments.frobenius2;
  if (moments.nonfinite != 0 || !std::isfinite(s)) return kNoScore;
  return std::clamp(s, -1.0, 1.0);
}

double symmetryCode(double s) {
  return (1 + s) / 2;
}

DirectionalityParts directionality(const Moments& moments, const ScoreOptions& options) {
  DirectionalityParts parts;
  parts.rows = sideOf(moments.rowNorms, options);
  parts.columns = sideOf(moments.columnNorms, options);
  parts.value = comparable(moments)
                    ? ratio(weightOf(parts.rows, options.variant), weightOf(parts.columns, options.variant))
                    : kNoScore;
  return parts;
}

double directionalityAt(const Moments& moments, double rowThreshold, double columnThreshold, Directionality variant) {
  if (!comparable(moments) || std::isnan(rowThreshold) || std::isnan(columnThreshold)) return kNoScore;
  return ratio(weightOf(aboveThreshold(moments.rowNorms, rowThreshold), variant),
               weightOf(aboveThreshold(moments.columnNorms, columnThreshold), variant));
}

double gammaAt(const OutlyingNorms& side, double threshold) {
  return side.deviation > 0 ? (threshold - side.mean) / side.deviation : 0;
}

Scores scoresOf(const Moments& moments, const ScoreOptions& options) {
  return {symmetry(moments), directionality(moments, options).value};
}

// Moments of W_qk = Q K^T; see scores.h. Two methods, chosen by the shape alone, so that the same form always uses the
// same method:
//   Gram   row norm^2_m = q_m^T (K^T K) q_m,  Tr(MM) = Tr(CC) with C = K^T Q         about 8 n p^2 operations
//   tiles  pairs of blocks (I, J) and (J, I) of the product, which together give their share of Tr(MM)    2 n m p
// Query heads that share a key head are added up first (product.h). Blocks have fixed sizes and their sums are added in
// a fixed order, so that the result has the same bits for every thread count. `cancelled` is called from
// several threads at once.

namespace {

using Eigen::Index;
using View = Eigen::Ref<const Matrix>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr Index kTile = 192;         ///< rows and columns of a block of the product
constexpr Index kMomentStrip = 512;  ///< rows of a factor that go into one partial sum of a Gram matrix

std::size_t countNonfinite(const View& matrix) {
  if (std::isfinite((matrix * 0.0).sum())) return 0;  // 0 * x is NaN for non-finite x only
  std::size_t count = 0;
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j)
      count += std::isfinite(matrix(i, j)) ? 0 : 1;
  return count;
}

/// Square roots of squared norms; non-finite values become NaN.
Eigen::VectorXd rootsOf(const Eigen::VectorXd& squares) {
  return squares.unaryExpr([](double x) { return std::isfinite(x) ? std::sqrt(std::max(x, 0.0)) : kNotANumber; });
}

/// C = A B^T, with an order of summation that depends on the depth alone.
Matrix product(const View& A, const View& B) {
  Matrix C(A.rows(), B.rows());
  const auto size = [](Index i) { return static_cast<std::size_t>(i); };
  gemmABt(size(A.rows()), size(B.rows()), size(A.cols()), A.data(), size(A.outerStride()), B.data(),
          size(B.outerStride()), C.data(), size(C.cols()));
  return C;
}

/// A^T [A, B] (A^T A if B is null) by strips of rows, added in order.
std::optional<Matrix> gram(const View& A, const View* B, ThreadPool* pool, const std::function<bool()>& cancelled) {
  const Index strips = blocksOf(A.rows(), kMomentStrip), width = A.cols() + (B != nullptr ? B->cols() : 0);
  std::vector<Matrix> partial(static_cast<std::size_t>(strips));
  const bool whole = forEachBlock(strips, pool, cancelled, [&](Index strip) {
    const Index first = strip * kMomentStrip, size = std::min(kMomentStrip, A.rows() - first);
    Matrix& both = partial[static_cast<std::size_t>(strip)];
    both.resize(A.cols(), width);
    const auto transposedTimes = [&](const View& other, double* out) {
      const auto number = [](Index i) { return static_cast<std::size_t>(i); };
      gemmAtB(number(A.cols()), number(other.cols()), number(size), A.data() + first * A.outerStride(),
              number(A.outerStride()), other.data() + first * other.outerStride(), number(other.outerStride()), out,
              number(width));
    };
    transposedTimes(A, both.data());
    if (B != nullptr) transposedTimes(*B, both.data() + A.cols());
  });
  if (!whole) return std::nullopt;
  Matrix sum = Matrix::Zero(A.cols(), width);
  for (const Matrix& one : partial)
    sum += one;
  return sum;
}

/// a_m^T G a_m for every row of A; G is symmetric.
std::optional<Eigen::VectorXd> quadraticForms(const View& A, const View& G, ThreadPool* pool,
                                              const std::function<bool()>& cancelled) {
  Eigen::VectorXd values(A.rows());
  const bool whole = forEachBlock(blocksOf(A.rows(), kMomentStrip), pool, cancelled, [&](Index strip) {
    const Index first = strip * kMomentStrip, size = std::min(kMomentStrip, A.rows() - first);
    const auto rows = A.middleRows(first, size);
    values.segment(first, size) = product(rows, G).cwiseProduct(rows).rowwise().sum();
  });
  if (!whole) return std::nullopt;
  return values;
}

Moments finish(const Eigen::VectorXd& rows2, const Eigen::VectorXd& columns2, double traceMM, std::size_t nonfinite) {
  Moments moments;
  moments.rowNorms = rootsOf(rows2);
  moments.columnNorms = rootsOf(columns2);
  moments.frobenius2 = rows2.sum();
  moments.traceMM = traceMM;
  moments.nonfinite = nonfinite;
  return moments;
}

std::optional<Moments> byGram(const View& Q, const View& K, const Matrix& gramK, std::size_t nonfinite,
                              ThreadPool* pool, const std::function<bool()>& cancelled) {
  const bool square = Q.rows() == K.rows();
  const auto grams = gram(Q, square ? &K : nullptr, pool, cancelled);  // [Q^T Q, C^T]
  if (!grams) return std::nullopt;
  const auto rows2 = quadraticForms(Q, gramK, pool, cancelled);
  if (!rows2) return std::nullopt;
  const auto columns2 = quadraticForms(K, grams->leftCols(Q.cols()), pool, cancelled);
  if (!columns2) return std::nullopt;
  double trace = kNotANumber;
  if (square) {
    const auto C = grams->rightCols(Q.cols());
    trace = C.cwiseProduct(C.transpose()).sum();
  }
  return finish(*rows2, *columns2, trace, nonfinite);
}

/// Sums of squares of every block, stored separately so that they can be added in a fixed order: the row sums of block
/// (I, J) are in rows.col(J).segment(I).
struct TileSums {
  Eigen::MatrixXd rows, columns;
  std::vector<double> trace;
};

void addTile(TileSums& sums, const Matrix& tile, Index I, Index J) {
  Eigen::RowVectorXd columns = Eigen::RowVectorXd::Zero(tile.cols());
  for (Index i = 0; i < tile.rows(); ++i) {
    sums.rows(I * kTile + i, J) = tile.row(i).squaredNorm();
    columns += tile.row(i).cwiseAbs2();
  }
  sums.columns.col(I).segment(J * kTile, tile.cols()) = columns.transpose();
}

/// Sum of tile(i, j) mirror(j, i), in square blocks that fit the cache.
double traceOf(const Matrix& tile, const Matrix& mirror) {
  constexpr Index kSquare = 16;
  double sum = 0;
  for (Index row = 0; row < tile.rows(); row += kSquare) {
    for (Index column = 0; column < tile.cols(); column += kSquare) {
      const Index height = std::min(kSquare, tile.rows() - row), width = std::min(kSquare, tile.cols() - column);
      const Matrix turned = mirror.block(column, row, width, height).transpose();
      sum += tile.block(row, column, height, width).cwiseProduct(turned).sum();
    }
  }
  return sum;
}

/// Indices (I, J) of the blocks that are formed together with their mirror images; all blocks if M is not square.
std::vector<std::pair<Index, Index>> placesOf(Index down, Index across, bool square) {
  std::vector<std::pair<Index, Index>> places;
  for (Index I = 0; I < down; ++I)
    for (Index J = square ? I : 0; J < across; ++J)
      places.emplace_back(I, J);
  return places;
}

std::optional<Moments> byTiles(const Product& M, std::size_t nonfinite, ThreadPool* pool,
                               const std::function<bool()>& cancelled) {
  const Index n = M.rows(), m = M.columns(), down = blocksOf(n, kTile), across = blocksOf(m, kTile);
  const bool square = n == m;
  const std::vector<std::pair<Index, Index>> places = placesOf(down, across, square);
  TileSums sums{Eigen::MatrixXd::Zero(n, across), Eigen::MatrixXd::Zero(m, down), {}};
  sums.trace.assign(places.size(), 0);
  const auto tileOf = [&](Index I, Index J) {
    const Crop crop{I * kTile, std::min(I * kTile + kTile, n), J * kTile, std::min(J * kTile + kTile, m)};
    Matrix tile(crop.rows(), crop.columns());
    M.block(crop, tile.data(), tile.cols());
    return tile;
  };
  const bool whole = forEachBlock(static_cast<Index>(places.size()), pool, cancelled, [&](Index place) {
    const auto [I, J] = places[static_cast<std::size_t>(place)];
    const Matrix tile = tileOf(I, J);
    addTile(sums, tile, I, J);
    if (!square) return;
    double& trace = sums.trace[static_cast<std::size_t>(place)];
    if (I == J) {
      trace = traceOf(tile, tile);
      return;
    }
    const Matrix mirror = tileOf(J, I);
    addTile(sums, mirror, J, I);
    trace = 2 * traceOf(tile, mirror);
  });
  if (!whole) return std::nullopt;
  double trace = 0;
  for (const double one : sums.trace)
    trace += one;
  return finish(sums.rows.rowwise().sum(), sums.columns.rowwise().sum(), square ? trace : kNotANumber, nonfinite);
}

bool gramIsCheaper(Index n, Index m, Index p) {
  return 2 * p * (n + m) < n * m;
}

std::size_t countNonfinite(const LayerFactors& factors) {
  std::size_t count = countNonfinite(factors.W_Q);
  const std::set<int> used(factors.keyHead.begin(), factors.keyHead.end());
  for (const int key : used)
    count += countNonfinite(factors.W_K.middleCols(Index{key} * factors.d_h, factors.d_h));
  return count;
}

}  // namespace

Moments momentsOf(const Eigen::Ref<const Matrix>& M) {
  double trace = kNotANumber;
  if (M.rows() == M.cols()) {
    trace = 0;
    for (Index i = 0; i < M.rows(); ++i)
      trace += M(i, i) * M(i, i) + 2 * M.row(i).tail(M.cols() - i - 1).dot(M.col(i).tail(M.rows() - i - 1));
  }
  return finish(M.rowwise().squaredNorm(), M.colwise().squaredNorm().transpose(), trace, countNonfinite(M));
}

std::optional<Moments> momentsOf(const LayerFactors& factors, ThreadPool* pool,
                                 const std::function<bool()>& cancelled) {
  const std::size_t nonfinite = countNonfinite(factors);
  const auto joined = joinedHeads(borrowed(factors), pool);
  const Matrix &Q = joined->W_Q, &K = joined->W_K;
  if (!gramIsCheaper(Q.rows(), K.rows(), Q.cols())) return byTiles(Product(*joined, pool), nonfinite, pool, cancelled);
  const auto gramK = gram(K, nullptr, pool, cancelled);
  if (!gramK) return std::nullopt;
  return byGram(Q, K, *gramK, nonfinite, pool, cancelled);
}

std::optional<std::vector<Moments>> momentsOfHeads(const LayerFactors& factors, ThreadPool* pool,
                                                   const std::function<bool()>& cancelled) {
  std::vector<Moments> moments(static_cast<std::size_t>(factors.heads));
  if (!gramIsCheaper(factors.rows(), factors.columns(), factors.d_h)) {
    for (int h = 0; h < factors.heads; ++h) {
      std::optional<Moments> one = momentsOf(headOf(factors, h), pool, cancelled);
      if (!one) return std::nullopt;
      moments[static_cast<std::size_t>(h)] = std::move(*one);
    }
    return moments;
  }
  const Index keyHeads = factors.W_K.cols() / factors.d_h;
  std::vector<Matrix> gramsK(static_cast<std::size_t>(keyHeads));
  bool whole = forEachBlock(keyHeads, pool, cancelled, [&](Index k) {
    const View K = factors.W_K.middleCols(k * factors.d_h, factors.d_h);
    gramsK[static_cast<std::size_t>(k)] = *gram(K, nullptr, nullptr, {});
  });
  whole = whole && forEachBlock(factors.heads, pool, cancelled, [&](Index h) {
            const View Q = factors.query(static_cast<int>(h)), K = factors.key(static_cast<int>(h));
            const auto key = static_cast<std::size_t>(factors.keyHead[static_cast<std::size_t>(h)]);
            moments[static_cast<std::size_t>(h)] =
                *byGram(Q, K, gramsK[key], countNonfinite(Q) + countNonfinite(K), nullptr, {});
          });
  if (!whole) return std::nullopt;
  return moments;
}

// Median and quartiles by linear interpolation between order statistics: position (count - 1) * share.

Quartiles quartiles(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double x) { return std::isnan(x); }), values.end());
  if (values.empty()) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    return {kNaN, kNaN, kNaN};
  }
  std::sort(values.begin(), values.end());
  const auto at = [&values](double share) {
    const double place = share * double(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double weight = place - double(below);
    return weight == 0 ? values[below] : values[below] + weight * (values[above] - values[below]);
  };
  return {at(0.5), at(0.25), at(0.75)};
}

}  // namespace sepx::attention
