// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/attention.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/nn/layers/attention_rows.h"

namespace sepx::nn {

AttentionShape attentionShape(const ModelConfig& config, std::span<double> slopes) {
  AttentionShape shape;
  shape.length = config.length;
  shape.heads = config.heads;
  shape.kvHeads = config.kv();
  shape.headDim = config.d_h();
  shape.kind = config.attention;
  shape.causal = config.causal;
  shape.scale = config.scale();
  if (config.positions == Positions::Alibi) {
    assert(slopes.size() == static_cast<std::size_t>(config.heads));
    for (int h = 0; h < config.heads; ++h)
      slopes[static_cast<std::size_t>(h)] =
          config.alibiSlope != 0 ? config.alibiSlope : std::exp2(-8.0 * (h + 1) / config.heads);
    shape.slopes = slopes;
    shape.alibiSigned = config.alibiSigned;
  }
  return shape;
}

namespace {

template <class T>
T dot(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  for (std::size_t c = 0; c < n; ++c)
    sum += a[c] * b[c];
  return sum;
}

/// P of row i (S/n of the linear kind), undropped; returns the log sum.
template <class T>
T rowWeights(const AttentionShape& shape, const HeadRows<T>& rows, int b, int h, int i, T* weight) {
  const int end = keyEnd(shape, b, i);
  const bool softmax = shape.kind == AttentionKind::Softmax;
  const double slope = hasBias(shape) ? shape.slopes[static_cast<std::size_t>(h)] : 0;
  T most = -std::numeric_limits<T>::infinity(), sum = 0;
  int count = 0;
  for (int j = 0; j < end; ++j) {
    weight[j] = softmax ? -std::numeric_limits<T>::infinity() : T(0);
    if (!isAllowed(shape, i, j)) continue;
    ++count;
    weight[j] = static_cast<T>(shape.scale) * dot(rows.q + static_cast<std::size_t>(i) * rows.ld,
                                                  rows.k + static_cast<std::size_t>(j) * rows.ld,
                                                  static_cast<std::size_t>(shape.headDim)) +
                static_cast<T>(slope * alibiDistance(shape, i, j));
    most = std::max(most, weight[j]);
  }
  for (int j = 0; j < end; ++j) {
    if (softmax) sum += weight[j] = count > 0 ? std::exp(weight[j] - most) : T(0);
  }
  const T divisor = softmax ? sum : static_cast<T>(count);
  for (int j = 0; j < end; ++j)
    weight[j] = count > 0 ? weight[j] / divisor : T(0);
  return count > 0 && softmax ? most + std::log(sum) : T(0);
}

}  // namespace

template <class T>
void attentionForward(ThreadPool& pool, const AttentionShape& shape, const AttentionInput<T>& in, T* out,
                      std::size_t ldo, T* logSum) {
  const auto length = static_cast<std::size_t>(shape.length), width = static_cast<std::size_t>(shape.headDim);
  const auto heads = static_cast<std::size_t>(shape.heads);
  pool.parallelFor(0, static_cast<std::size_t>(shape.sequences) * heads, 1, [&](std::size_t first, std::size_t last) {
    std::vector<T> weight(length);
    for (std::size_t task = first; task < last; ++task) {
      const int b = static_cast<int>(task / heads), h = static_cast<int>(task % heads);
      const HeadRows<T> rows = headRows(shape, in, b, h);
      for (int i = 0; i < shape.length; ++i) {
        logSum[task * length + static_cast<std::size_t>(i)] = rowWeights(shape, rows, b, h, i, weight.data());
        T* o = out + (static_cast<std::size_t>(b) * length + static_cast<std::size_t>(i)) * ldo +
               static_cast<std::size_t>(h) * width;
        std::fill(o, o + width, T(0));
        for (int j = 0; j < keyEnd(shape, b, i); ++j) {
          const T factor = weight[static_cast<std::size_t>(j)] * static_cast<T>(keepFactor(shape, b, h, i, j));
          for (std::size_t c = 0; c < width; ++c)
            o[c] += factor * rows.v[static_cast<std::size_t>(j) * rows.ld + c];
        }
      }
    }
  });
}

template <class T>
void attentionBackward(ThreadPool& pool, const AttentionShape& shape, const AttentionInput<T>& in, const T* out,
                       const T* outGradient, std::size_t ldo, const T*, T* dq, T* dk, T* dv, std::size_t ldg) {
  const auto length = static_cast<std::size_t>(shape.length), width = static_cast<std::size_t>(shape.headDim);
  const auto kvHeads = static_cast<std::size_t>(shape.kvHeads);
  const int group = shape.heads / shape.kvHeads;
  pool.parallelFor(0, static_cast<std::size_t>(shape.sequences) * kvHeads, 1, [&](std::size_t first, std::size_t last) {
    std::vector<T> weight(length);
    for (std::size_t task = first; task < last; ++task) {
      const int b = static_cast<int>(task / kvHeads), kv = static_cast<int>(task % kvHeads);
      const std::size_t row0 = static_cast<std::size_t>(b) * length;
      T* dK = dk + row0 * ldg + static_cast<std::size_t>(kv) * width;
      T* dV = dv + row0 * ldg + static_cast<std::size_t>(kv) * width;
      for (std::size_t j = 0; j < length; ++j) {
        std::fill(dK + j * ldg, dK + j * ldg + width, T(0));
        std::fill(dV + j * ldg, dV + j * ldg + width, T(0));
      }
      for (int h = kv * group; h < (kv + 1) * group; ++h) {
        const HeadRows<T> rows = headRows(shape, in, b, h);
        for (int i = 0; i < shape.length; ++i) {
          rowWeights(shape, rows, b, h, i, weight.data());
          const std::size_t row = row0 + static_cast<std::size_t>(i), column = static_cast<std::size_t>(h) * width;
          const T* go = outGradient + row * ldo + column;
          const bool softmax = shape.kind == AttentionKind::Softmax;
          const T mean = softmax ? dot(go, out + row * ldo + column, width) : T(0);
          const T over = T(1) / static_cast<T>(std::max(1, allowedKeys(shape, b, i)));
          T* dQ = dq + row * ldg + column;
          std::fill(dQ, dQ + width, T(0));
          for (int j = 0; j < keyEnd(shape, b, i); ++j) {
            if (!isAllowed(shape, i, j)) continue;
            const auto at = static_cast<std::size_t>(j);
            const T keep = static_cast<T>(keepFactor(shape, b, h, i, j));
            const T p = weight[at], g = keep * dot(go, rows.v + at * rows.ld, width);
            const T s = static_cast<T>(shape.scale) * (softmax ? p * (g - mean) : g * over);
            for (std::size_t c = 0; c < width; ++c) {
              dV[at * ldg + c] += p * keep * go[c];
              dQ[c] += s * rows.k[at * rows.ld + c];
              dK[at * ldg + c] += s * rows.q[static_cast<std::size_t>(i) * rows.ld + c];
            }
          }
        }
      }
    }
  });
}

template void attentionForward(ThreadPool&, const AttentionShape&, const AttentionInput<float>&, float*, std::size_t,
                               float*);
template void attentionForward(ThreadPool&, const AttentionShape&, const AttentionInput<double>&, double*, std::size_t,
                               double*);
template void attentionBackward(ThreadPool&, const AttentionShape&, const AttentionInput<float>&, const float*,
                                const float*, std::size_t, const float*, float*, float*, float*, std::size_t);
template void attentionBackward(ThreadPool&, const AttentionShape&, const AttentionInput<double>&, const double*,
                                const double*, std::size_t, const double*, double*, double*, double*, std::size_t);

}  // namespace sepx::nn
