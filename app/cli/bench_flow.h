// SPDX-License-Identifier: Apache-2.0
// Benchmarks of many orbits at once: ten thousand trajectories to their limits, and the integrated basin map at the
// size of a whole screen. Frame thread.
#pragma once

#include "app/cli/bench.h"

namespace sepx::app::cli {

Result<BenchResult> benchFlowBatch(const Options& common);
Result<BenchResult> benchBasinScreen(const Options& common);

}  // namespace sepx::app::cli
