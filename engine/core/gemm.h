// SPDX-License-Identifier: Apache-2.0
// Products of row-major matrices in float and double: of factors that were laid out once for many products
// (GemmPanels), and the three products of a linear layer, shared among the threads of a pool. ld: elements from one row
// to the next. An entry is a sum over k in one fixed order, a pure function of its row of A and column of B (and, of
// the products on a pool, of the sizes): the same bits wherever it stands in C and on any number of threads. The widest
// instructions of the machine are chosen while it runs; those with fused multiply-add agree with each other bit for
// bit. C must not overlap A or B. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "engine/core/thread_pool.h"

namespace sepx {

enum class GemmLevel { Generic, Avx2, Avx512 };  ///< instructions, least first
/// The best that this machine has; tests walk through the lower ones, by argument or with SEPX_SIMD=generic or avx2 in
/// the environment (of the whole program, read once).
GemmLevel gemmLevel();
std::string_view gemmLevelName(GemmLevel level);

/// Where the numbers of a factor stand once its rows lie side by side in panels, as the inner loops read them. A panel
/// holds number after number of its rows, in blocks of `terms` numbers: [terms, width]. A block has its panels
/// one after the other.
struct GemmLayout {
  std::size_t rows = 0, depth = 0;       ///< of the factor
  std::size_t terms = 1;                 ///< of a block
  std::size_t step = 1;                  ///< rows of a panel
  std::size_t width = 1, lastWidth = 1;  ///< of a panel: its rows and padding
  std::size_t padded = 0;                ///< widths of all panels

  std::size_t panels() const { return (rows + step - 1) / step; }     ///< of a block; the last may be narrower
  std::size_t blocks() const { return (depth + terms - 1) / terms; }  ///< the last may be shorter
  /// Numbers of a row in this block.
  std::size_t termsOf(std::size_t block) const { return std::min(terms, depth - block * terms); }
  /// Rows of this panel, with its padding.
  std::size_t widthOf(std::size_t panel) const { return std::min(width, padded - panel * width); }
  /// Where a panel of a block begins.
  std::size_t at(std::size_t block, std::size_t panel) const {
    return block * terms * padded + panel * width * termsOf(block);
  }
};

/// The rows of a factor as they lie in memory: number k of row i is data[i * ld + k], transposed data[k * ld + i].
template <class T>
struct GemmStored {
  const T* data = nullptr;       ///< outlives the call
  std::size_t ld = 0, rows = 0;  ///< elements from one row to the next; how many rows
  bool transposed = false;       ///< ld is the distance of two numbers of one row
};

enum class GemmSide { Left, Right };  ///< which factor the panels hold

/// Rows of A (Left) or B (Right) of C = A B^T laid out as the inner loop reads them, so that many products can share
/// the work. Their products are summed in blocks of 256 terms.
template <class T>
class GemmPanels {
 public:
  GemmPanels() = default;
  GemmPanels(GemmSide side, std::size_t rows, std::size_t depth, GemmLevel level = gemmLevel());

  std::size_t rows() const { return layout_.rows; }    ///< of the factor
  std::size_t depth() const { return layout_.depth; }  ///< k of the product, numbers of a row
  /// row(i): where the `depth` numbers of row i stand. With a pool, its threads share the work and call `row`.
  template <class S>
  void fill(const std::function<const S*(std::size_t)>& row, ThreadPool* pool = nullptr);
  /// All rows from the columns of a row-major matrix [depth, rows]: number k of row i is data[k * ld + i].
  void fillTransposed(const T* data, std::size_t ld);

 private:
  template <class U>
  friend void gemm(const GemmPanels<U>&, std::size_t, std::size_t, const GemmPanels<U>&, std::size_t, std::size_t, U*,
                   std::size_t, bool);
  template <class U>
  friend void gemm(const GemmPanels<U>&, const GemmStored<U>&, const U*, U*, std::size_t);
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* data) const;
  };

  GemmLevel level_ = GemmLevel::Generic;
  GemmLayout layout_;
  std::unique_ptr<T[], Free> data_;
};

/// C [row1 - row0, column1 - column0] = rows [row0, row1) of A times rows [column0, column1) of B transposed, on this
/// thread alone. `accumulate`: C += in place of C =.
template <class T>
void gemm(const GemmPanels<T>& left, std::size_t row0, std::size_t row1, const GemmPanels<T>& right,
          std::size_t column0, std::size_t column1, T* c, std::size_t ld, bool accumulate = false);

/// C [rows of A, rows of B] = bias + A B^T of a B that is wanted once, on this thread alone; bias [rows of B], null: 0.
/// Parts of B are fetched from memory and laid out while those before them are multiplied. The same bits as by panels
/// of B.
template <class T>
void gemm(const GemmPanels<T>& left, const GemmStored<T>& right, const T* bias, T* c, std::size_t ld);

/// C [m, n] = A [m, k] B [n, k]^T of two factors that are wanted once.
template <class T>
void gemmABt(std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B, std::size_t ldb,
             T* C, std::size_t ldc);
/// C [m, n] = A^T B of A [k, m] and B [k, n].
template <class T>
void gemmAtB(std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B, std::size_t ldb,
             T* C, std::size_t ldc);

template <class T>
struct GemmOptions {              ///< of one product
  const T* bias = nullptr;        ///< [n], added to every row; not with `add`
  bool add = false;               ///< C += in place of C =
  GemmLevel level = gemmLevel();  ///< instructions to multiply with
};

/// C [m, n] = A [m, k] B [n, k]^T: y = x W^T + b. These three cut k evenly, into blocks of at most 384 terms.
template <class T>
void gemmABt(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
             std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options = {});
/// C [m, n] = A [m, k] B [k, n]: dx = dy W.
template <class T>
void gemmAB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
            std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options = {});
/// C [m, n] = A [k, m]^T B [k, n]: dW = dy^T x, with k the tokens, in up to 8 chunks whose products are added in order.
template <class T>
void gemmAtB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
             std::size_t ldb, T* C, std::size_t ldc, const GemmOptions<T>& options = {});
/// out [n] += sum over the rows of A [m, n]: db = sum dy. In blocks of rows of a fixed size, in order.
template <class T>
void addColumnSums(ThreadPool& pool, std::size_t m, std::size_t n, const T* A, std::size_t lda, T* out);

}  // namespace sepx
