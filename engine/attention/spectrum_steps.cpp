// SPDX-License-Identifier: Apache-2.0
// Singular values: A = U B V^T with an upper bidiagonal B, whose singular values are the non-negative eigenvalues of
// the symmetric tridiagonal matrix with zero diagonal and off-diagonal b_1, c_1, b_2, c_2, … [Golub and Kahan 1965].
#include "engine/attention/spectrum_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace sepx::attention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Singular values of the bidiagonal matrix with this diagonal and upper diagonal.
std::optional<std::vector<double>> ofBidiagonal(const std::vector<double>& diagonal, const std::vector<double>& upper) {
  const auto size = static_cast<Index>(diagonal.size());
  const VectorXd zero = VectorXd::Zero(2 * size);
  VectorXd between(2 * size - 1);
  for (Index i = 0; i < size; ++i) {
    between(2 * i) = diagonal[static_cast<std::size_t>(i)];
    if (i + 1 < size) between(2 * i + 1) = upper[static_cast<std::size_t>(i)];
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(zero, between, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return std::nullopt;
  std::vector<double> values;
  for (Index i = 2 * size - 1; i >= size; --i)
    values.push_back(std::max(0.0, solver.eigenvalues()(i)));
  return values;
}

}  // namespace

Reflector reflectorOf(const VectorXd& x) {
  Reflector reflector;
  reflector.v = x;
  reflector.alpha = x(0);
  const double tail = x.tail(x.size() - 1).stableNorm();
  if (tail == 0) return reflector;
  const double norm = std::hypot(x(0), tail);
  reflector.alpha = x(0) > 0 ? -norm : norm;
  const double first = x(0) - reflector.alpha;
  reflector.v /= first;
  reflector.v(0) = 1;
  reflector.beta = -first / reflector.alpha;
  return reflector;
}

std::optional<std::vector<double>> singularValues(Matrix matrix, const Proceed& proceed) {
  if (matrix.rows() < matrix.cols()) matrix = Matrix(matrix.transpose());
  const Index n = matrix.rows(), m = matrix.cols();
  if (m == 0) return std::vector<double>{};
  const double scale = matrix.cwiseAbs().maxCoeff();
  if (scale == 0) return std::vector<double>(static_cast<std::size_t>(m), 0.0);
  matrix /= scale;
  std::vector<double> diagonal, upper;
  for (Index k = 0; k < m; ++k) {
    const double left = double(m - k) / double(m);
    if (!proceed(1 - left * left * left)) return std::nullopt;
    const Reflector column = reflectorOf(matrix.col(k).tail(n - k));
    diagonal.push_back(column.alpha);
    if (k + 1 == m) break;
    auto rest = matrix.bottomRightCorner(n - k, m - k - 1);
    const VectorXd w = column.beta * (rest.transpose() * column.v);
    rest.noalias() -= column.v * w.transpose();
    const Reflector row = reflectorOf(matrix.row(k).tail(m - k - 1).transpose());
    upper.push_back(row.alpha);
    if (k + 1 == n) continue;
    auto below = matrix.bottomRightCorner(n - k - 1, m - k - 1);
    const VectorXd u = row.beta * (below * row.v);
    below.noalias() -= u * row.v.transpose();
  }
  auto values = ofBidiagonal(diagonal, upper);
  if (!values) return std::nullopt;
  for (double& value : *values)
    value *= scale;
  return values;
}

// Eigenvalues of a real square matrix: Householder reduction to Hessenberg form, then double-shift QR sweeps [Francis
// 1961] on the block that is still coupled, with deflation from below. Only eigenvalues are needed, so a sweep stays
// inside its block.

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostSweeps = 60;          ///< for one eigenvalue
constexpr double kReductionShare = 0.4;  ///< share of the total time

bool toHessenberg(Matrix& H, const Proceed& proceed) {
  const Index n = H.rows();
  for (Index k = 0; k + 2 < n; ++k) {
    const double left = double(n - k) / double(n);
    if (!proceed(kReductionShare * (1 - left * left * left))) return false;
    const auto [v, beta, alpha] = reflectorOf(H.col(k).tail(n - k - 1));
    if (beta == 0) continue;
    auto below = H.bottomRightCorner(n - k - 1, n - k - 1);
    const VectorXd w = beta * (below.transpose() * v);
    below.noalias() -= v * w.transpose();
    auto right = H.rightCols(n - k - 1);
    const VectorXd u = beta * (right * v);
    right.noalias() -= u * v.transpose();
    H(k + 1, k) = alpha;
    H.col(k).tail(n - k - 2).setZero();
  }
  return true;
}

/// The eigenvalues of [[a, b], [c, d]].
std::array<Complex, 2> pairOf(double a, double b, double c, double d) {
  const double half = (a - d) / 2, discriminant = half * half + b * c;
  if (discriminant < 0) {
    const double imaginary = std::sqrt(-discriminant);
    return {Complex(d + half, imaginary), Complex(d + half, -imaginary)};
  }
  const double z = half + std::copysign(std::sqrt(discriminant), half);
  // The other root follows from the product of the roots, to avoid cancellation.
  return {Complex(d + z), Complex(z == 0 ? d : d - b * c / z)};
}

/// First row of the coupled block at the lower end of rows [0, high]. The negligible subdiagonal entry above the block
/// is set to 0.
Index blockStart(Matrix& H, Index high, double norm) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  for (Index low = high; low > 0; --low) {
    double neighbours = std::abs(H(low - 1, low - 1)) + std::abs(H(low, low));
    if (neighbours == 0) neighbours = norm;
    if (std::abs(H(low, low - 1)) < kEpsilon * neighbours) {
      H(low, low - 1) = 0;
      return low;
    }
  }
  return 0;
}

