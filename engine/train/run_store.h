// SPDX-License-Identifier: Apache-2.0
// The files of a run: run.sqlite (WAL) with config, build, seed, metrics and events, config.json, and the folder of
// checkpoints. A writer holds the run's lock (a second writer gets an error) and does not follow links from these files
// to files outside the folder. Readers need no lock; in a folder that cannot be written they open the database with
// immutable=1. Metrics of a step are committed before they are reported. A resume deletes what was recorded after the
// checkpoint from which it starts. One thread at a time.
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

/// Maximum number of steps of a run, in a config and in the store.
inline constexpr std::int64_t kMostRunSteps = 1'000'000'000'000'000;

/// Convert between the name of a metric and the number in Metric::name. A name has a fixed number within a process and
/// another one within a run file; files contain the names.
std::int32_t metricId(std::string_view name);
std::string_view metricName(std::int32_t id);

/// "preparing", "running", ...: the word in the store and in documents; not translated.
std::string_view toString(RunState state);

struct RunRecord {                       ///< describes a run
  std::string name, note, config;        ///< config: the JSON text as in config.json
  std::string build;                     ///< version, CPU level
  std::uint64_t seed = 0;                ///< of the config
  std::string parent;                    ///< of a branch: "folder@step"
  std::string created;                   ///< ISO 8601, UTC; if empty, create() takes the current time
  RunState state = RunState::Preparing;  ///< as last written, possibly by a process that was killed
  std::string sentence;                  ///< why it stopped
  std::int64_t step = 0, steps = 0;      ///< the last recorded step, and the number of steps requested
};

struct Series {                     ///< one metric over steps
  std::string name;                 ///< as in Metric: "loss", "symmetry"
  int layer = -1, head = -1;        ///< -1: of the whole model; of the whole layer
  std::vector<std::int64_t> steps;  ///< ascending
  std::vector<double> values;       ///< one per step
};

/// Weights of one parameter as they were after a step, row-major.
struct StoredMatrix {
  std::int64_t step = 0;      ///< after which they were stored
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

class RunWriter {  ///< for the program that trains; one per run
 public:
  /// Creates the folder, its database and config.json. Fails with Usage if the folder holds a run already (remedy:
  /// --resume), holds a config.json or checkpoints without a run, or is inside a run; otherwise with OutputFailed.
  static Result<std::unique_ptr<RunWriter>> create(const std::string& folder, const RunRecord& record);
  /// Opens an existing run and deletes metrics and events after `step`. A missing config.json is written again.
  static Result<std::unique_ptr<RunWriter>> resume(const std::string& folder, std::int64_t step);
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Whether a second writer is refused. False if the file system does not support flock().
  bool locked() const;

  /// One transaction. Once it has returned, killing the program loses none of them (a power cut may, unless sync() was
  /// called since). If it fails, the store is unchanged.
  Result<void> append(std::int64_t step, std::span<const Metric> metrics, std::span<const StoredMatrix> stored = {});
  Result<void> event(std::int64_t step, std::string_view kind, std::string_view text);  ///< rate changed, paused, ...
  Result<void> state(RunState state, std::int64_t step, std::string_view sentence);
  Result<void> steps(std::int64_t steps);  ///< sets the last step
  /// Fails with OutputFailed if the folder was removed or moved since it was opened: what is written is then lost.
  Result<void> checkFolderExists() const;
  /// Makes everything committed so far survive a power cut. Call it before a checkpoint is written, so that the metrics
  /// up to the checkpoint reach the disk before it does. Takes milliseconds.
  Result<void> sync();

 private:
  struct Impl;
  explicit RunWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class RunReader {  ///< for all other programs; never changes the run
 public:
  /// Fails with BadInput for a missing run, a newer version, a damaged database (the message names what can still be
  /// read: the checkpoints), or a journal next to it. Here and in what follows the number of rows is limited by the
  /// size of the file.
  static Result<std::unique_ptr<RunReader>> open(const std::string& folder);
  /// Like open(), for a run without a writer and without a write-ahead log: uses no locks and no shared files, which
  /// takes a third of the time. The caller must check, also afterwards, that nobody wrote.
  static Result<std::unique_ptr<RunReader>> openWithoutLocks(const std::string& folder);
  ~RunReader();
  RunReader(const RunReader&) = delete;
  RunReader& operator=(const RunReader&) = delete;

  /// Texts are one line without control characters, except `config`, which is unchanged. Steps are from 0 to
  /// kMostRunSteps.
  Result<RunRecord> record() const;
  Result<std::vector<Series>> series(std::string_view name = {}) const;  ///< empty: all
  /// The values after `step`, found without reading those before it.
  Result<std::vector<Series>> seriesAfter(std::int64_t step, std::string_view name = {}) const;
  /// Like seriesAfter(), but ends after the step at which there are `rows` numbers. For reading long runs in portions.
  struct Portion {
    std::vector<Series> series;  ///< one per name, layer and head
    std::int64_t last = 0;       ///< the last step read; the next portion continues from it
    bool all = true;             ///< there are no more values
  };
  Result<Portion> portion(std::int64_t after, std::size_t rows) const;
  /// The metrics of these steps only (ascending, without duplicates), each step found by the index.
  Result<std::vector<Series>> seriesAt(std::span<const std::int64_t> steps) const;
  /// The newest value of each series that has one among the last `rows` numbers.
  Result<std::vector<Series>> newest(std::size_t rows) const;
  /// At most `points` values of a metric of the whole model, evenly spaced over the steps from 0 to `last`: a sketch of
  /// the curve, without reading the rest.
  Result<Series> sketch(std::string_view name, std::int64_t last, std::size_t points) const;
  /// Steps with stored matrices, ascending; names of the stored parameters.
  Result<std::vector<std::int64_t>> storedSteps() const;
  Result<std::vector<std::string>> storedParameters() const;
  /// The matrix at `step` or at the nearest step before it; empty if there is none.
  Result<std::optional<StoredMatrix>> stored(std::int64_t step, std::string_view parameter) const;
  Result<std::vector<RunEvent>> events() const;
  /// Steps of the complete checkpoints ("checkpoints/step-0001240"), ascending.
  std::vector<std::int64_t> checkpoints() const;
  std::string checkpointFolder(std::int64_t step) const;

 private:
  struct Impl;
  explicit RunReader(std::unique_ptr<Impl> impl);
  static Result<std::unique_ptr<RunReader>> make(const std::string& folder, bool atRest);
  std::unique_ptr<Impl> impl_;
};

/// Steps of the complete checkpoints, and the folder of one. Neither needs the database, so both work if that is
/// damaged.
std::vector<std::int64_t> savedSteps(const std::string& folder);
std::string checkpointFolder(const std::string& folder, std::int64_t step);
/// Whether a program trains the run now. A run that is not alive although its record says running was killed.
bool runIsAlive(const std::string& folder);

/// Folders below `folder` that are runs (at most three levels deep), sorted; `folder` itself if it is one. `unreadable`
/// (may be null) receives the folders that may not be read, sorted.
std::vector<std::string> findRuns(const std::string& folder, std::vector<std::string>* unreadable = nullptr);
/// $XDG_DATA_HOME/separatrix/runs
std::string defaultRunsFolder();

}  // namespace sepx::train
