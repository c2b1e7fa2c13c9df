// SPDX-License-Identifier: Apache-2.0
// Products on a pool, blocked for the caches, with the kernels of gemm_kernels.h. Products with weights: the weights
// are packed once per call, then strips of rows are distributed over the threads. Products over the tokens: the tokens
// are split into chunks whose products are computed separately and added in order. The split of a product depends on
// its sizes alone.
#include "engine/core/gemm.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <new>

#include "engine/core/gemm_sweep.h"

namespace sepx {

using namespace gemm_detail;

namespace {

constexpr std::size_t kTogether = 8;         // strips of A that are packed together, so that rows are read contiguously
constexpr std::size_t kSmallWork = 1 << 16;  // multiplications; below this, waking a thread does not pay off

/// Memory of a thread that is kept for its next product. One per purpose.
template <class T>
class Scratch {
 public:
  T* atLeast(std::size_t count) {
    if (count <= count_) return data_.get();
    data_.reset();
    count_ = roundedUp(count, 1024);
    data_.reset(static_cast<T*>(std::aligned_alloc(64, count_ * sizeof(T))));
    if (data_ == nullptr) throw std::bad_alloc();
    return data_.get();
  }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t count_ = 0;
};

template <class T>
Scratch<T>& scratchOfA() {
  thread_local Scratch<T> scratch;
  return scratch;
}
template <class T>
Scratch<T>& scratchOfB() {
  thread_local Scratch<T> scratch;
  return scratch;
}
/// Scratch memory of the calling thread: packed weights, or the products of the chunks.
template <class T>
Scratch<T>& scratchOfCall() {
  thread_local Scratch<T> scratch;
  return scratch;
}

/// How k and n are split.
template <class T>
struct Cut {
  const GemmKernels<T>& kernels;
  std::size_t n, k;
  GemmLayout layout;  // of B
  std::size_t terms;  // terms of k per block
  std::size_t group;  // columns that are processed together

