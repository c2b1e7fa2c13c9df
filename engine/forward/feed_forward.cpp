// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/feed_forward.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/core/simd.h"
#include "engine/core/try.h"
#include "engine/forward/large_array.h"
#include "engine/nn/layers/activation.h"

namespace sepx::forward {

namespace {

using Kind = checkpoint::FeedForwardActivation;

constexpr std::size_t kActivatedAtOnce = 16384;  ///< approximate number of values per task

void sigmoids(std::span<float> x) {
  simdMap(SimdFloatFunction::Sigmoid, x, x);
}
void sigmoids(std::span<double> x) {
  for (double& one : x)
    one = 1 / (1 + std::exp(-one));
}

/// One row of the activations that engine/nn does not have.
template <class T>
void activateRow(Kind kind, std::size_t width, const T* x, T* h) {
  if (kind == Kind::ReluSquared) {
    for (std::size_t i = 0; i < width; ++i)
      h[i] = x[i] > 0 ? x[i] * x[i] : 0 * x[i];
    return;
  }
  const T slope = kind == Kind::QuickGelu ? T(1.702) : T(1);
  for (std::size_t i = 0; i < width; ++i)
    h[i] = slope * x[i];
  sigmoids(std::span<T>(h, width));
  for (std::size_t i = 0; i < width; ++i)
    h[i] *= x[i];
}

template <class T, class Body>
void eachRow(ThreadPool& pool, std::size_t m, std::size_t width, const Body& body) {
  const std::size_t rows = std::max<std::size_t>(1, kActivatedAtOnce / std::max<std::size_t>(width, 1));
  pool.parallelFor(0, m, rows, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      body(row);
  });
}

/// Whether engine/nn has the activation, and which one it is.
bool isOfLayers(Kind kind) {
  return kind == Kind::Relu || kind == Kind::GeluErf || kind == Kind::GeluTanh;
}
nn::Activation activationOfLayers(Kind kind) {
  return kind == Kind::Relu      ? nn::Activation::Relu
         : kind == Kind::GeluErf ? nn::Activation::GeluErf
                                 : nn::Activation::GeluTanh;
}

}  // namespace

template <class T>
void activate(ThreadPool& pool, Kind kind, std::size_t m, std::size_t width, const T* x, std::size_t ldx, T* h) {
  if (isOfLayers(kind)) return nn::activationForward(pool, activationOfLayers(kind), m, width, x, ldx, h);
  eachRow<T>(pool, m, width, [&](std::size_t row) { activateRow(kind, width, x + row * ldx, h + row * width); });
}

template <class T>
Result<void> feedForward(TensorReader& reader, ThreadPool& pool, const checkpoint::FeedForwardSource& source,
                         const Factor<T>& x, std::size_t width, FeedForwardScratch<T>& scratch, T* y) {
  const std::size_t m = x.rows();
  SEPX_ASSIGN(Linear<T> in, linearOf<T>(reader, source.up));
  const std::size_t inner = in.out;
  if (source.gate) {
    SEPX_ASSIGN(Linear<T> gate, linearOf<T>(reader, *source.gate));
    if (gate.out != inner || gate.in != in.in)
      return fail(ErrorKind::BadInput, fmt::format("{}: the gate of a feed-forward part is {} wide, but what it "
                                                   "multiplies is {} wide",
                                                   reader.path(), gate.out, inner));
    in = sideBySide(std::move(in), std::move(gate));
  }
  SEPX_ASSIGN(const Linear<T> down, linearOf<T>(reader, source.down));
  if (in.in != x.depth() || down.in != inner || down.out != width)
    return fail(ErrorKind::BadInput, fmt::format("{}: a feed-forward part maps {} to {} numbers through {}, which "
                                                 "does not match the {} of the model",
                                                 reader.path(), in.in, down.out, down.in, width));
  std::vector<T>&before = scratch.before, &hidden = scratch.hidden;
  resizeLarge(pool, before, m * in.out);
  resizeLarge(pool, hidden, m * inner);
  SEPX_TRY(multiply(reader, pool, x, in, before.data(), in.out));
  if (source.gate && source.activation == Kind::Silu) {
    nn::activationForward(pool, nn::Activation::SwiGlu, m, inner, before.data(), in.out, hidden.data());
  } else {
    activate(pool, source.activation, m, inner, before.data() + (source.gate ? inner : 0), in.out, hidden.data());
    if (source.gate)
      eachRow<T>(pool, m, inner, [&](std::size_t row) {
        for (std::size_t i = 0; i < inner; ++i)
          hidden[row * inner + i] *= before[row * in.out + i];
      });
  }
  return multiply(reader, pool, Factor<T>(pool, m, inner, hidden.data()), down, y, width);
}

#define SEPX_INSTANTIATE(T)                                                                           \
  template void activate(ThreadPool&, Kind, std::size_t, std::size_t, const T*, std::size_t, T*);     \
  template Result<void> feedForward(TensorReader&, ThreadPool&, const checkpoint::FeedForwardSource&, \
                                    const Factor<T>&, std::size_t, FeedForwardScratch<T>&, T*);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
