// SPDX-License-Identifier: Apache-2.0
// Activations: floats in vectors of the machine's width (activation_lanes.inc), doubles one by one with the C library.
// The backward pass recomputes everything from `pre`. Any thread.
#include "engine/nn/layers/activation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/core/simd.h"

namespace sepx::nn {

namespace {

#define SEPX_LANES "engine/nn/layers/activation_lanes.inc"
#include "engine/core/simd_levels.inc"

/// Elements that a thread takes at once.
constexpr std::size_t kBlock = 16384;

double sigma(double x) {
  return 1 / (1 + std::exp(-x));
}
double normalShare(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}
/// Coefficients of 2u of GeluTanh and of its derivative.
constexpr double kSlope = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi, kCubic = 0.044715;

double value(Activation kind, double x) {
  if (kind == Activation::Relu) return x > 0 ? x : 0 * x;
  if (kind == Activation::GeluErf) return x * normalShare(x);
  return x * sigma(kSlope * x * (1 + kCubic * x * x));
}
double slope(Activation kind, double x) {
  if (kind == Activation::Relu) return x > 0 ? 1 : 0 * x;
  x = std::clamp(x, -64.0, 64.0);  // beyond, the slope is 0 or 1 to the last bit
  if (kind == Activation::GeluErf)
    return normalShare(x) + x * std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const double s = sigma(kSlope * x * (1 + kCubic * x * x));
  return s + x * s * (1 - s) * kSlope * (1 + 3 * kCubic * x * x);
}

/// `count` contiguous elements; `gate` and `dGate` are used only with SwiGlu.
void forwardRun(Activation kind, std::size_t count, const double* x, const double* gate, double* h) {
  for (std::size_t i = 0; i < count; ++i)
    h[i] = kind == Activation::SwiGlu ? gate[i] * sigma(gate[i]) * x[i] : value(kind, x[i]);
}
void backwardRun(Activation kind, std::size_t count, const double* x, const double* gate, const double* dh, double* dx,
                 double* dGate) {
  for (std::size_t i = 0; i < count; ++i) {
    if (kind != Activation::SwiGlu) {
      dx[i] = slope(kind, x[i]) * dh[i];
      continue;
    }
    const double up = x[i], g = gate[i], s = sigma(g);
    dx[i] = dh[i] * g * s;
    dGate[i] = dh[i] * up * s * (1 + g * (1 - s));
  }
}

void forwardRun(Activation kind, std::size_t count, const float* x, const float* gate, float* h) {
  switch (simdLevel()) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::forwardRun(kind, count, x, gate, h);
    case SimdLevel::Avx2:
      return avx2::forwardRun(kind, count, x, gate, h);
#endif
    default:
      return generic::forwardRun(kind, count, x, gate, h);
  }
}
void backwardRun(Activation kind, std::size_t count, const float* x, const float* gate, const float* dh, float* dx,
                 float* dGate) {
  switch (simdLevel()) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::backwardRun(kind, count, x, gate, dh, dx, dGate);
    case SimdLevel::Avx2:
      return avx2::backwardRun(kind, count, x, gate, dh, dx, dGate);
#endif
    default:
      return generic::backwardRun(kind, count, x, gate, dh, dx, dGate);
  }
}

/// Calls body(offset in pre, offset in h, count) for runs of contiguous elements.
template <class Body>
void eachRun(ThreadPool& pool, std::size_t m, std::size_t ff, std::size_t ldp, const Body& body) {
  if (m == 0 || ff == 0) return;
  if (ldp == ff)
    return pool.parallelFor(0, m * ff, kBlock,
                            [&](std::size_t first, std::size_t last) { body(first, first, last - first); });
  pool.parallelFor(0, m, std::max<std::size_t>(1, kBlock / ff), [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      body(row * ldp, row * ff, ff);
  });
}

}  // namespace

template <class T>
void activationForward(ThreadPool& pool, Activation kind, std::size_t m, std::size_t ff, const T* pre, std::size_t ldp,
                       T* h) {
  eachRun(pool, m, ff, ldp, [&](std::size_t from, std::size_t to, std::size_t count) {
    forwardRun(kind, count, pre + from, pre + from + ff, h + to);
  });
}

template <class T>
void activationBackward(ThreadPool& pool, Activation kind, std::size_t m, std::size_t ff, const T* pre, std::size_t ldp,
                        const T* dh, T* dpre) {
  eachRun(pool, m, ff, ldp, [&](std::size_t from, std::size_t to, std::size_t count) {
    backwardRun(kind, count, pre + from, pre + from + ff, dh + to, dpre + from, dpre + from + ff);
  });
}

#define SEPX_INSTANTIATE(T)                                                                                         \
  template void activationForward<T>(ThreadPool&, Activation, std::size_t, std::size_t, const T*, std::size_t, T*); \
  template void activationBackward<T>(ThreadPool&, Activation, std::size_t, std::size_t, const T*, std::size_t,     \
                                      const T*, T*);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::nn
