// SPDX-License-Identifier: Apache-2.0
// What a viewer shows of a sweep's folder while programs write into it: a row for each run of the plan, with its state
// and the summary that the library has of it. Nothing is written and no lock is taken, so that a folder can be read
// while shards train. Any thread.
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

struct SweepRow {  ///< one run, with what it measured
  RunProgress progress = RunProgress::Waiting;
  std::int64_t step = 0, steps = 0;
  std::string sentence;  ///< why the run failed, which program trains it, or what is wrong with its folder
  /// What the library knows of it; null: it has not begun.
  std::shared_ptr<const train::RunSummary> run;
  /// Its folder has another config than the plan says: its metrics are not those of the sweep.
  bool foreign = false;
  bool operator==(const SweepRow&) const = default;
};

struct SweepReading {
  std::string folder, planText;
  std::shared_ptr<const Sweep> plan;  ///< never null
  std::vector<SweepRow> rows;         ///< in the order of plan->runs
  std::array<std::size_t, kProgresses> counts{};
  std::vector<std::string> metrics;  ///< that a run has: "loss", "validation", then the others by name
  std::vector<std::string> strays;   ///< folders in runs/ that are no runs of the plan

  std::size_t count(RunProgress progress) const { return counts[static_cast<std::size_t>(progress)]; }
  /// The value of a swept field in a row.
  train::RunValue value(std::size_t row, std::size_t field) const;
  /// Whether a chart may use the metrics of a row: it has finished, and its folder is the plan's.
  bool complete(std::size_t row) const {
    return rows[row].progress == RunProgress::Finished && rows[row].run && !rows[row].foreign;
  }
};

/// Whether the folder holds the plan of a sweep, readable or not.
bool isSweepFolder(const std::string& folder);

/// `runs`: the library of the folder, read at most a moment ago. `before`: the last reading, whose plan is not parsed
/// again where its text is the same. BadInput with one sentence: no plan is there, or it was edited by hand and cannot
/// be read.
Result<SweepReading> readSweep(const std::string& folder, const train::RunList& runs,
                               const std::shared_ptr<const SweepReading>& before = nullptr);

}  // namespace sepx::sweep