/// Applies I - beta v v^T, v = (1, v1, v2), from both sides to rows and columns k, k+1(, k+2) of the block.
void reflect(Matrix& H, Index low, Index high, Index k, const std::array<double, 3>& v, double beta, bool three) {
  double *row0 = &H(k, 0), *row1 = &H(k + 1, 0), *row2 = three ? &H(k + 2, 0) : nullptr;
  for (Index j = std::max(low, k - 1); j <= high; ++j) {
    const double sum = beta * (row0[j] + v[1] * row1[j] + (three ? v[2] * row2[j] : 0));
    row0[j] -= sum;
    row1[j] -= sum * v[1];
    if (three) row2[j] -= sum * v[2];
  }
  const Index last = std::min(high, k + 3);
  for (Index i = low; i <= last; ++i) {
    double* at = &H(i, k);
    const double sum = beta * (at[0] + v[1] * at[1] + (three ? v[2] * at[2] : 0));
    at[0] -= sum;
    at[1] -= sum * v[1];
    if (three) at[2] -= sum * v[2];
  }
}

/// One double-shift sweep over rows [low, high]. `trace` and `determinant` are the sum and the product of the two
/// shifts.
void sweep(Matrix& H, Index low, Index high, double trace, double determinant) {
  std::array<double, 3> x{
      H(low, low) * H(low, low) + H(low, low + 1) * H(low + 1, low) - trace * H(low, low) + determinant,
      H(low + 1, low) * (H(low, low) + H(low + 1, low + 1) - trace),
      low + 2 <= high ? H(low + 1, low) * H(low + 2, low + 1) : 0};
  for (Index k = low; k < high; ++k) {
    const bool three = k + 2 <= high;
    if (k > low) x = {H(k, k - 1), H(k + 1, k - 1), three ? H(k + 2, k - 1) : 0};
    const double scale = std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]);
    if (scale == 0) continue;
    const double norm = scale * std::hypot(x[0] / scale, x[1] / scale, x[2] / scale);
    const double alpha = x[0] > 0 ? -norm : norm, first = x[0] - alpha;
    if (first == 0) continue;
    reflect(H, low, high, k, {1, x[1] / first, x[2] / first}, -first / alpha, three);
    if (k == low) continue;
    H(k, k - 1) = alpha;
    H(k + 1, k - 1) = 0;
    if (three) H(k + 2, k - 1) = 0;
  }
}

/// Sum and product of the two shifts: the eigenvalues of the lowest two rows, or exceptional shifts in every tenth
/// sweep if there is no convergence.
std::array<double, 2> shiftsOf(const Matrix& H, Index high, int sweeps) {
  if (sweeps % 10 == 0) {
    const double size = std::abs(H(high, high - 1)) + (high >= 2 ? std::abs(H(high - 1, high - 2)) : 0);
    return {1.5 * size + 2 * H(high, high), size * size + H(high, high) * (1.5 * size + H(high, high))};
  }
  return {H(high - 1, high - 1) + H(high, high),
          H(high - 1, high - 1) * H(high, high) - H(high - 1, high) * H(high, high - 1)};
}

}  // namespace

std::optional<std::vector<Complex>> eigenvaluesOf(Matrix H, const Proceed& proceed) {
  std::vector<Complex> values;
  const double scale = H.size() == 0 ? 0 : H.cwiseAbs().maxCoeff();
  if (scale == 0) return std::vector<Complex>(static_cast<std::size_t>(H.rows()), Complex(0));
  H /= scale;
  if (!toHessenberg(H, proceed)) return std::nullopt;
  const double norm = H.norm(), size = double(H.rows());
  int sweeps = 0;
  for (Index high = H.rows() - 1; high >= 0;) {
    const Index low = blockStart(H, high, norm);
    if (low == high) {
      values.emplace_back(H(high, high));
      high -= 1;
      sweeps = 0;
    } else if (low + 1 == high) {
      for (const Complex& value : pairOf(H(low, low), H(low, high), H(high, low), H(high, high)))
        values.push_back(value);
      high -= 2;
      sweeps = 0;
    } else {
      const double left = double(high + 1) / size;
      if (++sweeps > kMostSweeps || !proceed(1 - (1 - kReductionShare) * left * left * left)) return std::nullopt;
      const auto [trace, determinant] = shiftsOf(H, high, sweeps);
      sweep(H, low, high, trace, determinant);
    }
  }
  for (Complex& value : values)
    value *= scale;
  std::stable_sort(values.begin(), values.end(), [](const Complex& a, const Complex& b) {
    const double x = std::abs(a), y = std::abs(b);
    if (x != y) return x > y;
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  });
  return values;
}

}  // namespace sepx::attention
