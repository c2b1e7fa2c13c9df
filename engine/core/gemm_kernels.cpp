// SPDX-License-Identifier: Apache-2.0
#include "engine/core/gemm_kernels.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sepx {

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

// Loads as many doubles as a vector has floats, and rounds them to float.
__attribute__((target("avx512f,fma"))) inline __m512 floatsOf(const double* from,
                                                              std::integral_constant<std::size_t, 64>) {
  const __m256 low = _mm512_maskz_cvtpd_ps(0xff, _mm512_loadu_pd(from));
  const __m256 high = _mm512_maskz_cvtpd_ps(0xff, _mm512_loadu_pd(from + 8));
  const __m512d wide = _mm512_castps_pd(_mm512_castps256_ps512(low));
  return _mm512_castpd_ps(_mm512_maskz_insertf64x4(0xff, wide, _mm256_castps_pd(high), 1));
}
__attribute__((target("avx2,fma"))) inline __m256 floatsOf(const double* from,
                                                           std::integral_constant<std::size_t, 32>) {
  return _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(from + 4)), _mm256_cvtpd_ps(_mm256_loadu_pd(from)));
}
inline __m128 floatsOf(const double* from, std::integral_constant<std::size_t, 16>) {
  return _mm_movelh_ps(_mm_cvtpd_ps(_mm_loadu_pd(from)), _mm_cvtpd_ps(_mm_loadu_pd(from + 2)));
}

#define SEPX_SET struct FloatAvx512
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_TYPE float
#define SEPX_BYTES 64
#define SEPX_ROWS 14
#define SEPX_SOME 8
#define SEPX_FEW 4
#include "engine/core/gemm_kernels.inc"
#define SEPX_SET struct DoubleAvx512
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_TYPE double
#define SEPX_BYTES 64
#define SEPX_ROWS 14
#define SEPX_SOME 8
#define SEPX_FEW 4
#include "engine/core/gemm_kernels.inc"
#define SEPX_SET struct FloatAvx2
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_TYPE float
#define SEPX_BYTES 32
#define SEPX_ROWS 6
#define SEPX_SOME 4
#define SEPX_FEW 2
#include "engine/core/gemm_kernels.inc"
#define SEPX_SET struct DoubleAvx2
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_TYPE double
#define SEPX_BYTES 32
#define SEPX_ROWS 6
#define SEPX_SOME 4
#define SEPX_FEW 2
#include "engine/core/gemm_kernels.inc"
#endif
#define SEPX_SET struct FloatGeneric
#define SEPX_TARGET
#define SEPX_TYPE float
#define SEPX_BYTES 16
#define SEPX_ROWS 4
#define SEPX_SOME 2
#define SEPX_FEW 1
#include "engine/core/gemm_kernels.inc"
#define SEPX_SET struct DoubleGeneric
#define SEPX_TARGET
#define SEPX_TYPE double
#define SEPX_BYTES 16
#define SEPX_ROWS 4
#define SEPX_SOME 2
#define SEPX_FEW 1
#include "engine/core/gemm_kernels.inc"

}  // namespace

template <>
const GemmKernels<float>& gemmKernels(GemmLevel level) {
  static const GemmKernels<float> generic = FloatGeneric::kernels();
#if defined(__x86_64__)
  static const GemmKernels<float> avx512 = FloatAvx512::kernels(), avx2 = FloatAvx2::kernels();
  level = std::min(level, gemmLevel());
  if (level == GemmLevel::Avx512) return avx512;
  if (level == GemmLevel::Avx2) return avx2;
#endif
  (void)level;
  return generic;
}

template <>
const GemmKernels<double>& gemmKernels(GemmLevel level) {
  static const GemmKernels<double> generic = DoubleGeneric::kernels();
#if defined(__x86_64__)
  static const GemmKernels<double> avx512 = DoubleAvx512::kernels(), avx2 = DoubleAvx2::kernels();
  level = std::min(level, gemmLevel());
  if (level == GemmLevel::Avx512) return avx512;
  if (level == GemmLevel::Avx2) return avx2;
#endif
  (void)level;
  return generic;
}

}  // namespace sepx
