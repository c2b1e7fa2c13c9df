// SPDX-License-Identifier: Apache-2.0
// Images that are made here: one of eight figures of any colour, place and size on another colour, with noise. The
// figure is the class. For lessons and tests, where no files are at hand. Any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/data/source.h"

namespace sepx::data {

constexpr int kShapeClasses = 8;  ///< kinds of shapes
/// `side` pixels, three channels; `noise` the deviation that is added to every number (a full range is 2).
std::unique_ptr<Source> makeShapes(std::uint64_t seed, int side, double noise);

}  // namespace sepx::data
