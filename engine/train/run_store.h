// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind: run.sqlite (WAL) with config, build, seed, metrics and events, config.json, and the folder
// of checkpoints. A writer holds the run's lock (a second one is refused with a sentence) and follows no link from one
// of these files to one outside the folder; readers need no lock and open folders that cannot be written with
// immutable=1. Metrics of a step are committed before they are reported; a resume cuts what lies after the checkpoint
// it starts from. One thread at a time.
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

/// Steps of a run, as a config may ask for; what is stored of a run has no more.
inline constexpr std::int64_t kMostRunSteps = 1'000'000'000'000'000;

/// Names of Metric::name. A name keeps its number within a process and within a run file; files carry the names.
std::int32_t metricId(std::string_view name);
std::string_view metricName(std::int32_t id);

/// "preparing", "running", ...: as the store and documents write it; not translated.
std::string_view toString(RunState state);

struct RunRecord {                       ///< what a run is
  std::string name, note, config;        ///< config: the JSON text as in config.json
  std::string build;                     ///< version, CPU level
  std::uint64_t seed = 0;                ///< of the config
  std::string parent;                    ///< of a branch: "folder@step"
  std::string created;                   ///< ISO 8601, UTC; empty at create(): now
  RunState state = RunState::Preparing;  ///< as it was last written, also by a process that was killed
  std::string sentence;                  ///< why it stopped
  std::int64_t step = 0, steps = 0;      ///< the last step that was recorded, and how many were asked for
};

struct Series {                     ///< one metric over steps
  std::string name;                 ///< as Metric has it: "loss", "symmetry"
  int layer = -1, head = -1;        ///< -1: of the whole model; of the whole layer
  std::vector<std::int64_t> steps;  ///< ascending
  std::vector<double> values;       ///< one a step
};

/// Weights of one parameter as they were after a step, row-major.
struct StoredMatrix {
  std::int64_t step = 0;      ///< after which they are
  std::string parameter;      ///< name of the parameter, as in Parameter
  int rows = 0, columns = 0;  ///< of the parameter
  std::vector<float> values;  ///< [rows, columns]
  bool operator==(const StoredMatrix&) const = default;
};

struct RunEvent {          ///< something that happened
  std::int64_t step = 0;   ///< at which it happened
  std::string at;          ///< ISO 8601, UTC
  std::string kind, text;  ///< a word for programs, a sentence for people
};

class RunWriter {  ///< the one who trains; one a run
 public:
  /// Makes the folder, its database and config.json. Usage when a run is there already (remedy: --resume) or when the
  /// folder holds a config.json or checkpoints that are no run's; OutputFailed otherwise.
  static Result<std::unique_ptr<RunWriter>> create(const std::string& folder, const RunRecord& record);
  /// Opens what is there and cuts metrics and events after `step`; a missing config.json is written again.
  static Result<std::unique_ptr<RunWriter>> resume(const std::string& folder, std::int64_t step);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Whether a second writer is refused. Not where the file system has no locks (those of flock()).
  bool locked() const;

  /// One transaction. After it returned, a kill of the program loses none of them (a power cut may, unless sync() was
  /// called since). What it refuses leaves the store as it was.
  Result<void> append(std::int64_t step, std::span<const Metric> metrics, std::span<const StoredMatrix> stored = {});
  Result<void> event(std::int64_t step, std::string_view kind, std::string_view text);  ///< rate changed, paused, ...
  Result<void> state(RunState state, std::int64_t step, std::string_view sentence);
  Result<void> steps(std::int64_t steps);  ///< the end moved
  /// OutputFailed when the folder was removed or moved since it was opened: what is written goes nowhere then.
  Result<void> stillThere() const;
  /// Everything committed so far also survives a power cut. Call before a checkpoint is written: the metrics that lead
  /// to a checkpoint are then on the disk before it is. Milliseconds.
  Result<void> sync();

 private:
  struct Impl;
  explicit RunWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class RunReader {  ///< anybody else; never changes the run
 public:
  /// BadInput: no run, a newer version, a damaged database (names what can still be read: the checkpoints), one with a
  /// journal beside it. Rows are bounded by the size of the file, in what follows too.
  static Result<std::unique_ptr<RunReader>> open(const std::string& folder);
  /// As open(), for a run that nobody writes in now and that has no write-ahead log: no locks and no shared files,
  /// which takes a third of the time. The caller makes sure, also afterwards, that nobody wrote.
  static Result<std::unique_ptr<RunReader>> openAtRest(const std::string& folder);
  ~RunReader();
  RunReader(const RunReader&) = delete;
  RunReader& operator=(const RunReader&) = delete;

  /// Texts are one line without control characters (but `config`, which is as it was written); steps lie from 0 to
  /// kMostRunSteps.
  Result<RunRecord> record() const;
  Result<std::vector<Series>> series(std::string_view name = {}) const;  ///< empty: all
  /// What lies after `step`, found without a look at what lies before.
  Result<std::vector<Series>> seriesAfter(std::int64_t step, std::string_view name = {}) const;
  /// As seriesAfter(), but of whole steps until there are `rows` numbers: for long runs, piece after piece.
  struct Portion {
    std::vector<Series> series;  ///< one a name, layer and head
    std::int64_t last = 0;       ///< step; where the next portion goes on
    bool all = true;             ///< nothing is left
  };
  Result<Portion> portion(std::int64_t after, std::size_t rows) const;
  /// The metrics of these steps alone (ascending, each once), each found by itself.
  Result<std::vector<Series>> seriesAt(std::span<const std::int64_t> steps) const;
  /// The newest value of each series that has one among the last `rows` numbers.
  Result<std::vector<Series>> newest(std::size_t rows) const;
  /// At most `points` values of a metric of the whole model, evenly spaced over the steps from 0 to `last`: a small
  /// picture of it, without a look at the rest.
  Result<Series> sketch(std::string_view name, std::int64_t last, std::size_t points) const;
  /// Steps whose matrices are stored, ascending; their names.
  Result<std::vector<std::int64_t>> storedSteps() const;
  Result<std::vector<std::string>> storedParameters() const;
  /// At a step or the nearest before it; nothing where there is none.
  Result<std::optional<StoredMatrix>> stored(std::int64_t step, std::string_view parameter) const;
  Result<std::vector<RunEvent>> events() const;
  /// Whole checkpoints in the order of their steps: "checkpoints/step-0001240".
  std::vector<std::int64_t> checkpoints() const;
  std::string checkpointFolder(std::int64_t step) const;

 private:
  struct Impl;
  explicit RunReader(std::unique_ptr<Impl> impl);
  static Result<std::unique_ptr<RunReader>> make(const std::string& folder, bool atRest);
  std::unique_ptr<Impl> impl_;
};

/// Without the database, so also where that is damaged.
std::vector<std::int64_t> savedSteps(const std::string& folder);
std::string checkpointFolder(const std::string& folder, std::int64_t step);
/// Whether a program trains in it now. A run whose record says running and that is not alive was killed.
bool runIsAlive(const std::string& folder);

/// Folders below `folder` that are runs (not deeper than three), sorted; `folder` itself when it is one. `unreadable`:
/// where not null, those whose owner lets nobody look, sorted.
std::vector<std::string> findRuns(const std::string& folder, std::vector<std::string>* unreadable = nullptr);
/// $XDG_DATA_HOME/separatrix/runs
std::string defaultRunsFolder();

}  // namespace sepx::train
