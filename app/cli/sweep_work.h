// SPDX-License-Identifier: Apache-2.0
// A share of a sweep: which runs are one's own (--shard, or what Slurm and Open MPI say), and their training one after
// the other. Main thread; it watches the trainer's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/sweep_plan.h"

namespace sepx::app::cli {

/// Runs whose number leaves `index` when divided by `count`.
struct Shard {
  int index = 0, count = 1;
  bool has(std::size_t run) const { return static_cast<int>(run % static_cast<std::size_t>(count)) == index; }
};
/// "2/8", counted from 0. An empty text: from SLURM_ARRAY_TASK_ID (with its MIN and COUNT), OMPI_COMM_WORLD_RANK and
/// SIZE, or both of them; without either, everything. Usage: out of range, or an array without its count.
Result<Shard> shardOf(const std::string& text);

struct SweepOutcome {
  std::size_t finished = 0, before = 0;        ///< trained now; finished before
  std::vector<sweep::RunStatus> failed, left;  ///< left: somebody else trains them
};
/// Trains what is one's own and not finished, the failed of an earlier call too. A run that fails does not stop the
/// others. Interrupted: the run that went on was saved. OutputFailed: nothing can be written any more.
Result<SweepOutcome> trainShard(Console& console, const sweep::SweepFolder& folder, const sweep::Sweep& sweep,
                                Shard shard, int threads);

/// `workers` programs of this one on this machine, a shard each; answers when all have ended: how many said failure.
/// Usage: these are more shares than there may be.
Result<int> runWorkers(const std::vector<std::string>& arguments, Shard shard, int workers, int threads);

}  // namespace sepx::app::cli
