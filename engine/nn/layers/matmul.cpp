// SPDX-License-Identifier: Apache-2.0
// Both matrices are laid out for the kernels once per call, then strips of rows
// of C are shared among the threads.
#include "engine/nn/layers/matmul.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "engine/core/gemm.h"

namespace sepx::nn {

namespace {

template <class T>
GemmPanels<T> packedRows(ThreadPool &pool, GemmSide side, std::size_t rows,
                         std::size_t k, const T *data, std::size_t ld) {
  GemmPanels<T> panels(side, rows, k);
  pool.parallelFor(
      0, rows, GemmPanels<T>::kGrain, [&](std::size_t first, std::size_t last) {
        panels.template fill<T>(
            first, last, [data, ld](std::size_t i) { return data + i * ld; });
      });
  return panels;
}

template <class T>
GemmPanels<T> packedColumns(GemmSide side, std::size_t columns, std::size_t k,
                            const T *data, std::size_t ld) {
  GemmPanels<T> panels(side, columns, k);
  panels.fillTransposed(data, ld);
  return panels;
}

template <class T>
void product(ThreadPool &pool, const GemmPanels<T> &left,
             const GemmPanels<T> &right, T *C, std::size_t ldc,
             const MatmulOptions<T> &options) {
  assert(options.bias == nullptr || !options.add);
  const std::size_t n = right.rows();
  pool.parallelFor(0, left.rows(), 96,
                   [&](std::size_t first, std::size_t last) {
                     if (options.bias != nullptr)
                       for (std::size_t i = first; i < last; ++i)
                         std::copy_n(options.bias, n, C + i * ldc);
                     gemm(left, first, last, right, 0, n, C + first * ldc, ldc,
                          options.add || options.bias != nullptr);
                   });
}

} // namespace

template <class T>
void matmulABt(ThreadPool &pool, std::size_t m, std::size_t n, std::size_t k,
               const T *A, std::size_t lda, const T *B, std::size_t ldb, T *C,
               std::size_t ldc, const MatmulOptions<T> &options) {
  product(pool, packedRows(pool, GemmSide::Left, m, k, A, lda),
          packedRows(pool, GemmSide::Right, n, k, B, ldb), C, ldc, options);
}

template <class T>
void matmulAB(ThreadPool &pool, std::size_t m, std::size_t n, std::size_t k,
              const T *A, std::size_t lda, const T *B, std::size_t ldb, T *C,
              std::size_t ldc, const MatmulOptions<T> &options) {
  product(pool, packedRows(pool, GemmSide::Left, m, k, A, lda),
          packedColumns(GemmSide::Right, n, k, B, ldb), C, ldc, options);
}

template <class T>
void matmulAtB(ThreadPool &pool, std::size_t m, std::size_t n, std::size_t k,
               const T *A, std::size_t lda, const T *B, std::size_t ldb, T *C,
               std::size_t ldc, const MatmulOptions<T> &options) {
  product(pool, packedColumns(GemmSide::Left, m, k, A, lda),
          packedColumns(GemmSide::Right, n, k, B, ldb), C, ldc, options);
}

template <class T>
void addColumnSums(ThreadPool &pool, std::size_t m, std::size_t n, const T *A,
                   std::size_t lda, T *out) {
  constexpr std::size_t kRows =
      256; // of a block, whose sum is made before it is added
  const std::size_t blocks = (m + kRows - 1) / kRows;
  std::vector<T> sums(blocks * n, T{0});
  pool.parallelFor(0, blocks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block)
      for (std::size_t i = block * kRows; i < std::min(m, (block + 1) * kRows);
           ++i)
        for (std::size_t j = 0; j < n; ++j)
          sums[block * n + j] += A[i * lda + j];
  });
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t j = 0; j < n; ++j)
      out[j] += sums[block * n + j];
}

#define SEPX_INSTANTIATE(T)                                                    \
  template void matmulABt(ThreadPool &, std::size_t, std::size_t, std::size_t, \
                          const T *, std::size_t, const T *, std::size_t, T *, \
                          std::size_t, const MatmulOptions<T> &);              \
  template void matmulAB(ThreadPool &, std::size_t, std::size_t, std::size_t,  \
                         const T *, std::size_t, const T *, std::size_t, T *,  \
                         std::size_t, const MatmulOptions<T> &);               \
  template void matmulAtB(ThreadPool &, std::size_t, std::size_t, std::size_t, \
                          const T *, std::size_t, const T *, std::size_t, T *, \
                          std::size_t, const MatmulOptions<T> &);              \
  template void addColumnSums(ThreadPool &, std::size_t, std::size_t,          \
                              const T *, std::size_t, T *);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

} // namespace sepx::nn