  Cut(const GemmKernels<T>& set, std::size_t n_, std::size_t k_, std::size_t terms_) : kernels(set), n(n_), k(k_) {
    terms = evenPart(terms_, kGemmMostTerms, 8);
    layout = set.layout(GemmSide::Right, n, k, terms);
    group = columnsAtOnce<T>(n, terms, set.columns);
  }
};

template <class T>
struct Start {
  const T* at = nullptr;  // start values for the first row and column of C
  std::size_t stride = 0;
};
template <class T>
Start<T> startOf(const GemmOptions<T>& options, const T* C, std::size_t ldc) {
  if (options.add) return {C, ldc};
  return {options.bias, 0};
}

/// Whether B [k, n] need not be packed: its columns fill the panels, and the distance between its rows does not map all
/// elements of a column to the same few cache sets.
template <class T>
bool canReadUnpacked(const GemmKernels<T>& kernels, std::size_t n, std::size_t ld) {
  return n % kernels.columns == 0 && ld * sizeof(T) % 4096 != 0;
}

/// Height of a strip, in rows, so that each of `threads` gets about four pieces of work. It does not affect the result.
std::size_t stripOf(std::size_t rows, std::size_t tileRows, std::size_t groups, int threads, std::size_t most) {
  const std::size_t tiles = pieces(rows, tileRows);
  const std::size_t wanted = threads == 1 ? 1 : pieces(4 * static_cast<std::size_t>(threads), groups);
  return std::clamp<std::size_t>(pieces(tiles, wanted), 1, most) * tileRows;
}

/// C = A B for row-major A. B is unpacked, or packed by blocks of k.
template <class T>
void multiplyStrips(ThreadPool& pool, const Cut<T>& cut, std::size_t m, const T* A, std::size_t lda,
                    const Columns<T>& B, T* C, std::size_t ldc, const GemmOptions<T>& options) {
  const GemmKernels<T>& kernels = cut.kernels;
  const std::size_t groups = pieces(cut.n, cut.group), tileRows = kernels.tileRows;
  const std::size_t strip = stripOf(m, tileRows, groups, pool.size(), 16), strips = pieces(m, strip);
  const bool alone = m * cut.n * std::max<std::size_t>(cut.k, 1) < kSmallWork;
  const std::size_t lines = pieces(tileRows * cut.terms * sizeof(T) / 64, pieces(cut.group, kernels.columns)) + 1;
  pool.parallelFor(0, strips * groups, alone ? strips * groups : 1, [&](std::size_t first, std::size_t last) {
    T* a = scratchOfA<T>().atLeast(kGemmMostRows * kGemmRowStride);
    for (std::size_t item = first; item < last; ++item) {
      const std::size_t row0 = item % strips * strip, column0 = item / strips * cut.group;
      const std::size_t row1 = std::min(m, row0 + strip), column1 = std::min(cut.n, column0 + cut.group);
      std::size_t p = 0;
      do {
        const std::size_t terms = std::min(cut.terms, cut.k - p);
        const Columns<T> columns{B.at + (B.ld > 0 ? p * B.ld + column0 : p * cut.layout.padded + column0 * terms),
                                 B.ld};
        const Start<T> start = p > 0 ? Start<T>{C, ldc} : startOf(options, C, ldc);
        for (std::size_t i = row0; i < row1; i += tileRows) {
          const std::size_t rows = std::min(tileRows, row1 - i);
          kernels.copyRows(A + i * lda + p, lda, rows, terms, a);
          Prefetcher ahead;
          if (i + rows < row1)
            ahead = Prefetcher(A + (i + rows) * lda + p, lda, std::min(tileRows, row1 - i - rows), terms);
          GemmTile<T> tile{terms, a, nullptr, 0, start.at, start.stride, C + i * ldc + column0, ldc, rows, 0};
          if (start.at != nullptr) tile.start += i * start.stride + column0;
          sweep<T>(cut.layout, kernels.rows[rows], tile, column0, column1, columns,
                   [&](const GemmTile<T>&) { ahead.fetch(lines); });
        }
        p += cut.terms;
      } while (p < cut.k);
    }
  });
}

/// Both products with weights: B is [n, k] if `rows`, otherwise [k, n].
template <class T>
void multiplyWeights(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda,
                     const T* B, std::size_t ldb, bool rows, T* C, std::size_t ldc, const GemmOptions<T>& options) {
  assert(options.bias == nullptr || !options.add);
  if (m == 0 || n == 0) return;
  const GemmKernels<T>& kernels = gemmKernels<T>(options.level);
  const Cut<T> cut(kernels, n, k, k);
  if (!rows && canReadUnpacked(kernels, n, ldb))
    return multiplyStrips(pool, cut, m, A, lda, Columns<T>{B, ldb}, C, ldc, options);
  const GemmLayout& layout = cut.layout;
  T* packed = scratchOfCall<T>().atLeast(layout.padded * k + 1);
  pool.parallelFor(
      0, layout.panels(), n * k < kSmallWork ? layout.panels() : 1, [&](std::size_t first, std::size_t last) {
        std::array<const T*, kGemmMostColumns> source;
        for (std::size_t panel = first; panel < last; ++panel) {
          const std::size_t j = panel * layout.step, used = std::min(layout.step, n - j), width = layout.widthOf(panel);
          for (std::size_t i = 0; rows && i < used; ++i)
            source[i] = B + (j + i) * ldb;
          for (std::size_t block = 0; block < layout.blocks(); ++block) {
            const std::size_t p = block * layout.terms, terms = layout.termsOf(block);
            T* out = packed + layout.at(block, panel);
            if (rows)
              kernels.packRows(source.data(), used, p, terms, width, out);
            else
              kernels.packColumns(B + p * ldb + j, ldb, n - j, terms, {1, width, width, width}, out);
          }
        }
      });
  multiplyStrips(pool, cut, m, A, lda, Columns<T>{packed, 0}, C, ldc, options);
}

/// One piece of A^T B: rows [row0, row1) and columns [column0, column1) of C, summed over the terms [k0, k1).
struct Piece {
  std::size_t row0, row1, column0, column1, k0, k1;
};

/// Both factors of A^T B.
template <class T>
struct Factors {
  std::size_t m;
  const T* A;
  std::size_t lda;
  const T* B;
  std::size_t ldb;
};

/// The columns of one block of terms of B; packed unless canReadUnpacked().
template <class T>
Columns<T> columnsOf(const Cut<T>& cut, const Factors<T>& in, const Piece& piece, std::size_t p, std::size_t terms) {
  const GemmKernels<T>& kernels = cut.kernels;
  const T* from = in.B + p * in.ldb + piece.column0;
  if (canReadUnpacked(kernels, cut.n, in.ldb)) return {from, in.ldb};
  T* b = scratchOfB<T>().atLeast((cut.group + kernels.columns) * cut.terms);
  const std::size_t panels = pieces(piece.column1 - piece.column0, kernels.columns);
  const std::size_t lastWidth = cut.layout.widthOf(piece.column0 / kernels.columns + panels - 1);
  kernels.packColumns(from, in.ldb, cut.n - piece.column0, terms, {panels, kernels.columns, kernels.columns, lastWidth},
                      b);
  return {b, 0};
}

template <class T>
void multiplyPiece(const Cut<T>& cut, const Factors<T>& in, T* C, std::size_t ldc, Start<T> start, const Piece& piece) {
  const GemmKernels<T>& kernels = cut.kernels;
  const std::size_t tileRows = kernels.tileRows, wide = kernels.interleave;
  T* a = scratchOfA<T>().atLeast(kTogether * kGemmMostRows * kGemmMostTerms);
  const std::size_t lines = pieces(cut.terms * wide * sizeof(T) / 64, pieces(cut.group, kernels.columns)) + 1;
  std::size_t p = piece.k0;
  do {
    const std::size_t terms = std::min(cut.terms, piece.k1 - p);
    const Columns<T> columns = columnsOf(cut, in, piece, p, terms);
    if (p > piece.k0) start = {C, ldc};
    Prefetcher ahead;
    for (std::size_t i = piece.row0; i < piece.row1; i += tileRows) {
      const std::size_t at = (i - piece.row0) / tileRows % kTogether;
      if (at == 0) {
        const T* from = in.A + p * in.lda + i;
        const std::size_t strips = std::min(kTogether, pieces(piece.row1 - i, tileRows));
        kernels.packColumns(from, in.lda, in.m - i, terms, {strips, tileRows, wide, wide}, a);
        const std::size_t next = i + kTogether * tileRows;
        if (next < piece.row1)
          ahead = Prefetcher(from + kTogether * tileRows, in.lda, terms, std::min(kTogether * tileRows, in.m - next));
        else if (p + terms < piece.k1)
          ahead =
              Prefetcher(in.A + (p + terms) * in.lda + piece.row0, in.lda, std::min(cut.terms, piece.k1 - p - terms),
                         std::min(kTogether * tileRows, in.m - piece.row0));
      }
      const std::size_t rows = std::min(tileRows, piece.row1 - i);
      GemmTile<T> tile{terms,        a + at * wide * terms,       nullptr, 0,    start.at,
                       start.stride, C + i * ldc + piece.column0, ldc,     rows, 0};
      if (start.at != nullptr) tile.start += i * start.stride + piece.column0;
      sweep<T>(cut.layout, kernels.interleaved[rows], tile, piece.column0, piece.column1, columns,
               [&](const GemmTile<T>&) { ahead.fetch(lines); });
    }
    p += cut.terms;
  } while (p < piece.k1);
}

}  // namespace

template <class T>
void gemmABt(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
             std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options) {
  multiplyWeights(pool, m, n, k, A, lda, B, ldb, true, C, ldc, options);
}

template <class T>
void gemmAB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
            std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options) {
  multiplyWeights(pool, m, n, k, A, lda, B, ldb, false, C, ldc, options);
}

