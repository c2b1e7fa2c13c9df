// SPDX-License-Identifier: Apache-2.0
// The implementation of Runs: one entry per run, and the functions that take over the reports of trainers and of the
// reading thread. Frame thread. Internal to ui/runs.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/train/trainer_budget.h"
#include "ui/runs/run_service.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

struct Runs::Impl {
  struct Entry {
    std::shared_ptr<Run> run;
    std::unique_ptr<train::Trainer> trainer;  ///< null: it does not train here
    bool again = false;                       ///< resumed: stored values are read once the trainer has truncated them
    bool begun = false;                       ///< the trainer has left Preparing
    bool ending = false;                      ///< the trainer was handed to the service
    bool stopRequested = false;
    bool marked = true;                    ///< has a mark while it trains here
    bool offered = false;                  ///< it was interrupted, and may be resumed
    std::optional<std::int64_t> resumeTo;  ///< resume with this last step once the old trainer is gone; 0: with its own
    std::uint64_t nextMetric = 0;          ///< first metric of the trainer that is not in the series
    std::uint64_t reading = 0;             ///< the request for missed values; 0: none
    std::int64_t lastStep = kFromTheStart;  ///< last step of the series
    std::int64_t savedSeen = -1, storedSeen = -1;
    std::int64_t firstStored = -1;                        ///< the step at which a new run begins; -1: not new
    std::unordered_map<std::uint64_t, RunSeries*> index;  ///< series by name, layer and head of a Metric
    std::uint64_t trainerNumber = 0;                      ///< of the trainer that started here last, from 1
    std::shared_ptr<const train::Snapshot> handed;        ///< returned by live(); null: the trainer has reported since
    LiveRun followed;                                     ///< from follow(); `now` is null if it is not followed
    std::optional<std::chrono::steady_clock::time_point> unusedSince;  ///< nobody holds it and nothing trains it
    bool dropped = false;                                              ///< its numbers, until it is opened again

    /// Whether reports of its trainer arrive. They are newer than the state in its folder.
    bool reported() const { return trainer || followed.now; }
    /// Only Runs holds it, nothing trains it, and no request for it is pending.
    bool isUnused() const;
  };

  explicit Impl(RunsOptions given);
  ~Impl();

  // runs.cpp: requests.
  Result<std::string> newFolder(const std::string& name);
  Result<RunPointer> begin(train::RunConfig config, const Run* parent, std::int64_t step, bool paused);
  Result<void> beginAgain(Entry& entry, std::int64_t steps);
  train::TrainerOptions trainerOptions(const std::string& folder) const;
  Result<std::string> folderOfNewRuns();
  bool isLessonRun(const std::string& folder) const;
  Result<void> checkBegin(const train::RunConfig& config) const;
  Result<void> checkAgain(const Run& run) const;
  void restrictData(Run& run) const;
  bool notesUse(const std::string& folder) const;
  Entry* entryOf(const std::string& folder);
  Entry& add(const std::string& folder);
  /// `used`: the user asked for it.
  Entry& open(const std::string& folder, bool used);
  /// Requests all contents of its folder, and from now on the changes by other programs.
  void read(Entry& entry, bool used);
  std::uint64_t ask(RunRequest request);

  // runs_kept.cpp: what outlives this program.
  void openMarked();
  void mark(const std::string& folder);
  void unmark(const std::string& folder);

  // runs_unused.cpp: numbers of runs that nobody holds.
  void dropUnused();
  void drop(Entry& entry);

  // runs_impl.cpp: reports.
  void requestWatch();
  void stepAll();
  void takeTrainer(Entry& entry);
  void takeNumbers(Entry& entry, const train::Snapshot& now);
  void updateMark(Entry& entry);
  void takeMetrics(Entry& entry, const train::Snapshot& now);
  void append(Entry& entry, const train::Metric& metric);
  void takeReports();
  void take(RunReport report);
  void takeStored(Entry& entry, const train::Snapshot& now);
  void takeRecord(Entry& entry, RunReport& report);
  void takeSeries(Entry& entry, RunReport& report);
  void takeEnd(Entry& entry);

  // Reports to and from another window.
  void takeFollowed(Entry& entry, const LiveRun& live);
  void endFollowing(Entry& entry);
  std::uint64_t requestMetricsAfter(const Entry& entry, std::int64_t step, bool record);
  void takeTrainerEnded(Entry& entry, const RunReport& report);
  void changed(Run& run) { run.revision_ = ++revision; }

  RunsOptions options;
  std::string scratch;                   ///< the temporary folder, once there is one
  bool removingScratch = false;          ///< it is being removed
  bool lessonRuns = false;               ///< new runs are created in the temporary folder
  std::string restrictedFolder;          ///< of the lesson that controls the window; empty: none
  std::vector<std::string> dataFolders;  ///< data folders of its runs and of the runs that it starts
  std::shared_ptr<train::TrainerBudget> budget;
  bool paced = false;
  std::string watched, watchWanted;  ///< folders of runs; empty: none
  std::int64_t stepsPerFrame = 8;
  std::uint64_t revision = 0, trainers = 0;
  std::vector<std::string> inSight;  ///< folders of the runs that are shown in this frame
  int awaited = 0;                   ///< number of pending requests
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<RunPointer> all;
  std::unordered_map<std::int32_t, std::string> names;  ///< of metrics by number, so that a frame takes no lock
  RunService service;
};

}  // namespace sepx::ui
