// SPDX-License-Identifier: Apache-2.0
#include "engine/core/simd.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sepx {

namespace {

#if defined(__x86_64__)
namespace avx512 {
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_BYTES 64
#include "engine/core/simd_map.inc"
}  // namespace avx512
namespace avx2 {
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_BYTES 32
#include "engine/core/simd_map.inc"
}  // namespace avx2
#endif
namespace generic {
#define SEPX_TARGET
#define SEPX_BYTES 16
#include "engine/core/simd_map.inc"
}  // namespace generic

}  // namespace

void simdMap(SimdFunction f, std::span<const double> x, std::span<double> out, SimdLevel level) {
  assert(x.size() == out.size());
  switch (std::min(level, simdLevel())) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::map(f, x.data(), out.data(), x.size());
    case SimdLevel::Avx2:
      return avx2::map(f, x.data(), out.data(), x.size());
#endif
    default:
      return generic::map(f, x.data(), out.data(), x.size());
  }
}

}  // namespace sepx
