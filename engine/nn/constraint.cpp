// SPDX-License-Identifier: Apache-2.0
// The constraint of one layer at a time: M = Q^T K with Q, K [r, d], where the query heads of each key head are summed
// first. G = dL/dM = alpha M^T - beta M. Where 2 r < d only products [r, r] are formed:
//   C = K Q^T, A = Q Q^T, B = K K^T:  Tr(MM) = Tr(CC), |M|^2 = <A, B>,
//   dQ = alpha C K - beta B Q,  dK = alpha C^T Q - beta A K
// Otherwise M itself is formed: dQ = K G^T, dK = Q G. Products are in T, sums over entries in double and in a fixed
// order.
#include "engine/nn/constraint.h"

#include <cassert>
#include <vector>

#include "engine/core/gemm.h"

namespace sepx::nn {
namespace {

constexpr double kGuard = 1e-6;

/// A row-major matrix or its transpose as one factor of C = A B^T.
template <class T>
struct Factor {
  const T* data = nullptr;
  std::size_t rows = 0, depth = 0;
  bool transposed = false;  ///< data is [depth, rows]
  GemmPanels<T> panels(GemmSide side) const {
    GemmPanels<T> out(side, rows, depth);
    if (transposed)
      out.fillTransposed(data, rows);
    else
      out.template fill<T>([this](std::size_t i) { return data + i * depth; });
    return out;
  }
};

template <class T>
void multiply(const Factor<T>& left, const Factor<T>& right, std::vector<T>& out, bool accumulate = false) {
  assert(left.depth == right.depth);
  out.resize(left.rows * right.rows);
  gemm(left.panels(GemmSide::Left), 0, left.rows, right.panels(GemmSide::Right), 0, right.rows, out.data(), right.rows,
       accumulate);
}

/// The value and the coefficients of G, computed from Tr(MM) and |M|^2.
struct Point {
  double value = 0, alpha = 0, beta = 0;
};
Point pointOf(const Constraint& constraint, double trace, double norm2) {
  // The score of the zero matrix is undefined, so the gradient is 0.
  if (norm2 == 0) return {2 * constraint.gamma, 0, 0};
  const double s = trace / norm2, side = constraint.kind == ConstraintKind::Symmetric ? 1 : -1;
  const double distance = 1 + side * s;
  if (distance < kGuard) return {2 * constraint.gamma / kGuard, 0, 0};
  const double slope = -side * 2 * constraint.gamma / (distance * distance);
  return {2 * constraint.gamma / distance, slope * 2 / norm2, slope * 2 * s / norm2};
}

template <class T>
double dot(const std::vector<T>& a, const std::vector<T>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// Tr(CC) of a square matrix.
template <class T>
double traceOfSquare(const std::vector<T>& C, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      sum += static_cast<double>(C[i * n + j]) * static_cast<double>(C[j * n + i]);
  return sum;
}

/// x <- alpha x + beta y
template <class T>
void combine(std::vector<T>& x, double alpha, const std::vector<T>& y, double beta) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(alpha * static_cast<double>(x[i]) + beta * static_cast<double>(y[i]));
}

template <class T>
struct LayerGradient {
  double value = 0;
  std::vector<T> query, key;  ///< [r, d]; empty: zero, or not requested
};

template <class T>
LayerGradient<T> byFactors(const Constraint& constraint, const T* Q, const T* K, std::size_t r, std::size_t d,
                           bool wanted) {
  std::vector<T> A, B, C, rest;
  const Factor<T> q{Q, r, d}, k{K, r, d}, qColumns{Q, d, r, true}, kColumns{K, d, r, true};
  multiply(q, q, A);
  multiply(k, k, B);
  multiply(k, q, C);
  const Point at = pointOf(constraint, traceOfSquare(C, r), dot(A, B));
  LayerGradient<T> out{at.value, {}, {}};
  if (!wanted || (at.alpha == 0 && at.beta == 0)) return out;
  multiply(Factor<T>{C.data(), r, r}, kColumns, out.query);
  multiply(Factor<T>{B.data(), r, r}, qColumns, rest);
  combine(out.query, at.alpha, rest, -at.beta);
  multiply(Factor<T>{C.data(), r, r, true}, qColumns, out.key);
  multiply(Factor<T>{A.data(), r, r}, kColumns, rest);
  combine(out.key, at.alpha, rest, -at.beta);
  return out;
}

template <class T>
LayerGradient<T> byMatrix(const Constraint& constraint, const T* Q, const T* K, std::size_t r, std::size_t d,
                          bool wanted) {
  std::vector<T> M;
  multiply(Factor<T>{Q, d, r, true}, Factor<T>{K, d, r, true}, M);
  const Point at = pointOf(constraint, traceOfSquare(M, d), dot(M, M));
  LayerGradient<T> out{at.value, {}, {}};
  if (!wanted || (at.alpha == 0 && at.beta == 0)) return out;
  std::vector<T> G(M.size());
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      G[i * d + j] = M[j * d + i];
  combine(G, at.alpha, M, -at.beta);
  multiply(Factor<T>{K, r, d}, Factor<T>{G.data(), d, d}, out.query);
  multiply(Factor<T>{Q, r, d}, Factor<T>{G.data(), d, d, true}, out.key);
  return out;
}

/// Sums the rows of the query heads of each key head, [kv d_h, d].
template <class T>
std::vector<T> groupSums(const ModelConfig& config, std::span<const T> query) {
  const std::size_t block = static_cast<std::size_t>(config.d_h()) * static_cast<std::size_t>(config.d_model);
  const auto group = static_cast<std::size_t>(config.heads / config.kv());
  std::vector<T> sums(query.size() / group, T{0});
  for (std::size_t h = 0; h * block < query.size(); ++h)
    for (std::size_t i = 0; i < block; ++i)
      sums[h / group * block + i] += query[h * block + i];
  return sums;
}

template <class T>
void addScaled(std::span<T> out, std::span<const T> gradient, double scale) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] += static_cast<T>(scale * static_cast<double>(gradient[i]));
}

}  // namespace

