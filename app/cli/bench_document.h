// SPDX-License-Identifier: Apache-2.0
// Benchmarks of what a person waits for beside the picture: undo, a session that opens, a figure that is made.
#pragma once

#include "app/cli/bench.h"

namespace sepx::app::cli {

/// A session of 1,000 points: an edit, its undo, and from the file to the settled picture (of a small one as well).
Result<BenchResult> benchSession(const Options& common);

/// 100 trajectories as SVG, as PDF and as PNG of 1800 x 1200 pixels.
Result<BenchResult> benchFigure(const Options& common);

}  // namespace sepx::app::cli
