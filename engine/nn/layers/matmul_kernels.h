// SPDX-License-Identifier: Apache-2.0
// The inner loops under matmul.cpp, one set per instruction set and number type, chosen while running (engine/core/
// gemm.h). A tile is C [rows, columns] = start + sum over k terms of A and B, term by term in order, everything that is
// summed in registers. What they read has been laid out for them:
//   B  panels of `columns` columns, [k, columns], or the columns of a matrix as it stands; a last panel of at most
//      `lanes` columns is [k, lanes]; zeros beyond n
//   A  rows as they are at a distance of kRowStride ("rows"), or side by side, [k, interleave] ("interleaved")
// Any thread.
#pragma once

#include <array>
#include <cstddef>

#include "engine/core/gemm.h"

namespace sepx::nn {

inline constexpr std::size_t kMostTerms = 384;              ///< of a block of k
inline constexpr std::size_t kRowStride = kMostTerms + 16;  ///< of A's rows: not a power of two
inline constexpr std::size_t kMostRows = 16;                ///< of a tile, and of A side by side

template <class T>
struct MatmulTile {
  std::size_t k = 0;
  const T* a = nullptr;
  const T* b = nullptr;
  std::size_t bStride = 0;   ///< from one term of B to the next
  const T* start = nullptr;  ///< nullptr: 0; C itself, or a bias with startStride 0
  std::size_t startStride = 0;
  T* c = nullptr;
  std::size_t stride = 0;             ///< of C
  std::size_t rows = 0, columns = 0;  ///< that are wanted
};

/// `count` panels, each [terms, width], that begin every `step` columns.
struct MatmulPanels {
  std::size_t count = 0, step = 0, width = 0, lastWidth = 0;
};

template <class T>
struct MatmulKernels {
  using Run = void (*)(const MatmulTile<T>&);
  /// By the rows wanted, [wide or narrow panel]; entry r serves up to r rows.
  std::array<std::array<Run, 2>, kMostRows + 1> rows{}, interleaved{};
  std::size_t tileRows = 0, columns = 0, lanes = 0, interleave = 0;
  /// out [terms, width] from `used` rows of length `terms` at a distance of ld; zeros in columns from `used` on.
  void (*packRows)(const T* source, std::size_t ld, std::size_t used, std::size_t terms, std::size_t width, T* out);
  /// Panels one after the other from `terms` rows of `columns` numbers; zeros beyond.
  void (*packColumns)(const T* source, std::size_t ld, std::size_t columns, std::size_t terms,
                      const MatmulPanels& panels, T* out);
  /// out [rows, kRowStride] from `rows` rows of `terms`.
  void (*copyRows)(const T* source, std::size_t ld, std::size_t rows, std::size_t terms, T* out);
  /// out [columns] = sum over the rows, one after the other.
  void (*columnSums)(const T* source, std::size_t ld, std::size_t rows, std::size_t columns, T* out);
};

template <class T>
const MatmulKernels<T>& matmulKernels(GemmLevel level);

}  // namespace sepx::nn
