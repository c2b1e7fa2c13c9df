// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/attention_rows.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace sepx::nn {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

template <class T>
double dot(const T* a, const T* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c)
    sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

/// Sets weight [length] to P_ij, or to S_ij/n_i for the linear kind; 0 where not allowed.
template <class T>
void weightsOfRow(const AttentionShape& shape, const HeadRows<T>& rows, int b, int h, int i, double* weight) {
  const int end = keyEnd(shape, b, i);
  std::fill(weight, weight + shape.length, 0.0);
  const T* q = rows.q + static_cast<std::size_t>(i) * rows.ld;
  const double slope = hasBias(shape) ? shape.slopes[static_cast<std::size_t>(h)] : 0;
  const bool softmax = shape.kind == AttentionKind::Softmax;
  double most = kNever, sum = 0;
  for (int j = 0; j < end; ++j) {
    if (!isAllowed(shape, b, i, j)) {
      weight[j] = softmax ? kNever : 0;
      continue;
    }
    weight[j] = shape.scale * dot(q, rows.k + static_cast<std::size_t>(j) * rows.ld, shape.headDim) +
                slope * alibiDistance(shape, i, j);
    most = std::max(most, weight[j]);
    sum += 1;
  }
  if (softmax) {
    sum = 0;
    for (int j = 0; j < end; ++j) {
      weight[j] = most == kNever ? 0 : std::exp(weight[j] - most);
      sum += weight[j];
    }
  }
  for (int j = 0; j < end; ++j)
    weight[j] = sum > 0 ? weight[j] / sum : 0;
}

}  // namespace

template <class T>
void attentionProbabilities(const AttentionShape& shape, const AttentionInput<T>& in, int sequence, int head,
                            std::span<T> P) {
  const auto length = static_cast<std::size_t>(shape.length);
  assert(P.size() == length * length);
  const HeadRows<T> rows = headRows(shape, in, sequence, head);
  std::vector<double> weight(length);
  for (int i = 0; i < shape.length; ++i) {
    weightsOfRow(shape, rows, sequence, head, i, weight.data());
    for (std::size_t j = 0; j < length; ++j)
      P[static_cast<std::size_t>(i) * length + j] = static_cast<T>(weight[j]);
  }
}

template <class T>
void attentionBetas(const AttentionShape& shape, const AttentionInput<T>& in, const T* outGradient, std::size_t ldo,
                    int sequence, int head, std::span<T> beta) {
  const auto length = static_cast<std::size_t>(shape.length);
  assert(beta.size() == length * length);
  const HeadRows<T> rows = headRows(shape, in, sequence, head);
  const T* gradient = outGradient + static_cast<std::size_t>(sequence) * length * ldo +
                      static_cast<std::size_t>(head) * static_cast<std::size_t>(shape.headDim);
  const bool softmax = shape.kind == AttentionKind::Softmax;
  std::vector<double> weight(length), g(length);
  for (int i = 0; i < shape.length; ++i) {
    weightsOfRow(shape, rows, sequence, head, i, weight.data());
    const double count = std::max(1, allowedKeys(shape, sequence, i));
    double mean = 0;  // sum_k P_ik g_ik = do_i . o_i
    for (int j = 0; j < shape.length; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const bool sees = j < keyEnd(shape, sequence, i) && isAllowed(shape, sequence, i, j);
      g[at] = sees ? keepFactor(shape, sequence, head, i, j) *
                         dot(gradient + static_cast<std::size_t>(i) * ldo, rows.v + at * rows.ld, shape.headDim)
                   : 0;
      mean += weight[at] * g[at];
    }
    for (std::size_t j = 0; j < length; ++j)
      beta[static_cast<std::size_t>(i) * length + j] =
          static_cast<T>(shape.scale * (softmax ? weight[j] * (g[j] - mean) : g[j] / count));
  }
}

template void attentionProbabilities(const AttentionShape&, const AttentionInput<float>&, int, int, std::span<float>);
template void attentionProbabilities(const AttentionShape&, const AttentionInput<double>&, int, int, std::span<double>);
template void attentionBetas(const AttentionShape&, const AttentionInput<float>&, const float*, std::size_t, int, int,
                             std::span<float>);
template void attentionBetas(const AttentionShape&, const AttentionInput<double>&, const double*, std::size_t, int, int,
                             std::span<double>);

}  // namespace sepx::nn
