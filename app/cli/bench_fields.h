// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the pictures that fill the plane: particles splatted as density and the flow texture, each as kernel
// and as double-precision twin, at 1280 x 720.
#pragma once

#include "app/cli/bench.h"

namespace sepx::app::cli {

/// A step of 100,000 and of 1,000,000 particles to its picture on the host, and a whole frame with the picture drawn.
Result<BenchResult> benchParticles(const Options& common);
/// Line integral convolution.
Result<BenchResult> benchTexture(const Options& common);

}  // namespace sepx::app::cli
