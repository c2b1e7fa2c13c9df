// SPDX-License-Identifier: Apache-2.0
// Attention one query at a time, in the simplest way: the probabilities and betas for pictures of attention, and the
// rules for which query may attend to which key, shared with the tiles (attention_tiles.h). Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/nn/layers/attention.h"
#include "engine/nn/layers/dropout.h"

namespace sepx::nn {

/// End of the keys of sequence b that query i may attend to (causal, padding); some before it may be forbidden.
inline int keyEnd(const AttentionShape& shape, int b, int i) {
  const int end = shape.lengths.empty() ? shape.length
                                        : std::clamp<int>(shape.lengths[static_cast<std::size_t>(b)], 0, shape.length);
  return shape.causal ? std::min(end, i + 1) : end;
}
/// Whether keys before keyEnd() may be forbidden.
inline bool forbidsKeys(const AttentionShape& shape) {
  return !shape.allowed.empty() || !shape.readable.empty();
}
inline bool isAllowed(const AttentionShape& shape, int b, int i, int j) {
  const auto at = [&shape, j](std::span<const std::uint8_t> of, int row) {
    return of.empty() ||
           of[static_cast<std::size_t>(row) * static_cast<std::size_t>(shape.length) + static_cast<std::size_t>(j)] !=
               0;
  };
  return at(shape.allowed, i) && at(shape.readable, b);
}
/// n_i of the linear kind.
inline int allowedKeys(const AttentionShape& shape, int b, int i) {
  const int end = keyEnd(shape, b, i);
  if (!forbidsKeys(shape)) return end;
  int count = 0;
  for (int j = 0; j < end; ++j)
    count += isAllowed(shape, b, i, j) ? 1 : 0;
  return count;
}
/// What ALiBi adds to the score of (i, j), per unit of slope.
inline double alibiDistance(const AttentionShape& shape, int i, int j) {
  return shape.alibiSigned ? j - i : -std::abs(i - j);
}
inline bool hasBias(const AttentionShape& shape) {
  return !shape.slopes.empty() && shape.kind == AttentionKind::Softmax;
}
/// Index of the counter from which the dropout of P_ij is drawn.
inline std::uint64_t dropoutIndex(const AttentionShape& shape, int b, int h, int i, int j) {
  const auto at = [](int x) { return static_cast<std::uint64_t>(x); };
  return ((at(b) * at(shape.heads) + at(h)) * at(shape.length) + at(i)) * at(shape.length) + at(j);
}
/// 0 where P_ij is dropped, else 1/(1 - p).
inline double keepFactor(const AttentionShape& shape, int b, int h, int i, int j) {
  if (shape.dropout <= 0) return 1;
  const std::uint16_t bits = dropoutBits(shape.dropoutSeed, shape.dropoutStream, dropoutIndex(shape, b, h, i, j));
  return bits >= shape.dropout * 65536 ? 1 / (1 - shape.dropout) : 0;
}

/// Where the rows of one sequence and head lie; token n is at + n * ld.
template <class T>
struct HeadRows {
  const T *q, *k, *v;
  std::size_t ld;
};
template <class T>
HeadRows<T> headRows(const AttentionShape& shape, const AttentionInput<T>& in, int b, int h) {
  const auto at = [](int x) { return static_cast<std::size_t>(x); };
  const std::size_t row = at(b) * at(shape.length) * in.ld, width = at(shape.headDim);
  const std::size_t own = at(h) * width, shared = at(h / (shape.heads / shape.kvHeads)) * width;
  return {in.q + row + own, in.k + row + shared, in.v + row + shared, in.ld};
}

}  // namespace sepx::nn
