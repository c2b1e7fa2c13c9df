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

#define SEPX_LANES "engine/core/simd_map.inc"
#include "engine/core/simd_levels.inc"

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
