// SPDX-License-Identifier: Apache-2.0
// Elementary functions of arrays, with the widest instructions of the machine, selected at run time. Doubles are
// accurate to two units in the last place; at 0, infinity and NaN the results are those of the C library. The result
// for a value depends on that value alone, and levels with fused multiply-add agree bit for bit. The vector types, for
// code that keeps values in registers, are in engine/core/simd_lanes.inc and, for floats and with their accuracy, in
// simd_float_lanes.inc. Any thread.
#pragma once

#include <span>

#include "engine/core/gemm.h"

namespace sepx {

/// One level for the whole program: matrix products and elementary functions use the same instructions.
using SimdLevel = GemmLevel;
inline SimdLevel simdLevel() {
  return gemmLevel();
}

enum class SimdFunction { Exp, Expm1, Log, Log1p, Sqrt };  ///< in double precision
/// out[i] = f(x[i]); the spans have the same length and are the same or disjoint.
void simdMap(SimdFunction f, std::span<const double> x, std::span<double> out, SimdLevel level = simdLevel());

enum class SimdFloatFunction { Exp, PowerOfTwo, Log, Log1p, Tanh, Erf, Sigmoid, Sqrt };  ///< in single precision
/// As simdMap() for doubles.
void simdMap(SimdFloatFunction f, std::span<const float> x, std::span<float> out, SimdLevel level = simdLevel());

}  // namespace sepx
