// SPDX-License-Identifier: Apache-2.0
// The results of a sweep as tables: one row per run with its swept fields and last metrics, and one row per setting
// with the spread over the seeds. Reads the runs' stores; any thread.
#pragma once

#include "engine/core/table.h"
#include "engine/core/thread_pool.h"
#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/sweep_plan.h"

namespace sepx::sweep {

struct SweepTables {  ///< of all runs together
  /// "runs": run, each swept field, seed, state, step, steps, sentence, then the last value of every metric (the median
  /// over the layers for metrics of layers); NaN where a run has none.
  Table runs;
  /// "settings": each swept field but the seed, seeds (finished runs that count), then METRIC.mean and METRIC.deviation
  /// (of the sample, divided by n - 1; NaN for one value).
  Table settings;
};
/// Reads each run's folder.
SweepTables mergedTables(const SweepFolder& folder, const Sweep& sweep, ThreadPool* pool = nullptr);

}  // namespace sepx::sweep
