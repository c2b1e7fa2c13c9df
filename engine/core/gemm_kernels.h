// SPDX-License-Identifier: Apache-2.0
// The inner loops under gemm.h, one set per instruction set and number type, chosen while running. A tile is C [rows,
// columns] = start + sum over k terms of A and B, term by term in order, everything that is summed in registers. What
// they read has been laid out for them:
//   B  panels of `columns` columns, [k, columns], or the columns of a matrix as it stands; a last panel of at most
//      `lanes` columns is [k, lanes]; zeros beyond n
//   A  rows as they are at a distance of kGemmRowStride ("rows"), or side by side, [k, interleave] ("interleaved")
// Any thread.
#pragma once

#include <array>
#include <cstddef>

#include "engine/core/gemm.h"

namespace sepx {

inline constexpr std::size_t kGemmMostTerms = 384;                  ///< of a block of k
inline constexpr std::size_t kGemmRowStride = kGemmMostTerms + 16;  ///< of A's rows: not a power of two
inline constexpr std::size_t kGemmMostRows = 16;                    ///< of a tile, and of A side by side
inline constexpr std::size_t kGemmMostColumns = 32;                 ///< of a tile

template <class T>
struct GemmTile {  ///< one tile of C and what it is made of
  std::size_t k = 0;
  const T* a = nullptr;
  const T* b = nullptr;
  std::size_t bStride = 0;   ///< from one term of B to the next
  const T* start = nullptr;  ///< nullptr: 0; C itself, or a bias with startStride 0
  std::size_t startStride = 0;
  T* c = nullptr;
  std::size_t stride = 0;             ///< of C
  std::size_t rows = 0, columns = 0;  ///< that are wanted
  /// Lines of memory that are fetched into the second cache meanwhile, one every `aheadTerms` terms; nullptr: none.
  const char* ahead = nullptr;
  std::size_t aheadStride = 0, aheadTerms = kGemmMostTerms;
};

/// `count` panels, each [terms, width], that begin every `step` columns.
struct GemmPanelWidths {
  std::size_t count = 0, step = 0, width = 0, lastWidth = 0;
  std::size_t terms = 0, first = 0;  ///< of a panel, and the first of those that are laid out; 0: as many as are
  std::size_t together = 8;          ///< terms of a panel that are written before the next panel's
};

template <class T>
struct GemmKernels {
  using Run = void (*)(const GemmTile<T>&);  ///< computes one tile
  /// By the rows wanted, [wide or narrow panel]; entry r serves up to r rows.
  std::array<std::array<Run, 2>, kGemmMostRows + 1> rows{}, interleaved{};
  std::size_t tileRows = 0, columns = 0, lanes = 0, interleave = 0;
  /// Panels as the interleaved kernels read them: tileRows rows of A; columns of B, the last panel of one vector if
  /// that is enough.
  GemmLayout layout(GemmSide side, std::size_t factorRows, std::size_t depth, std::size_t terms) const {
    GemmLayout out{factorRows, depth, terms, columns, columns, columns, 0};
    if (side == GemmSide::Left)
      out.step = tileRows, out.width = out.lastWidth = interleave;
    else if (const std::size_t rest = factorRows % columns; rest > 0 && rest <= lanes)
      out.lastWidth = lanes;
    if (factorRows > 0) out.padded = (out.panels() - 1) * out.width + out.lastWidth;
    return out;
  }
  /// out [terms, width] from `terms` numbers of each of `used` rows, from number `first` on; zeros from column `used`
  /// on. The second: the same of doubles, rounded to T.
  void (*packRows)(const T* const* rows, std::size_t used, std::size_t first, std::size_t terms, std::size_t width,
                   T* out);
  void (*packDoubleRows)(const double* const* rows, std::size_t used, std::size_t first, std::size_t terms,
                         std::size_t width, T* out);
  /// Panels one after the other from `terms` rows of `columns` numbers; zeros beyond.
  void (*packColumns)(const T* source, std::size_t ld, std::size_t columns, std::size_t terms,
                      const GemmPanelWidths& panels, T* out);
  /// out [rows, kGemmRowStride] from `rows` rows of `terms`.
  void (*copyRows)(const T* source, std::size_t ld, std::size_t rows, std::size_t terms, T* out);
  /// out [columns] = sum over the rows, one after the other.
  void (*columnSums)(const T* source, std::size_t ld, std::size_t rows, std::size_t columns, T* out);
};

template <class T>
const GemmKernels<T>& gemmKernels(GemmLevel level);  ///< of a level that this processor has

}  // namespace sepx
