// SPDX-License-Identifier: Apache-2.0
// Runs a rank other than 0 of a shared run (group_run.h): computes its part of every step that rank 0's Trainer orders.
// Saves and prints nothing.
#pragma once

#include <functional>

#include "engine/core/result.h"
#include "engine/train/process_group.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Blocks until rank 0 ends the run, with success or not. An error here is one that rank 0 also has and reports, or
/// Interrupted if rank 0 no longer answers. `config` is that of rank 0; `threads` 0: one per core. `stop` is called
/// from this thread and those of the pool; if it returns true, the current step is abandoned and the run ends.
Result<void> follow(const RunConfig& config, ProcessGroup& group, int threads, std::function<bool()> stop = {});

}  // namespace sepx::train
