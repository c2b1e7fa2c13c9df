// SPDX-License-Identifier: Apache-2.0
// Elementary functions of many doubles at once, with the widest instructions of the machine, chosen while it runs. Good
// to two units in the last place, with the limits of the C library at 0, infinity and NaN. A value's result depends on
// that value alone; levels with fused multiply-add agree bit for bit. The vectors themselves, for code that stays in
// registers, are engine/core/simd_lanes.inc and, of floats, simd_float_lanes.inc (with their accuracy). Any thread.
#pragma once

#include <span>

#include "engine/core/gemm.h"

namespace sepx {

/// One choice for the whole program: products of matrices and lanes go by the same instructions.
using SimdLevel = GemmLevel;
inline SimdLevel simdLevel() {
  return gemmLevel();
}

enum class SimdFunction { Exp, Expm1, Log, Log1p, Sqrt };  ///< in double precision
/// out[i] = f(x[i]); the spans have the same length and are the same or disjoint.
void simdMap(SimdFunction f, std::span<const double> x, std::span<double> out, SimdLevel level = simdLevel());

enum class SimdFloatFunction { Exp, PowerOfTwo, Log, Log1p, Tanh, Erf, Sigmoid, Sqrt };  ///< in single precision
/// As simdMap() of doubles.
void simdMap(SimdFloatFunction f, std::span<const float> x, std::span<float> out, SimdLevel level = simdLevel());

}  // namespace sepx
