// SPDX-License-Identifier: Apache-2.0
// Matrix products C = A B^T of row-major A [m, k] and B [n, k], in float and double. One thread: callers divide the
// work among theirs. Entry (i, j) is a sum over k in one fixed order, a pure function of row i of A and row j of B: the
// same bits wherever it stands in C and on any number of threads. The widest instructions of the machine are chosen
// while it runs; those with fused multiply-add agree with each other bit for bit. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace sepx {

enum class GemmLevel { Generic, Avx2, Avx512 };
/// The best that this machine has; tests walk through the lower ones, by argument or with SEPX_SIMD=generic or avx2 in
/// the environment (of the whole program, read once).
GemmLevel gemmLevel();
std::string_view gemmLevelName(GemmLevel level);

enum class GemmSide { Left, Right };

/// Rows of A (Left) or B (Right) laid out as the inner loop reads them, so that many products can share the work.
template <class T>
class GemmPanels {
 public:
  GemmPanels() = default;
  GemmPanels(GemmSide side, std::size_t rows, std::size_t depth, GemmLevel level = gemmLevel());

  std::size_t rows() const { return rows_; }
  std::size_t depth() const { return depth_; }
  /// Rows [first, last); row(i): where the `depth` numbers of row i stand. Disjoint ranges that begin at multiples of
  /// kGrain may be filled by several threads.
  static constexpr std::size_t kGrain = 192;
  template <class S>
  void fill(std::size_t first, std::size_t last, const std::function<const S*(std::size_t)>& row);
  /// All rows from the columns of a row-major matrix [depth, rows]: number k of row i is data[k * ld + i].
  void fillTransposed(const T* data, std::size_t ld);

 private:
  template <class U>
  friend void gemm(const GemmPanels<U>&, std::size_t, std::size_t, const GemmPanels<U>&, std::size_t, std::size_t, U*,
                   std::size_t, bool);
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* data) const;
  };
  const T* panel(std::size_t block, std::size_t panel) const;

  GemmLevel level_ = GemmLevel::Generic;
  std::size_t width_ = 1, rows_ = 0, padded_ = 0, depth_ = 0;  // rows of a panel; rows; rows with padding; k
  std::unique_ptr<T[], Free> data_;
};

/// C [row1 - row0, column1 - column0] = rows [row0, row1) of A times rows [column0, column1) of B transposed. `ld`:
/// elements from one row of C to the next. `accumulate`: C += in place of C =.
template <class T>
void gemm(const GemmPanels<T>& left, std::size_t row0, std::size_t row1, const GemmPanels<T>& right,
          std::size_t column0, std::size_t column1, T* c, std::size_t ld, bool accumulate = false);

/// The same for a product that is wanted once.
void gemmABt(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda, const float* b,
             std::size_t ldb, float* c, std::size_t ldc);
void gemmABt(std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda, const double* b,
             std::size_t ldb, double* c, std::size_t ldc);
/// C [m, n] = A^T B of row-major A [k, m] and B [k, n].
void gemmAtB(std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda, const double* b,
             std::size_t ldb, double* c, std::size_t ldc);

}  // namespace sepx
