// SPDX-License-Identifier: Apache-2.0
#include "engine/nn/layers/matmul_kernels.h"

#include <algorithm>
#include <utility>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sepx::nn {

namespace {

#ifdef __clang__
#define SEPX_UNROLL _Pragma("unroll")
#else
#define SEPX_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__x86_64__)
#define SEPX_MASKED __attribute__((target("avx512f,fma"))) inline
SEPX_MASKED __m512 maskedLoad(const float* from, std::size_t count) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
}
SEPX_MASKED void maskedStore(float* to, __m512 v, std::size_t count) {
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), v);
}
SEPX_MASKED __m512d maskedLoad(const double* from, std::size_t count) {
  return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << count) - 1), from);
}
SEPX_MASKED void maskedStore(double* to, __m512d v, std::size_t count) {
  _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1), v);
}
#undef SEPX_MASKED

#define SEPX_SET struct FloatAvx512
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_TYPE float
#define SEPX_BYTES 64
#define SEPX_ROWS 14
#define SEPX_SOME 8
#define SEPX_FEW 4
#include "engine/nn/layers/matmul_kernels.inc"
#define SEPX_SET struct DoubleAvx512
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_TYPE double
#define SEPX_BYTES 64
#define SEPX_ROWS 14
#define SEPX_SOME 8
#define SEPX_FEW 4
#include "engine/nn/layers/matmul_kernels.inc"
#define SEPX_SET struct FloatAvx2
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_TYPE float
#define SEPX_BYTES 32
#define SEPX_ROWS 6
#define SEPX_SOME 4
#define SEPX_FEW 2
#include "engine/nn/layers/matmul_kernels.inc"
#define SEPX_SET struct DoubleAvx2
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_TYPE double
#define SEPX_BYTES 32
#define SEPX_ROWS 6
#define SEPX_SOME 4
#define SEPX_FEW 2
#include "engine/nn/layers/matmul_kernels.inc"
#endif
#define SEPX_SET struct FloatGeneric
#define SEPX_TARGET
#define SEPX_TYPE float
#define SEPX_BYTES 16
#define SEPX_ROWS 4
#define SEPX_SOME 2
#define SEPX_FEW 1
#include "engine/nn/layers/matmul_kernels.inc"
#define SEPX_SET struct DoubleGeneric
#define SEPX_TARGET
#define SEPX_TYPE double
#define SEPX_BYTES 16
#define SEPX_ROWS 4
#define SEPX_SOME 2
#define SEPX_FEW 1
#include "engine/nn/layers/matmul_kernels.inc"

}  // namespace

template <>
const MatmulKernels<float>& matmulKernels(GemmLevel level) {
  static const MatmulKernels<float> generic = FloatGeneric::kernels();
#if defined(__x86_64__)
  static const MatmulKernels<float> avx512 = FloatAvx512::kernels(), avx2 = FloatAvx2::kernels();
  level = std::min(level, gemmLevel());
  if (level == GemmLevel::Avx512) return avx512;
  if (level == GemmLevel::Avx2) return avx2;
#endif
  (void)level;
  return generic;
}

template <>
const MatmulKernels<double>& matmulKernels(GemmLevel level) {
  static const MatmulKernels<double> generic = DoubleGeneric::kernels();
#if defined(__x86_64__)
  static const MatmulKernels<double> avx512 = DoubleAvx512::kernels(), avx2 = DoubleAvx2::kernels();
  level = std::min(level, gemmLevel());
  if (level == GemmLevel::Avx512) return avx512;
  if (level == GemmLevel::Avx2) return avx2;
#endif
  (void)level;
  return generic;
}

}  // namespace sepx::nn
