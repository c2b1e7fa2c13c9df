// SPDX-License-Identifier: Apache-2.0
// A rank other than 0 of a shared run (group_run.h): makes its part of every step that rank 0's Trainer orders. Keeps
// and prints nothing.
#pragma once

#include <functional>

#include "engine/core/result.h"
#include "engine/train/process_group.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Blocks until rank 0 ends the run, which may end well or not: an error here is one that rank 0 has too and tells the
/// person, or Interrupted where rank 0 no longer answers. `config` is that of rank 0; `threads` 0: one per core.
/// `stop`, from this thread and the pool's, leaves the present step and ends the run.
Result<void> follow(const RunConfig& config, ProcessGroup& group, int threads, std::function<bool()> stop = {});

}  // namespace sepx::train
