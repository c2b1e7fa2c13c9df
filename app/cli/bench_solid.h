// SPDX-License-Identifier: Apache-2.0
// Benchmark of three-dimensional pictures: 20,000 lit triangles of two translucent surfaces that cut each other and of
// one that hides, with contour lines, and 50 tubes of 200 points, at 1280 x 720; the eye goes around them.
#pragma once

#include "app/cli/bench.h"

namespace sepx::app::cli {

/// A frame while the eye moves, what of it is sorting and projecting on the CPU, and a frame in which nothing changed.
Result<BenchResult> benchSpace(const Options& common);

}  // namespace sepx::app::cli
