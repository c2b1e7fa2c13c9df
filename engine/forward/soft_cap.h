// SPDX-License-Identifier: Apache-2.0
// The soft cap of Gemma 2: x -> cap tanh(x / cap), in place. Floats are vectorised. Pure; any thread.
#pragma once

#include <cmath>
#include <span>

#include "engine/core/simd.h"

namespace sepx::forward {

inline void hyperbolicTangents(std::span<float> x) {  ///< tanh of each, in place
  simdMap(SimdFloatFunction::Tanh, x, x);
}
inline void hyperbolicTangents(std::span<double> x) {  ///< the same
  for (double& one : x)
    one = std::tanh(one);
}

/// A cap of 0 or less leaves x unchanged.
template <class T>
void softCap(std::span<T> x, T cap) {
  if (!(cap > 0)) return;
  for (T& one : x)
    one /= cap;
  hyperbolicTangents(x);
  for (T& one : x)
    one *= cap;
}

}  // namespace sepx::forward
