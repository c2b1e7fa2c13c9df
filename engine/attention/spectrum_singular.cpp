// SPDX-License-Identifier: Apache-2.0
// A = U B V^T with an upper bidiagonal B; its singular values are the non-negative eigenvalues of the symmetric
// tridiagonal matrix with zero diagonal and off-diagonal b_1, c_1, b_2, c_2, … [Golub and Kahan 1965].
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "engine/attention/spectrum_steps.h"

namespace sepx::attention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// v and beta with (I - beta v v^T) x = alpha e_1, v_1 = 1. beta = 0: x is that already.
struct Reflector {
  VectorXd v;
  double beta = 0, alpha = 0;
};

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

}  // namespace sepx::attention
