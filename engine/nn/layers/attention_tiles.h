// SPDX-License-Identifier: Apache-2.0
// Attention by tiles of kTile queries x kTile keys that stay in the first-level caches, with the vectors of one CPU
// level. Float and double use the same code. attention.cpp chooses the level; tests run all levels. Any thread.
#pragma once

#include <cstddef>

#include "engine/core/simd.h"
#include "engine/nn/layers/attention.h"

namespace sepx::nn {

constexpr int kTile = 64;  ///< rows and columns of a tile

inline int tilesOf(int length) {  ///< number of tiles that cover `length` positions
  return (length + kTile - 1) / kTile;
}

template <class T>
struct ForwardArrays {  ///< arrays of the forward pass
  AttentionInput<T> in;
  T* out = nullptr;
  std::size_t ldo = 0;
  T* logSum = nullptr;
};
/// Units [first, last) of a forward pass: unit u is query tile u % tiles of sequence and head u / tiles.
template <class T>
void attentionForwardTiles(SimdLevel level, const AttentionShape& shape, const ForwardArrays<T>& arrays,
                           std::size_t first, std::size_t last);

template <class T>
struct BackwardArrays {  ///< arrays of the backward pass
  AttentionInput<T> in;
  const T* out = nullptr;
  const T* outGradient = nullptr;
  std::size_t ldo = 0;
  const T* logSum = nullptr;
  T *dq = nullptr, *dk = nullptr, *dv = nullptr;
  std::size_t ldg = 0;
  /// 1: dk and dv are written directly. Otherwise task t = (sequence and key head) * parts + part processes every
  /// parts-th tile of queries and leaves its sums in `partial` + t * partialSize, for attentionAddParts.
  int parts = 1;
  T* partial = nullptr;
};
/// Elements that one part stores.
std::size_t attentionPartialSize(const AttentionShape& shape);
template <class T>
void attentionBackwardTiles(SimdLevel level, const AttentionShape& shape, const BackwardArrays<T>& arrays,
                            std::size_t first, std::size_t last);
/// Adds the parts of owners [first, last) (sequence and key head) in order, and writes the sums to dk and dv.
template <class T>
void attentionAddParts(const AttentionShape& shape, const BackwardArrays<T>& arrays, std::size_t first,
                       std::size_t last);

}  // namespace sepx::nn
