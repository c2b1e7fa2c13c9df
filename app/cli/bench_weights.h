// SPDX-License-Identifier: Apache-2.0
// Benchmarks of checkpoints: scores from factors, from the file to the first heat map, moving and zooming a large
// matrix. Files are synthetic, of the shapes of GPT-2 small and of an 8-billion LLaMA, and gone afterwards. The peer's
// side of the comparison is tests/bench/numpy_scores.py, with the same shapes.
#pragma once

#include "app/cli/bench.h"

namespace sepx::app::cli {

/// Scores of one layer, and of each of its 12 heads (d_model 768, d_h 64).
Result<BenchResult> benchWeightsScores(const Options& common);

/// GPT-2's shape: from the file to the entries' picture, and to the first frame of a window that shows it.
Result<BenchResult> benchWeightsOpen(const Options& common);

/// One head (4096 x 4096, d_h 128) of a sharded BF16 checkpoint of 8 billion weights, with the memory it takes.
Result<BenchResult> benchWeightsLarge(const Options& common);

/// Frames in real time while that head is dragged and zoomed.
Result<BenchResult> benchWeightsMove(const Options& common);

}  // namespace sepx::app::cli
