// SPDX-License-Identifier: Apache-2.0
// The loop of the kernels of gemm_kernels.h over columns of B. A few rows of A stay in the L1 cache, and the columns
// that are processed together stay in the L2 cache. Any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/core/gemm_kernels.h"

namespace sepx::gemm_detail {

inline std::size_t pieces(std::size_t whole, std::size_t most) {
  return (whole + most - 1) / most;
}
inline std::size_t roundedUp(std::size_t value, std::size_t unit) {
  return pieces(value, unit) * unit;
}
/// Size of equal parts of `whole`, at most `most` each and a multiple of `unit`.
inline std::size_t evenPart(std::size_t whole, std::size_t most, std::size_t unit) {
  if (whole == 0) return unit;
  return roundedUp(pieces(whole, pieces(whole, std::max(most, unit))), unit);
}

/// Number of columns of B, out of `columns`, that are processed together so that they stay in the L2 cache.
template <class T>
std::size_t columnsAtOnce(std::size_t columns, std::size_t terms, std::size_t unit) {
  constexpr std::size_t kCacheBytes = 448 << 10;
  return evenPart(columns, std::max(unit, kCacheBytes / sizeof(T) / terms), unit);
}

/// B as a thread reads it: contiguous panels, or the unpacked matrix.
template <class T>
struct Columns {
  const T* at = nullptr;  // panels: start of the panel of the first column; else the first term of the first column
  std::size_t ld = 0;     // 0: panels
};

/// Prefetches rows of a matrix that will be needed next into the L2 cache, cache line by cache line.
class Prefetcher {
 public:
  Prefetcher() = default;
  template <class T>
  Prefetcher(const T* at, std::size_t ld, std::size_t rows, std::size_t width)
      : at_(reinterpret_cast<const char*>(at)),
        stride_(ld * sizeof(T)),
        lines_(pieces(width * sizeof(T), kLine) + 1),
        left_(rows * lines_) {}
  std::size_t left() const { return left_; }
  void fetch(std::size_t count) {
    for (count = std::min(count, left_); count != 0; --count, --left_) {
      __builtin_prefetch(at_ + line_ * kLine, 0, 2);
      if (++line_ < lines_) continue;
      line_ = 0;
      at_ += stride_;
    }
  }

 private:
  static constexpr std::size_t kLine = 64;
  const char* at_ = nullptr;
  std::size_t stride_ = 0, lines_ = 0, line_ = 0, left_ = 0;
};

/// Computes the rows of C for one packed strip of A and the columns [column0, column1) of B. `c` and `start` of the
/// tile are those of the first column. `fetchAhead(tile)` is called before every tile.
template <class T, class FetchAhead>
void sweep(const GemmLayout& layout, const std::array<typename GemmKernels<T>::Run, 2>& run, GemmTile<T> tile,
           std::size_t column0, std::size_t column1, const Columns<T>& B, const FetchAhead& fetchAhead) {
  const T* start = tile.start;
  T* c = tile.c;
  const T* panel = B.at;
  std::size_t within = B.ld > 0 ? 0 : column0 % layout.step;
  for (std::size_t j = column0; j < column1; j += tile.columns, within = 0) {
    const std::size_t width = std::min(layout.width, layout.padded - (j - within));
    tile.b = panel + within;
    tile.bStride = B.ld > 0 ? B.ld : width;
    panel += B.ld > 0 ? layout.step : width * tile.k;
    tile.c = c + (j - column0);
    tile.start = start == nullptr ? nullptr : start + (j - column0);
    tile.columns = std::min(layout.step - within, column1 - j);
    fetchAhead(tile);
    run[2 * tile.columns <= layout.step](tile);
  }
}

}  // namespace sepx::gemm_detail
