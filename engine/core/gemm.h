// SPDX-License-Identifier: Apache-2.0
// Products of row-major matrices in float and double: of factors that are packed once for many products (GemmPanels),
// and the three products of a linear layer, distributed over the threads of a pool. ld: distance between rows, in
// elements. An entry is a sum over k in one fixed order, a pure function of its row of A and column of B (and, for the
// products on a pool, of the sizes), so that it has the same bits at every position in C and for any number of threads.
// The widest instructions of the machine are selected at run time. The levels with fused multiply-add agree bit for
// bit. C must not overlap A or B. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "engine/core/thread_pool.h"

namespace sepx {

enum class GemmLevel { Generic, Avx2, Avx512 };  ///< instruction sets, lowest first
/// The highest level of this machine. Tests select lower ones by argument, or for the whole program with
/// SEPX_SIMD=generic or avx2 in the environment, which is read once.
GemmLevel gemmLevel();
std::string_view gemmLevelName(GemmLevel level);

/// Memory layout of a packed factor, as the inner loops read it: groups of rows lie side by side in panels. In each
/// block of `terms` columns, a panel is [terms, width], and the panels of a block are contiguous.
struct GemmLayout {
  std::size_t rows = 0, depth = 0;       ///< of the factor
  std::size_t terms = 1;                 ///< terms per block
  std::size_t step = 1;                  ///< rows per panel
  std::size_t width = 1, lastWidth = 1;  ///< of a panel: rows and padding
  std::size_t padded = 0;                ///< sum of the widths of all panels

  std::size_t panels() const { return (rows + step - 1) / step; }     ///< per block; the last may be narrower
  std::size_t blocks() const { return (depth + terms - 1) / terms; }  ///< the last may be shorter
  /// Elements of a row in this block.
  std::size_t termsOf(std::size_t block) const { return std::min(terms, depth - block * terms); }
  /// Width of this panel, with padding.
  std::size_t widthOf(std::size_t panel) const { return std::min(width, padded - panel * width); }
  /// Offset of a panel of a block.
  std::size_t at(std::size_t block, std::size_t panel) const {
    return block * terms * padded + panel * width * termsOf(block);
  }
};

/// A factor in plain memory: element k of row i is data[i * ld + k], or data[k * ld + i] if transposed.
template <class T>
struct GemmMatrix {
  const T* data = nullptr;       ///< must outlive the call
  std::size_t ld = 0, rows = 0;  ///< distance between rows, in elements; number of rows
  bool transposed = false;       ///< ld is the distance between elements of one row
};

enum class GemmSide { Left, Right };  ///< which factor the panels hold

/// Rows of A (Left) or B (Right) of C = A B^T, packed as the inner loop reads them, so that many products can reuse
/// them. Products are summed in blocks of 256 terms.
template <class T>
class GemmPanels {
 public:
  GemmPanels() = default;
  GemmPanels(GemmSide side, std::size_t rows, std::size_t depth, GemmLevel level = gemmLevel());

  std::size_t rows() const { return layout_.rows; }    ///< of the factor
  std::size_t depth() const { return layout_.depth; }  ///< k of the product, elements per row
  /// row(i): pointer to the `depth` elements of row i. With a pool, its threads share the work and call `row`.
  template <class S>
  void fill(const std::function<const S*(std::size_t)>& row, ThreadPool* pool = nullptr);
  /// Packs all rows from the columns of a row-major matrix [depth, rows]: element k of row i is data[k * ld + i].
  void fillTransposed(const T* data, std::size_t ld);

 private:
  template <class U>
  friend void gemm(const GemmPanels<U>&, std::size_t, std::size_t, const GemmPanels<U>&, std::size_t, std::size_t, U*,
                   std::size_t, bool);
  template <class U>
  friend void gemm(const GemmPanels<U>&, const GemmMatrix<U>&, const U*, U*, std::size_t);
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* data) const;
  };

  GemmLevel level_ = GemmLevel::Generic;
  GemmLayout layout_;
  std::unique_ptr<T[], Free> data_;
};

/// C [row1 - row0, column1 - column0] = rows [row0, row1) of A times rows [column0, column1) of B transposed, on this
/// thread alone. `accumulate`: C += instead of C =.
template <class T>
void gemm(const GemmPanels<T>& left, std::size_t row0, std::size_t row1, const GemmPanels<T>& right,
          std::size_t column0, std::size_t column1, T* c, std::size_t ld, bool accumulate = false);

/// C [rows of A, rows of B] = bias + A B^T for a B that is used once, on this thread alone; bias [rows of B], null: 0.
/// Each part of B is prefetched and packed while the previous part is multiplied. The result has the same bits as with
/// panels of B.
template <class T>
void gemm(const GemmPanels<T>& left, const GemmMatrix<T>& right, const T* bias, T* c, std::size_t ld);

/// C [m, n] = A [m, k] B [n, k]^T for factors that are used once.
template <class T>
void gemmABt(std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B, std::size_t ldb,
             T* C, std::size_t ldc);
/// C [m, n] = A [k, m]^T B [k, n] for factors that are used once.
template <class T>
void gemmAtB(std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B, std::size_t ldb,
             T* C, std::size_t ldc);

template <class T>
struct GemmOptions {              ///< options of one product
  const T* bias = nullptr;        ///< [n], added to every row; not with `add`
  bool add = false;               ///< C += in place of C =
  GemmLevel level = gemmLevel();  ///< instruction set to use
};

/// C [m, n] = A [m, k] B [n, k]^T: y = x W^T + b. These three functions split k evenly into blocks of at most 384
/// terms.
template <class T>
void gemmABt(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
             std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options = {});
/// C [m, n] = A [m, k] B [k, n]: dx = dy W.
template <class T>
void gemmAB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
            std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options = {});
/// C [m, n] = A [k, m]^T B [k, n]: dW = dy^T x, where k counts the tokens, in up to 8 chunks whose products are added
/// in order.
template <class T>
void gemmAtB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
             std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options = {});
/// out [n] += sum over the rows of A [m, n]: db = sum dy. Summed in blocks of rows of a fixed size, in order.
template <class T>
void addColumnSums(ThreadPool& pool, std::size_t m, std::size_t n, const T* A, std::size_t lda, T* out);

}  // namespace sepx
