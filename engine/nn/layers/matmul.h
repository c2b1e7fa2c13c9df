// SPDX-License-Identifier: Apache-2.0
// The three products of a linear layer, shared among the threads of a pool, on the kernels of matmul_kernels.h (built
// per CPU level, chosen while running). Row-major; ld: elements from one row to the next. An entry is a sum over k in
// one fixed order: the same bits on any number of threads. C must not overlap A or B. Any thread.
#pragma once

#include <cstddef>

#include "engine/core/gemm.h"
#include "engine/core/thread_pool.h"

namespace sepx::nn {

template <class T>
struct MatmulOptions {
  const T* bias = nullptr;  ///< [n], added to every row; not with `add`
  bool add = false;         ///< C += in place of C =
  GemmLevel level = gemmLevel();
};

/// C [m, n] = A [m, k] B [n, k]^T: y = x W^T + b.
template <class T>
void matmulABt(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
               std::size_t ldb, T* C, std::size_t ldc, const MatmulOptions<T>& options = {});
/// C [m, n] = A [m, k] B [k, n]: dx = dy W.
template <class T>
void matmulAB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
              std::size_t ldb, T* C, std::size_t ldc, const MatmulOptions<T>& options = {});
/// C [m, n] = A [k, m]^T B [k, n]: dW = dy^T x, with k the tokens.
template <class T>
void matmulAtB(ThreadPool& pool, std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B,
               std::size_t ldb, T* C, std::size_t ldc, const MatmulOptions<T>& options = {});
/// out [n] += sum over the rows of A [m, n]: db = sum dy. In blocks of rows of a fixed size, in order.
template <class T>
void addColumnSums(ThreadPool& pool, std::size_t m, std::size_t n, const T* A, std::size_t lda, T* out);

}  // namespace sepx::nn
