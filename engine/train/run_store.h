// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind: run.sqlite (WAL) with config, build, seed, metrics and events, config.json, and the folder
// of checkpoints. A writer holds the run's lock (a second one is refused with a sentence); readers need none and open
// folders that cannot be written with immutable=1. Metrics of a step are committed before they are reported; a resume
// cuts what lies after the checkpoint it starts from. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/snapshot.h"

namespace sepx::train {

/// Names of Metric::name. A name keeps its number within a run file; files carry the names.
std::int32_t metricId(std::string_view name);
std::string_view metricName(std::int32_t id);

struct RunRecord {
  std::string name, note, config;  ///< config: the JSON text as in config.json
  std::string build;               ///< version, CPU level
  std::uint64_t seed = 0;
  std::string parent;   ///< of a branch: "folder@step"
  std::string created;  ///< ISO 8601, UTC
  RunState state = RunState::Preparing;
  std::string sentence;  ///< why it stopped
  std::int64_t step = 0, steps = 0;
};

struct Series {
  std::string name;
  int layer = -1, head = -1;
  std::vector<std::int64_t> steps;
  std::vector<double> values;
};

class RunWriter {
 public:
  /// Makes the folder and its database. Usage when a run is there already (remedy: --resume), OutputFailed otherwise.
  static Result<std::unique_ptr<RunWriter>> create(const std::string& folder, const RunRecord& record);
  /// Opens what is there and cuts metrics after `step`.
  static Result<std::unique_ptr<RunWriter>> resume(const std::string& folder, std::int64_t step);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// One transaction. After it returned, a kill loses none of them.
  Result<void> append(std::int64_t step, std::span<const Metric> metrics);
  Result<void> event(std::int64_t step, std::string_view kind, std::string_view text);  ///< rate changed, paused, ...
  Result<void> state(RunState state, std::int64_t step, std::string_view sentence);
  Result<void> steps(std::int64_t steps);  ///< the end moved

 private:
  struct Impl;
  explicit RunWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class RunReader {
 public:
  /// BadInput: no run, a newer version, a damaged database (names what can still be read: the checkpoints).
  static Result<std::unique_ptr<RunReader>> open(const std::string& folder);
  ~RunReader();
  Result<RunRecord> record() const;
  Result<std::vector<Series>> series(std::string_view name = {}) const;  ///< empty: all
  /// Whole checkpoints in the order of their steps: "checkpoints/step-0001240".
  std::vector<std::int64_t> checkpoints() const;
  std::string checkpointFolder(std::int64_t step) const;

 private:
  struct Impl;
  explicit RunReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Folders below `folder` that are runs (not deeper than three), sorted.
std::vector<std::string> findRuns(const std::string& folder);
/// $XDG_DATA_HOME/separatrix/runs
std::string defaultRunsFolder();

}  // namespace sepx::train
