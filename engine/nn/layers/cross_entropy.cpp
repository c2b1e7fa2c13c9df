// SPDX-License-Identifier: Apache-2.0
// The head and its loss, one block of targets at a time: a block's logits stay in the caches from the product that
// computes them to the two products that use their gradient. With one or two logits, everything is one loop over the
// rows of h. Any thread.
#include "engine/nn/layers/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/core/gemm.h"
#include "engine/core/simd.h"

namespace sepx::nn {

namespace {

#define SEPX_LANES "engine/nn/layers/cross_entropy_lanes.inc"
#include "engine/core/simd_levels.inc"

/// Calls f of the machine's level; f is defined in all three namespaces.
#if defined(__x86_64__)
#define SEPX_AT_LEVEL(f, ...)                                \
  (simdLevel() == SimdLevel::Avx512 ? avx512::f(__VA_ARGS__) \
   : simdLevel() == SimdLevel::Avx2 ? avx2::f(__VA_ARGS__)   \
                                    : generic::f(__VA_ARGS__))
#else
#define SEPX_AT_LEVEL(f, ...) generic::f(__VA_ARGS__)
#endif

double softmaxRow(std::size_t count, float* z, std::size_t token, const float* weight) {
  return SEPX_AT_LEVEL(softmaxRow, count, z, token, weight);
}
double softmaxRow(std::size_t count, double* z, std::size_t token, const double* weight) {
  const double right = z[token];
  double top = -INFINITY, sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    top = std::max(top, z[i]);
  for (std::size_t i = 0; i < count; ++i) {
    const double e = std::exp(z[i] - top);
    if (weight != nullptr) z[i] = e;
    sum += e;
  }
  if (weight != nullptr) {
    for (std::size_t i = 0; i < count; ++i)
      z[i] *= *weight / sum;
    z[token] -= *weight;
  }
  return (top - right) + std::log(sum);
}

void logisticRun(std::size_t count, const float* z, const float* s, float* loss, float* slope) {
  SEPX_AT_LEVEL(logisticRun, count, z, s, loss, slope);
}
void logisticRun(std::size_t count, const double* z, const double* s, double* loss, double* slope) {
  for (std::size_t i = 0; i < count; ++i) {
    const double y = z[i] * s[i], e = std::exp(-std::abs(y));
    loss[i] = (y < 0 ? -y : 0 * y) + std::log1p(e);
    slope[i] = -s[i] * (y > 0 ? e : 1) / (1 + e);
  }
}

/// Sum of weight * loss, in order. A target of weight 0 adds nothing, even if its loss is NaN.
double weightedLoss(std::span<const Target> targets, std::span<const double> losses) {
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].weight != 0) sum += static_cast<double>(targets[i].weight) * losses[i];
  return sum;
}

/// Targets per block of the softmax: about 4 MiB of floats, but enough rows to amortise the set-up of the products.
std::size_t softmaxBlock(std::size_t targets, std::size_t logits) {
  const std::size_t most = std::clamp<std::size_t>((std::size_t(1) << 20) / logits, 128, 4096);
  const std::size_t blocks = (targets + most - 1) / most;
  return (targets + blocks - 1) / blocks;
}

/// Loss of a row whose target is smoothed; z becomes its gradient where `weight` is given (as in softmaxRow).
template <class T>
double smoothedRow(std::size_t count, T* z, std::size_t token, const T* weight, double smoothing) {
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i)
    mean += static_cast<double>(z[i]) / static_cast<double>(count);
  const double above = static_cast<double>(z[token]) - mean;
  const double loss = softmaxRow(count, z, token, weight) + smoothing * above;
  if (weight == nullptr) return loss;
  const T share = static_cast<T>(static_cast<double>(*weight) * smoothing);
  for (std::size_t i = 0; i < count; ++i)
    z[i] -= share / static_cast<T>(count);
  z[token] += share;
  return loss;
}

template <class T>
void softmaxLosses(ThreadPool& pool, std::size_t d, const T* h, std::span<const Target> targets,
                   const HeadWeights<T>& weights, const HeadGradients<T>& gradients, double* losses, double scale) {
  const std::size_t logits = static_cast<std::size_t>(weights.logits), block = softmaxBlock(targets.size(), logits);
  const auto z = std::make_unique_for_overwrite<T[]>(block * logits);
  const bool backward = gradients.U != nullptr;
  for (std::size_t first = 0; first < targets.size(); first += block) {
    const std::size_t rows = std::min(block, targets.size() - first);
    const T* in = h + first * d;
    gemmABt<T>(pool, rows, logits, d, in, d, weights.U, d, z.get(), logits, {.bias = weights.bias});
    pool.parallelFor(0, rows, std::max<std::size_t>(1, 8192 / logits), [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) {
        const Target& target = targets[first + r];
        assert(target.token >= 0 && static_cast<std::size_t>(target.token) < logits);
        const T weight = static_cast<T>(static_cast<double>(target.weight) * scale);
        T* const row = z.get() + r * logits;
        const std::size_t token = static_cast<std::size_t>(target.token);
        const T* const wanted = backward ? &weight : nullptr;
        losses[first + r] = weights.smoothing > 0 ? smoothedRow(logits, row, token, wanted, weights.smoothing)
                                                  : softmaxRow(logits, row, token, wanted);
      }
    });
    if (!backward) continue;
    if (gradients.h != nullptr)
      gemmAB<T>(pool, rows, d, logits, z.get(), logits, weights.U, d, gradients.h + first * d, d);
    gemmAtB<T>(pool, logits, d, rows, z.get(), logits, in, d, gradients.U, d, {.add = true});
    if (gradients.bias != nullptr) addColumnSums(pool, rows, logits, z.get(), logits, gradients.bias);
  }
}

