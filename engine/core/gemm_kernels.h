// SPDX-License-Identifier: Apache-2.0
// The inner loops of gemm.h, one set per instruction set and number type, selected at run time. A tile is C [rows,
// columns] = start + the sum over k terms of A and B, in order, with all sums in registers. The loops read packed
// factors:
//   B  panels of `columns` columns, [k, columns], or the columns of an unpacked matrix; a last panel of at most
//      `lanes` columns is [k, lanes]; zeros beyond n
//   A  rows at a distance of kGemmRowStride ("rows"), or side by side, [k, interleave] ("interleaved")
// Any thread.
#pragma once

#include <array>
#include <cstddef>

#include "engine/core/gemm.h"

namespace sepx {

inline constexpr std::size_t kGemmMostTerms = 384;                  ///< maximum terms of k per block
inline constexpr std::size_t kGemmRowStride = kGemmMostTerms + 16;  ///< distance between rows of A; not a power of two
inline constexpr std::size_t kGemmMostRows = 16;                    ///< maximum rows of a tile, and of A side by side
inline constexpr std::size_t kGemmMostColumns = 32;                 ///< maximum columns of a tile

template <class T>
struct GemmTile {  ///< one tile of C and its operands
  std::size_t k = 0;
  const T* a = nullptr;
  const T* b = nullptr;
  std::size_t bStride = 0;   ///< distance between terms of B
  const T* start = nullptr;  ///< nullptr: 0; C itself, or a bias with startStride 0
  std::size_t startStride = 0;
  T* c = nullptr;
  std::size_t stride = 0;             ///< of C
  std::size_t rows = 0, columns = 0;  ///< rows and columns to compute
  /// Cache lines to prefetch into the L2 cache meanwhile, one every `aheadTerms` terms; nullptr: none.
  const char* ahead = nullptr;
  std::size_t aheadStride = 0, aheadTerms = kGemmMostTerms;
};

/// `count` panels, each [terms, width], one for every `step` columns.
struct GemmPanelWidths {
  std::size_t count = 0, step = 0, width = 0, lastWidth = 0;
  std::size_t terms = 0, first = 0;  ///< terms of a panel (0: the number that is packed), and the first term to pack
  std::size_t together = 8;          ///< terms of a panel that are written before those of the next panel
};

template <class T>
struct GemmKernels {
  using Run = void (*)(const GemmTile<T>&);  ///< computes one tile
  /// Indexed by the number of rows, then [wide or narrow panel]. Entry r computes up to r rows.
  std::array<std::array<Run, 2>, kGemmMostRows + 1> rows{}, interleaved{};
  std::size_t tileRows = 0, columns = 0, lanes = 0, interleave = 0;
  /// Layout of panels for the interleaved kernels: tileRows rows of A; `columns` columns of B, with a last panel of one
  /// vector if that is enough.
  GemmLayout layout(GemmSide side, std::size_t factorRows, std::size_t depth, std::size_t terms) const {
    GemmLayout out{factorRows, depth, terms, columns, columns, columns, 0};
    if (side == GemmSide::Left)
      out.step = tileRows, out.width = out.lastWidth = interleave;
    else if (const std::size_t rest = factorRows % columns; rest > 0 && rest <= lanes)
      out.lastWidth = lanes;
    if (factorRows > 0) out.padded = (out.panels() - 1) * out.width + out.lastWidth;
    return out;
  }
  /// Fills out [terms, width] with `terms` elements of each of `used` rows, from element `first` on; zeros from column
  /// `used` on. packDoubleRows does the same for doubles, rounded to T.
  void (*packRows)(const T* const* rows, std::size_t used, std::size_t first, std::size_t terms, std::size_t width,
                   T* out);
  void (*packDoubleRows)(const double* const* rows, std::size_t used, std::size_t first, std::size_t terms,
                         std::size_t width, T* out);
  /// Fills contiguous panels from `terms` rows of `columns` elements, padded with zeros.
  void (*packColumns)(const T* source, std::size_t ld, std::size_t columns, std::size_t terms,
                      const GemmPanelWidths& panels, T* out);
  /// Fills out [rows, kGemmRowStride] from `rows` rows of `terms` elements.
  void (*copyRows)(const T* source, std::size_t ld, std::size_t rows, std::size_t terms, T* out);
  /// out [columns] = sum over the rows, in order.
  void (*columnSums)(const T* source, std::size_t ld, std::size_t rows, std::size_t columns, T* out);
};

template <class T>
const GemmKernels<T>& gemmKernels(GemmLevel level);  ///< for `level`, limited to gemmLevel()

}  // namespace sepx
