// SPDX-License-Identifier: Apache-2.0
// Attention by tiles of kTile queries x kTile keys that stay in the first caches, on the vectors of one CPU level. The
// same code in float and double. Which level: chosen by attention.cpp; tests walk through them. Any thread.
#pragma once

#include <cstddef>

#include "engine/core/simd.h"
#include "engine/nn/layers/attention.h"

namespace sepx::nn {

constexpr int kTile = 64;  ///< rows and columns of a tile

inline int tilesOf(int length) {  ///< that cover so many places
  return (length + kTile - 1) / kTile;
}

template <class T>
struct ForwardArrays {  ///< of the forward pass
  AttentionInput<T> in;
  T* out = nullptr;
  std::size_t ldo = 0;
  T* logSum = nullptr;
};
/// Queries of a forward pass: unit u is tile u % tiles of sequence and head u / tiles.
template <class T>
void attentionForwardTiles(SimdLevel level, const AttentionShape& shape, const ForwardArrays<T>& arrays,
                           std::size_t first, std::size_t last);

template <class T>
struct BackwardArrays {  ///< of the backward pass
  AttentionInput<T> in;
  const T* out = nullptr;
  const T* outGradient = nullptr;
  std::size_t ldo = 0;
  const T* logSum = nullptr;
  T *dq = nullptr, *dk = nullptr, *dv = nullptr;
  std::size_t ldg = 0;
  /// 1: dk and dv are written at once. Else task t = (sequence and key head) * parts + part works off every parts-th
  /// tile of queries and leaves its sums in `partial` + t * partialSize, for attentionAddParts.
  int parts = 1;
  T* partial = nullptr;
};
/// Elements that one part leaves.
std::size_t attentionPartialSize(const AttentionShape& shape);
template <class T>
void attentionBackwardTiles(SimdLevel level, const AttentionShape& shape, const BackwardArrays<T>& arrays,
                            std::size_t first, std::size_t last);
/// Sums of the parts of owners [first, last) (sequence and key head) in their order, into dk and dv.
template <class T>
void attentionAddParts(const AttentionShape& shape, const BackwardArrays<T>& arrays, std::size_t first,
                       std::size_t last);

}  // namespace sepx::nn