template <class T>
void gemmAtB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
             std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options) {
  assert(options.bias == nullptr || !options.add);
  if (m == 0 || n == 0) return;
  constexpr std::size_t kChunk = 2048, kMostChunks = 8, kMostApart = 1 << 22;
  const GemmKernels<T>& kernels = gemmKernels<T>(options.level);
  std::size_t chunks = std::clamp<std::size_t>(k / kChunk, 1, kMostChunks);
  while (chunks > 1 && (chunks - 1) * m * n > kMostApart)
    --chunks;
  const std::size_t chunk = evenPart(k, pieces(k, chunks), 8);
  chunks = std::max<std::size_t>(pieces(k, chunk), 1);
  const Cut<T> cut(kernels, n, k, std::min(chunk, k));
  const std::size_t groups = pieces(n, cut.group);
  const std::size_t strip = stripOf(m, kernels.tileRows, groups * chunks, pool.size(), 64);
  const std::size_t strips = pieces(m, strip), count = groups * chunks * strips;
  const Factors<T> in{m, A, lda, B, ldb};
  T* apart = chunks > 1 ? scratchOfCall<T>().atLeast((chunks - 1) * m * n) : nullptr;
  const bool alone = m * n * std::max<std::size_t>(k, 1) < kSmallWork;
  pool.parallelFor(0, count, alone ? count : 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t item = first; item < last; ++item) {
      const std::size_t at = item % chunks, row = item / chunks % strips * strip;
      const std::size_t column = item / chunks / strips * cut.group;
      const Piece piece{row,        std::min(m, row + strip),     column, std::min(n, column + cut.group),
                        at * chunk, std::min(k, (at + 1) * chunk)};
      if (at == 0)
        multiplyPiece<T>(cut, in, C, ldc, startOf(options, C, ldc), piece);
      else
        multiplyPiece<T>(cut, in, apart + (at - 1) * m * n, n, {}, piece);
    }
  });
  if (chunks == 1) return;
  pool.parallelFor(0, m, std::max<std::size_t>(1, kSmallWork / (chunks * n)), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t at = 1; at < chunks; ++at) {
        const T* part = apart + ((at - 1) * m + i) * n;
        for (std::size_t j = 0; j < n; ++j)
          C[i * ldc + j] += part[j];
      }
  });
}

