// SPDX-License-Identifier: Apache-2.0
// The loop of foldStrongest() for each instruction set, with the vector types of the compiler. The widest supported set
// is chosen, as in engine/core/gemm.h.
#include "engine/attention/strongest.h"

#include <algorithm>

#include <Eigen/Core>

#include "engine/core/gemm.h"

namespace sepx::attention {

namespace {

#define SEPX_FOLD(name, target, bytes)                                                                               \
  target void name(const float* block, std::size_t rows, std::size_t columns, std::size_t ld, std::uint32_t* keys) { \
    typedef std::uint32_t Vector __attribute__((vector_size(bytes)));                                                \
    typedef std::uint32_t Loose __attribute__((vector_size(bytes), aligned(4), may_alias));                          \
    constexpr std::size_t kLanes = bytes / 4;                                                                        \
    std::size_t j = 0;                                                                                               \
    for (; j + kLanes <= columns; j += kLanes) {                                                                     \
      Vector most = *reinterpret_cast<const Loose*>(keys + j);                                                       \
      const float* entry = block + j;                                                                                \
      for (std::size_t i = 0; i < rows; ++i, entry += ld) {                                                          \
        const Vector bits = *reinterpret_cast<const Loose*>(entry);                                                  \
        const Vector key = ((bits << 1) | (bits >> 31)) ^ 1;                                                         \
        most = key > most ? key : most;                                                                              \
      }                                                                                                              \
      *reinterpret_cast<Loose*>(keys + j) = most;                                                                    \
    }                                                                                                                \
    for (; j < columns; ++j)                                                                                         \
      for (std::size_t i = 0; i < rows; ++i)                                                                         \
        keys[j] = std::max(keys[j], strengthKey(block[i * ld + j]));                                                 \
  }

#if defined(__x86_64__)
SEPX_FOLD(foldAvx512, __attribute__((target("avx512f"))), 64)
SEPX_FOLD(foldAvx2, __attribute__((target("avx2"))), 32)
#endif
SEPX_FOLD(foldGeneric, , 16)
#undef SEPX_FOLD

template <class T>
void halfSumOf(T* values, const T* other, std::size_t count, bool subtract) {
  using Array = Eigen::Array<T, Eigen::Dynamic, 1>;
  Eigen::Map<Array> a(values, static_cast<Eigen::Index>(count));
  const Eigen::Map<const Array> b(other, static_cast<Eigen::Index>(count));
  if (subtract)
    a = (a - b) * T(0.5);
  else
    a = (a + b) * T(0.5);
}

}  // namespace

void foldStrongest(const float* block, std::size_t rows, std::size_t columns, std::size_t ld, std::uint32_t* keys) {
#if defined(__x86_64__)
  if (gemmLevel() == GemmLevel::Avx512) return foldAvx512(block, rows, columns, ld, keys);
  if (gemmLevel() == GemmLevel::Avx2) return foldAvx2(block, rows, columns, ld, keys);
#endif
  foldGeneric(block, rows, columns, ld, keys);
}

void halfSum(float* values, const float* other, std::size_t count, bool subtract) {
  halfSumOf(values, other, count, subtract);
}

void halfSum(double* values, const double* other, std::size_t count, bool subtract) {
  halfSumOf(values, other, count, subtract);
}

}  // namespace sepx::attention
