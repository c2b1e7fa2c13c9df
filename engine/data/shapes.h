// SPDX-License-Identifier: Apache-2.0
// Synthetic images: one of eight figures of random colour, position and size on a background of another colour, with
// noise. The figure is the class. For lessons and tests that have no data files. Any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/data/source.h"

namespace sepx::data {

constexpr int kShapeClasses = 8;  ///< kinds of shapes
/// `side` x `side` pixels, three channels; `noise` is the standard deviation of the noise added to every value (the
/// full range is 2).
std::unique_ptr<Source> makeShapes(std::uint64_t seed, int side, double noise);

}  // namespace sepx::data
