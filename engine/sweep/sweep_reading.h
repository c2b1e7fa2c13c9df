// SPDX-License-Identifier: Apache-2.0
// Reads a sweep's folder for a viewer, also while programs write to it: one row for each run of the plan, with its
// state and its summary from the library. Nothing is written and no lock is taken, so that a folder can be read while
// shards train. Any thread.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/sweep/sweep_folder.h"
#include "engine/sweep/sweep_plan.h"
#include "engine/train/run_summary.h"

namespace sepx::sweep {

struct SweepRow {  ///< one run, with its metrics
  RunProgress progress = RunProgress::Waiting;
  std::int64_t step = 0, steps = 0;
  std::string sentence;  ///< why the run failed, which program trains it, or what is wrong with its folder
  /// Its summary from the library; null: it has not started.
  std::shared_ptr<const train::RunSummary> run;
  /// The config in its folder differs from the plan, so its metrics are not those of the sweep.
  bool mismatched = false;
  bool operator==(const SweepRow&) const = default;
};

struct SweepReading {
  std::string folder, planText;
  std::shared_ptr<const Sweep> plan;  ///< never null
  std::vector<SweepRow> rows;         ///< in the order of plan->runs
  std::array<std::size_t, kProgresses> counts{};
  std::vector<std::string> metrics;           ///< of all runs: "loss", "validation", then the others by name
  std::vector<std::string> unplannedFolders;  ///< folders in runs/ that are not in the plan

  std::size_t count(RunProgress progress) const { return counts[static_cast<std::size_t>(progress)]; }
  /// The value of a swept field in a row.
  train::RunValue value(std::size_t row, std::size_t field) const;
  /// Whether a chart may use the metrics of a row: the run has finished, and its folder matches the plan.
  bool complete(std::size_t row) const {
    return rows[row].progress == RunProgress::Finished && rows[row].run && !rows[row].mismatched;
  }
};

/// Whether the folder holds the plan of a sweep, readable or not.
bool isSweepFolder(const std::string& folder);

/// `runs`: the library of the folder, read at most a moment ago. `before`: the last reading; its plan is used again if
/// the text is the same. Fails with BadInput and a one-sentence message if there is no plan, or if it was edited by
/// hand and cannot be read.
Result<SweepReading> readSweep(const std::string& folder, const train::RunList& runs,
                               const std::shared_ptr<const SweepReading>& before = nullptr);

}  // namespace sepx::sweep