constexpr std::size_t kRun = 256;  ///< rows that the logistic loss processes at a time

/// Losses of the rows of h and, where `sums` is given, their gradients; dU and db are added to sums [d + 1].
template <class T>
void logisticBlock(std::size_t d, const T* h, std::span<const Target> targets, const HeadWeights<T>& weights, T* dh,
                   T* sums, double* losses, double scale) {
  std::array<T, kRun> z, sign, loss, slope;
  for (std::size_t first = 0; first < targets.size(); first += kRun) {
    const std::size_t rows = std::min(kRun, targets.size() - first);
    SEPX_AT_LEVEL(dots, rows, d, h + first * d, weights.U, z.data());
    for (std::size_t r = 0; r < rows; ++r) {
      if (weights.bias != nullptr) z[r] += weights.bias[0];
      sign[r] = targets[first + r].token != 0 ? T(1) : T(-1);
    }
    logisticRun(rows, z.data(), sign.data(), loss.data(), slope.data());
    for (std::size_t r = 0; r < rows; ++r)
      losses[first + r] = static_cast<double>(loss[r]);
    if (sums == nullptr) continue;
    for (std::size_t r = 0; r < rows; ++r) {
      slope[r] *= static_cast<T>(static_cast<double>(targets[first + r].weight) * scale);
      sums[d] += slope[r];
    }
    SEPX_AT_LEVEL(outer, rows, d, h + first * d, weights.U, slope.data(), dh + first * d, sums);
  }
}

template <class T>
void logisticLosses(ThreadPool& pool, std::size_t d, const T* h, std::span<const Target> targets,
                    const HeadWeights<T>& weights, const HeadGradients<T>& gradients, double* losses, double scale) {
  const std::size_t grain = std::max<std::size_t>(kRun, (targets.size() + 63) / 64);
  const std::size_t blocks = (targets.size() + grain - 1) / grain;
  const bool backward = gradients.U != nullptr;
  std::vector<T> partial(backward ? blocks * (d + 1) : 0);
  std::vector<T> unwanted(backward && gradients.h == nullptr ? targets.size() * d : 0);
  T* dh = gradients.h != nullptr ? gradients.h : unwanted.data();
  pool.parallelFor(0, targets.size(), grain, [&](std::size_t first, std::size_t last) {
    logisticBlock(d, h + first * d, targets.subspan(first, last - first), weights, backward ? dh + first * d : nullptr,
                  backward ? partial.data() + first / grain * (d + 1) : nullptr, losses + first, scale);
  });
  if (!backward) return;
  for (std::size_t i = 0; i <= d; ++i) {
    double sum = 0;
    for (std::size_t block = 0; block < blocks; ++block)
      sum += static_cast<double>(partial[block * (d + 1) + i]);
    if (i < d)
      gradients.U[i] += static_cast<T>(sum);
    else if (gradients.bias != nullptr)
      gradients.bias[0] += static_cast<T>(sum);
  }
}

/// Two logits reduce to one: softmax(z)[1] = s(z_1 - z_0).
template <class T>
void pairLosses(ThreadPool& pool, std::size_t d, const T* h, std::span<const Target> targets,
                const HeadWeights<T>& weights, const HeadGradients<T>& gradients, double* losses, double scale) {
  std::vector<T> difference(d), gradient(d);
  for (std::size_t i = 0; i < d; ++i)
    difference[i] = weights.U[d + i] - weights.U[i];
  const T bias = weights.bias == nullptr ? T(0) : weights.bias[1] - weights.bias[0];
  T biasGradient = 0;
  const bool backward = gradients.U != nullptr;
  logisticLosses<T>(pool, d, h, targets, {difference.data(), &bias, 1},
                    {backward ? gradient.data() : nullptr, &biasGradient, gradients.h}, losses, scale);
  if (!backward) return;
  for (std::size_t i = 0; i < d; ++i) {
    gradients.U[i] -= gradient[i];
    gradients.U[d + i] += gradient[i];
  }
  if (gradients.bias == nullptr) return;
  gradients.bias[0] -= biasGradient;
  gradients.bias[1] += biasGradient;
}

}  // namespace

template <class T>
double crossEntropy(ThreadPool& pool, std::size_t d, const T* h, std::span<const Target> targets,
                    const HeadWeights<T>& weights, const HeadGradients<T>& gradients, std::span<double> losses,
                    double scale) {
  if (targets.empty()) return 0;
  assert(losses.empty() || losses.size() == targets.size());
  std::vector<double> own(losses.empty() ? targets.size() : 0);
  const std::span<double> each = losses.empty() ? std::span<double>(own) : losses;
  if (weights.logits == 1)
    logisticLosses(pool, d, h, targets, weights, gradients, each.data(), scale);
  else if (weights.logits == 2 && weights.smoothing == 0)
    pairLosses(pool, d, h, targets, weights, gradients, each.data(), scale);
  else
    softmaxLosses(pool, d, h, targets, weights, gradients, each.data(), scale);
  return weightedLoss(targets, each);
}

std::size_t crossEntropyScratch(std::size_t targets, int logits) {
  if (logits <= 2 || targets == 0) return 0;
  return softmaxBlock(targets, static_cast<std::size_t>(logits)) * static_cast<std::size_t>(logits);
}

template double crossEntropy<float>(ThreadPool&, std::size_t, const float*, std::span<const Target>,
                                    const HeadWeights<float>&, const HeadGradients<float>&, std::span<double>, double);
template double crossEntropy<double>(ThreadPool&, std::size_t, const double*, std::span<const Target>,
                                     const HeadWeights<double>&, const HeadGradients<double>&, std::span<double>,
                                     double);

}  // namespace sepx::nn
