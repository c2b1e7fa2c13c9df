// SPDX-License-Identifier: Apache-2.0
// simdMap() of engine/core/simd.h for floats.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "engine/core/simd.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sepx {

namespace {

#define SEPX_LANES "engine/core/simd_float_map.inc"
#include "engine/core/simd_levels.inc"

}  // namespace

void simdMap(SimdFloatFunction f, std::span<const float> x, std::span<float> out, SimdLevel level) {
  assert(x.size() == out.size());
  switch (std::min(level, simdLevel())) {
#if defined(__x86_64__)
    case SimdLevel::Avx512:
      return avx512::floats::map(f, x.data(), out.data(), x.size());
    case SimdLevel::Avx2:
      return avx2::floats::map(f, x.data(), out.data(), x.size());
#endif
    default:
      return generic::floats::map(f, x.data(), out.data(), x.size());
  }
}

}  // namespace sepx
