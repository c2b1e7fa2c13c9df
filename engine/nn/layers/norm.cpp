// SPDX-License-Identifier: Apache-2.0
// Norms of rows, in vectors of the machine's width. With n = (x - mean)/deviation and g = gain dy:
//   Layer  dx = (g - mean g - n mean(g n))/deviation        Rms  dx = (g - n mean(g n))/rms
// Any thread. Sums over rows are computed in blocks whose size depends on m alone, and added in order.
#include "engine/nn/layers/norm.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/core/simd.h"

namespace sepx::nn {

namespace {

#define SEPX_LANES "engine/nn/layers/norm_lanes.inc"
#include "engine/core/simd_levels.inc"

/// Approximate number of elements that are worth a task of their own.
constexpr std::size_t kBlock = 16384;
/// Rows of a block over which the gains' gradients are summed separately.
std::size_t rowsOfSum(std::size_t m) {
  return std::max<std::size_t>(32, (m + 63) / 64);
}

template <class T>
void addBranch(std::size_t count, T* x, const T* branch, T* y) {
  for (std::size_t i = 0; i < count; ++i) {
    const T v = branch == nullptr ? x[i] : x[i] + branch[i];
    x[i] = v;
    y[i] = v;
  }
}

template <class T>
void forwardBlock(std::size_t rows, std::size_t d, T* x, const T* branch, const NormWeights<T>& weights, T* y,
                  T* stats) {
  switch (simdLevel()) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::forwardRows(rows, d, x, branch, weights, y, stats);
    case SimdLevel::Avx2:
      return avx2::forwardRows(rows, d, x, branch, weights, y, stats);
#endif
    default:
      return generic::forwardRows(rows, d, x, branch, weights, y, stats);
  }
}

template <class T>
void backwardBlock(std::size_t rows, std::size_t d, const T* x, const T* stats, const NormWeights<T>& weights,
                   const T* dy, T* dx, T* gainGradient, T* biasGradient, bool add) {
  switch (simdLevel()) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::backwardRows(rows, d, x, stats, weights, dy, dx, gainGradient, biasGradient, add);
    case SimdLevel::Avx2:
      return avx2::backwardRows(rows, d, x, stats, weights, dy, dx, gainGradient, biasGradient, add);
#endif
    default:
      return generic::backwardRows(rows, d, x, stats, weights, dy, dx, gainGradient, biasGradient, add);
  }
}

/// gradient += the sum over the blocks of partial [blocks, stride], in order.
template <class T>
void addPartials(const std::vector<T>& partial, std::size_t stride, std::size_t offset, std::size_t d, T* gradient) {
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    for (std::size_t at = offset + i; at < partial.size(); at += stride)
      sum += static_cast<double>(partial[at]);
    gradient[i] += static_cast<T>(sum);
  }
}

}  // namespace

template <class T>
void normForward(ThreadPool& pool, std::size_t m, std::size_t d, T* x, const T* branch, const NormWeights<T>& weights,
                 T* y, T* stats) {
  if (m == 0 || d == 0) return;
  if (weights.kind == Norm::None) {
    if (branch == nullptr && x == y) return;
    pool.parallelFor(0, m * d, kBlock, [&](std::size_t first, std::size_t last) {
      addBranch(last - first, x + first, branch == nullptr ? nullptr : branch + first, y + first);
    });
    return;
  }
  assert(weights.gain != nullptr);
  pool.parallelFor(0, m, std::max<std::size_t>(1, kBlock / d), [&](std::size_t first, std::size_t last) {
    forwardBlock(last - first, d, x + first * d, branch == nullptr ? nullptr : branch + first * d, weights,
                 y + first * d, stats + 2 * first);
  });
}

template <class T>
void normBackward(ThreadPool& pool, std::size_t m, std::size_t d, const T* x, const T* stats,
                  const NormWeights<T>& weights, const T* dy, T* dx, T* gainGradient, T* biasGradient, bool add) {
  if (m == 0 || d == 0) return;
  if (weights.kind == Norm::None) {
    pool.parallelFor(0, m * d, kBlock, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        dx[i] = add ? dx[i] + dy[i] : dy[i];
    });
    return;
  }
  assert(weights.gain != nullptr);
  const std::size_t grain = rowsOfSum(m), blocks = (m + grain - 1) / grain;
  std::vector<T> partial(blocks * 2 * d);
  pool.parallelFor(0, m, grain, [&](std::size_t first, std::size_t last) {
    T* sums = partial.data() + first / grain * 2 * d;
    backwardBlock(last - first, d, x + first * d, stats + 2 * first, weights, dy + first * d, dx + first * d, sums,
                  sums + d, add);
  });
  if (gainGradient != nullptr) addPartials(partial, 2 * d, 0, d, gainGradient);
  if (biasGradient != nullptr) addPartials(partial, 2 * d, d, d, biasGradient);
}

#define SEPX_INSTANTIATE(T)                                                                                         \
  template void normForward<T>(ThreadPool&, std::size_t, std::size_t, T*, const T*, const NormWeights<T>&, T*, T*); \
  template void normBackward<T>(ThreadPool&, std::size_t, std::size_t, const T*, const T*, const NormWeights<T>&,   \
                                const T*, T*, T*, T*, bool);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::nn
