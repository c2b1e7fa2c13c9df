// SPDX-License-Identifier: Apache-2.0
// A shard of a sweep: which runs belong to this process (--shard, or the variables of Slurm and Open MPI), and their
// training one after the other. Main thread, which watches the trainer's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/sweep_plan.h"

namespace sepx::app::cli {

/// The runs whose number modulo `count` is `index`.
struct Shard {
  int index = 0, count = 1;
  bool has(std::size_t run) const { return static_cast<int>(run % static_cast<std::size_t>(count)) == index; }
};
/// Reads "2/8", counted from 0. An empty text: the shard according to SLURM_ARRAY_TASK_ID (with its MIN and COUNT),
/// OMPI_COMM_WORLD_RANK and SIZE, or both of them; without either, all runs. Usage if it is out of range, or for an
/// array job without its count.
Result<Shard> shardOf(const std::string& text);

struct SweepOutcome {
  std::size_t finished = 0, before = 0;        ///< trained now; finished before
  std::vector<sweep::RunStatus> failed, left;  ///< left: another process trains them
};
/// Trains the runs of the shard that are not finished, including those that failed in an earlier call. A run that fails
/// does not stop the others. Interrupted: the current run was saved. OutputFailed: nothing can be written any more.
Result<SweepOutcome> trainShard(Console& console, const sweep::SweepFolder& folder, const sweep::Sweep& sweep,
                                Shard shard, int threads);

/// Starts `workers` processes of this program on this machine, with one shard each, and waits until all have ended.
/// Returns how many failed. Usage if there would be more shards than allowed.
Result<int> runWorkers(const std::vector<std::string>& arguments, Shard shard, int workers, int threads);

}  // namespace sepx::app::cli
