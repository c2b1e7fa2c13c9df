// SPDX-License-Identifier: Apache-2.0
// Determines, for many initial points of the Duffing oscillator at once, into which well the ball falls. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/simd.h"
#include "engine/dynamics/basin_map.h"

namespace sepx::dynamics {

/// labels[i]: LimitKind::Attractor for the well at -1, the next number for the well at 1, Undecided where the orbit of
/// (x[i], v[i]) is too long for `options`, BasinLanes::kNeedsGeneralPath where numbers are too large for the vectorised
/// code.
void duffingLabels(double delta, std::span<const double> x, std::span<const double> v, const BasinMapOptions& options,
                   std::uint8_t* labels, SimdLevel level = simdLevel());

}  // namespace sepx::dynamics