template <class T>
double constrain(const Constraint& constraint, const ModelConfig& config, const ParameterLayout& layout,
                 std::span<const T> theta, std::span<T> gradient, double scale) {
  if (constraint.kind == ConstraintKind::None || constraint.gamma == 0) return 0;
  const auto d = static_cast<std::size_t>(config.d_model);
  const std::size_t r = static_cast<std::size_t>(config.kv()) * static_cast<std::size_t>(config.d_h());
  const std::size_t block = static_cast<std::size_t>(config.d_h()) * d;
  const auto group = static_cast<std::size_t>(config.heads / config.kv());
  double total = 0;
  for (int layer = 0; layer < config.layers; ++layer) {
    const Parameter* query = layout.find(ParameterRole::Query, ParameterKind::Weight, layer);
    const Parameter* key = layout.find(ParameterRole::Key, ParameterKind::Weight, layer);
    assert(query != nullptr && key != nullptr);
    const std::span<const T> W_Q = theta.subspan(query->offset, query->size());
    const std::vector<T> sums = group == 1 ? std::vector<T>() : groupSums(config, W_Q);
    const T* Q = group == 1 ? W_Q.data() : sums.data();
    const T* K = theta.data() + key->offset;
    const LayerGradient<T> one = 2 * r < d ? byFactors(constraint, Q, K, r, d, !gradient.empty())
                                           : byMatrix(constraint, Q, K, r, d, !gradient.empty());
    total += one.value;
    if (one.query.empty()) continue;
    for (std::size_t h = 0; h < static_cast<std::size_t>(config.heads); ++h)
      addScaled(gradient.subspan(query->offset + h * block, block),
                std::span<const T>(one.query).subspan(h / group * block, block), scale);
    addScaled(gradient.subspan(key->offset, key->size()), std::span<const T>(one.key), scale);
  }
  return total;
}

template double constrain<float>(const Constraint&, const ModelConfig&, const ParameterLayout&, std::span<const float>,
                                 std::span<float>, double);
template double constrain<double>(const Constraint&, const ModelConfig&, const ParameterLayout&,
                                  std::span<const double>, std::span<double>, double);

}  // namespace sepx::nn
