// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "engine/nn/layers/attention_tiles.h"

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

/// Grain of a parallel loop: few enough tasks to share what they pack, enough for threads of unequal speed.
std::size_t grainOf(const ThreadPool& pool, std::size_t units) {
  return std::max<std::size_t>(1, units / (8 * static_cast<std::size_t>(pool.size())));
}

/// Number of tasks that share the keys of one sequence and head in the backward pass. It depends on the shape alone,
/// because it decides the order of sums. With few sequences and heads, it is large enough to keep a machine busy.
int partsOf(const AttentionShape& shape) {
  const int owners = shape.sequences * shape.kvHeads, tiles = tilesOf(shape.length) * (shape.heads / shape.kvHeads);
  return std::clamp(shape.tasks / std::max(owners, 1), 1, tiles);
}

}  // namespace

template <class T>
void attentionForward(ThreadPool& pool, const AttentionShape& shape, const AttentionInput<T>& in, T* out,
                      std::size_t ldo, T* logSum) {
  const auto units = static_cast<std::size_t>(shape.sequences) * static_cast<std::size_t>(shape.heads) *
                     static_cast<std::size_t>(tilesOf(shape.length));
  const ForwardArrays<T> arrays{in, out, ldo, logSum};
  pool.parallelFor(0, units, grainOf(pool, units), [&](std::size_t first, std::size_t last) {
    attentionForwardTiles(simdLevel(), shape, arrays, first, last);
  });
}

template <class T>
void attentionBackward(ThreadPool& pool, const AttentionShape& shape, const AttentionInput<T>& in, const T* out,
                       const T* outGradient, std::size_t ldo, const T* logSum, T* dq, T* dk, T* dv, std::size_t ldg) {
  const auto owners = static_cast<std::size_t>(shape.sequences) * static_cast<std::size_t>(shape.kvHeads);
  BackwardArrays<T> arrays{in, out, outGradient, ldo, logSum, dq, dk, dv, ldg, partsOf(shape), nullptr};
  const std::size_t tasks = owners * static_cast<std::size_t>(arrays.parts);
  static thread_local std::vector<T> partial;  // kept between calls, because fresh memory costs page faults
  if (arrays.parts > 1) partial.resize(std::max(partial.size(), tasks * attentionPartialSize(shape)));
  arrays.partial = partial.data();
  pool.parallelFor(0, tasks, arrays.parts > 1 ? 1 : grainOf(pool, tasks), [&](std::size_t first, std::size_t last) {
    attentionBackwardTiles(simdLevel(), shape, arrays, first, last);
  });
  if (arrays.parts > 1)
    pool.parallelFor(0, owners, 1,
                     [&](std::size_t first, std::size_t last) { attentionAddParts(shape, arrays, first, last); });
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
