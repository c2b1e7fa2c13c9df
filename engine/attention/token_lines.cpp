// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/token_lines.h"

#include <cassert>

namespace sepx::attention {
namespace {

using Vector = Eigen::VectorXd;
using Given = Eigen::Ref<const Matrix>;

/// G column by column, each by (13) over all positions.
Matrix gradientByColumns(const Given& X, const Given& beta) {
  const Matrix asked = X.transpose() * beta;  // column j: sum_i beta_ij x_i
  Matrix G(X.cols(), X.cols());
  for (Eigen::Index k = 0; k < X.cols(); ++k)
    G.col(k) = asked * X.col(k);
  return G;
}

}  // namespace

TokenLines contextLines(const Given& X, const Given& beta, std::span<const int> places, int k, int m) {
  TokenLines lines{Vector::Zero(X.cols()), Vector::Zero(X.cols())};
  for (const int place : places) {
    lines.column += X(place, k) * (X.transpose() * beta.col(place));
    lines.row += X.col(m).dot(beta.col(place)) * X.row(place).transpose();
  }
  return lines;
}

TokenLines targetLines(const Given& X, const Given& beta, std::span<const int> places, int k, int m) {
  TokenLines lines{Vector::Zero(X.cols()), Vector::Zero(X.cols())};
  for (const int place : places) {
    lines.column += beta.row(place).dot(X.col(k)) * X.row(place).transpose();
    lines.row += X(place, m) * (beta.row(place) * X).transpose();
  }
  return lines;
}

LayerFactors gradientsByTokens(const LayerFactors& factors, const Given& X, std::span<const Matrix> beta,
                               const Vector& b_Q, const Vector& b_K) {
  assert(static_cast<int>(beta.size()) == factors.heads && X.cols() == factors.rows());
  LayerFactors made = factors;
  made.W_K.setZero();
  for (int h = 0; h < factors.heads; ++h) {
    const Matrix& of = beta[static_cast<std::size_t>(h)];
    const Matrix G = gradientByColumns(X, of);
    const Eigen::Index query = Eigen::Index{h} * factors.d_h,
                       key = Eigen::Index{factors.keyHead[static_cast<std::size_t>(h)]} * factors.d_h;
    auto ofQuery = made.W_Q.middleCols(query, factors.d_h);
    auto ofKey = made.W_K.middleCols(key, factors.d_h);
    ofQuery = G * factors.key(h);
    ofKey += G.transpose() * factors.query(h);
    if (b_K.size() > 0) ofQuery += (X.transpose() * of.rowwise().sum()) * b_K.segment(key, factors.d_h).transpose();
    if (b_Q.size() > 0)
      ofKey += (X.transpose() * of.colwise().sum().transpose()) * b_Q.segment(query, factors.d_h).transpose();
  }
  return made;
}

Matrix stepOfForm(const LayerFactors& factors, const LayerFactors& gradients, int head, double eta) {
  const auto dQ = gradients.query(head), dK = gradients.key(head);
  Matrix step = factors.query(head) * dK.transpose();
  step += dQ * factors.key(head).transpose();
  step -= eta * (dQ * dK.transpose());
  return step;
}

}  // namespace sepx::attention
