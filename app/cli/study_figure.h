// SPDX-License-Identifier: Apache-2.0
// What `sepx reproduce --out` draws of a study's result. Main thread.
#pragma once

#include "app/cli/figure_file.h"
#include "engine/core/thread_pool.h"
#include "engine/studies/study.h"

namespace sepx::app::cli {

/// Its charts, or a picture of its own; empty: it has none. `result` and `pool` must outlive what is returned.
FigureMaker studyFigure(const studies::StudyResult& result, ThreadPool& pool);

}  // namespace sepx::app::cli