template <class T>
void addColumnSums(ThreadPool& pool, std::size_t m, std::size_t n, const T* A, std::size_t lda, T* out) {
  constexpr std::size_t kRows = 128;  // rows of a block, which is summed before it is added
  const GemmKernels<T>& kernels = gemmKernels<T>(gemmLevel());
  const std::size_t blocks = pieces(m, kRows);
  T* sums = scratchOfCall<T>().atLeast(blocks * n + 1);
  pool.parallelFor(0, blocks, m * n < kSmallWork ? blocks : 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block)
      kernels.columnSums(A + block * kRows * lda, lda, std::min(kRows, m - block * kRows), n, sums + block * n);
  });
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t j = 0; j < n; ++j)
      out[j] += sums[block * n + j];
}

#define SEPX_INSTANTIATE(T)                                                                                  \
  template void gemmABt(ThreadPool&, std::size_t, std::size_t, std::size_t, const T*, std::size_t, const T*, \
                        std::size_t, T*, std::size_t, const GemmOptions<T>&);                                \
  template void gemmAB(ThreadPool&, std::size_t, std::size_t, std::size_t, const T*, std::size_t, const T*,  \
                       std::size_t, T*, std::size_t, const GemmOptions<T>&);                                 \
  template void gemmAtB(ThreadPool&, std::size_t, std::size_t, std::size_t, const T*, std::size_t, const T*, \
                        std::size_t, T*, std::size_t, const GemmOptions<T>&);                                \
  template void addColumnSums(ThreadPool&, std::size_t, std::size_t, const T*, std::size_t, T*);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx
