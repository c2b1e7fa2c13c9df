// SPDX-License-Identifier: Apache-2.0
// Spectrum of W_qk. If the factors have p columns and p is less than both sides, W_qk = U_Q (R_Q R_K^T) U_K^T, so that
// the singular values are those of the [p, p] matrix in the middle, and the non-zero eigenvalues of Q K^T are those of
// K^T Q. Otherwise W_qk is formed.
#include "engine/attention/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/attention/product.h"
#include "engine/attention/spectrum_steps.h"
#include "engine/core/gemm.h"

namespace sepx::attention {
namespace {

using Eigen::Index;

constexpr double kQrShare = 0.1, kSingularShare = 0.4;  ///< share of the total time at which the stage ends

/// R of the decomposition A = U R of a tall A, column by column, without the zero rows below it.
std::optional<Matrix> triangleOf(Matrix A, const Proceed& proceed) {
  const Index n = A.rows(), p = A.cols();
  for (Index k = 0; k < p; ++k) {
    if (!proceed(double(k) / double(p))) return std::nullopt;
    const auto [v, beta, alpha] = reflectorOf(A.col(k).tail(n - k));
    if (beta == 0) continue;
    auto rest = A.bottomRightCorner(n - k, p - k);
    const Eigen::VectorXd w = beta * (rest.transpose() * v);
    rest.noalias() -= v * w.transpose();
  }
  Matrix R = A.topRows(p).triangularView<Eigen::Upper>();
  return R;
}

/// A B^T, one strip of rows at a time.
std::optional<Matrix> product(const Matrix& A, const Matrix& B, const Proceed& proceed) {
  constexpr Index kStrip = 96;
  const auto size = [](Index i) { return static_cast<std::size_t>(i); };
  Matrix C(A.rows(), B.rows());
  for (Index row = 0; row < A.rows(); row += kStrip) {
    if (!proceed(double(row) / double(A.rows()))) return std::nullopt;
    gemmABt(size(std::min(kStrip, A.rows() - row)), size(B.rows()), size(A.cols()), A.data() + row * A.cols(),
            size(A.cols()), B.data(), size(B.cols()), C.data() + row * C.cols(), size(C.cols()));
  }
  return C;
}

/// Maps the progress of one stage to the total progress.
Proceed stage(const Proceed& progress, double from, double to) {
  return [progress, from, to](double share) { return !progress || progress(from + (to - from) * share); };
}

std::optional<Matrix> middleOf(const LayerFactors& factors, const Proceed& progress) {
  const auto R_Q = triangleOf(factors.W_Q, stage(progress, 0, 0.4 * kQrShare));
  if (!R_Q) return std::nullopt;
  const auto R_K = triangleOf(factors.W_K, stage(progress, 0.4 * kQrShare, 0.8 * kQrShare));
  if (!R_K) return std::nullopt;
  return product(*R_Q, *R_K, stage(progress, 0.8 * kQrShare, kQrShare));
}

void measure(Spectrum& result, double side) {
  if (result.singular.empty() || result.singular.front() == 0) return;
  const double largest = result.singular.front(), least = side * std::numeric_limits<double>::epsilon() * largest;
  for (const double value : result.singular) {
    result.rank += value > least ? 1 : 0;
    result.stableRank += (value / largest) * (value / largest);
  }
}

}  // namespace

std::optional<Spectrum> spectrum(const LayerFactors& given, const Proceed& progress) {
  if (!given.W_Q.allFinite() || !given.W_K.allFinite()) return std::nullopt;
  const auto factors = joinedHeads(borrowed(given));
  const Index smaller = std::min(factors->rows(), factors->columns());
  const bool narrow = factors->W_Q.cols() < smaller, square = factors->rows() == factors->columns();
  if (progress && !progress(0)) return std::nullopt;
  const std::optional<Matrix> matrix =
      narrow ? middleOf(*factors, progress) : product(factors->W_Q, factors->W_K, stage(progress, 0, kQrShare));
  if (!matrix) return std::nullopt;
  Spectrum result;
  const double singularEnd = square ? kSingularShare : 1;
  auto singular = singularValues(*matrix, stage(progress, kQrShare, singularEnd));
  if (!singular) return std::nullopt;
  result.singular = std::move(*singular);
  measure(result, double(std::max(factors->rows(), factors->columns())));
  if (!square) return result;
  const auto small = narrow ? product(Matrix(factors->W_K.transpose()), Matrix(factors->W_Q.transpose()),
                                      stage(progress, kSingularShare, kSingularShare))
                            : matrix;
  if (!small) return std::nullopt;
  auto eigenvalues = eigenvaluesOf(*small, stage(progress, kSingularShare, 1));
  if (!eigenvalues) return std::nullopt;
  result.eigenvalues = std::move(*eigenvalues);
  return result;
}

}  // namespace sepx::attention
