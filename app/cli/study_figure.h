// SPDX-License-Identifier: Apache-2.0
// The figure that `sepx reproduce --out` draws of a study's result. Main thread.
#pragma once

#include "app/cli/figure_file.h"
#include "engine/core/thread_pool.h"
#include "engine/studies/study.h"

namespace sepx::app::cli {

/// Draws the charts of the result, or its own picture; empty if it has neither. `result` and `pool` must outlive the
/// returned function.
FigureMaker studyFigure(const studies::StudyResult& result, ThreadPool& pool);

}  // namespace sepx::app::cli
