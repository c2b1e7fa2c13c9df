// SPDX-License-Identifier: Apache-2.0
// The inside of Runs: one entry a run, and how reports of trainers and of the reading thread are taken over. Frame
// thread. Internal to ui/runs.
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
    bool again = false;                       ///< a resume: what is stored is read once the trainer has cut it
    bool begun = false;                       ///< the trainer has left Preparing
    bool ending = false;                      ///< the trainer was handed to the service
    bool stopAsked = false;
    bool marked = true;                     ///< while it trains here
    bool offered = false;                   ///< it was interrupted, and may be resumed
    std::optional<std::int64_t> resumeTo;   ///< resume once the old trainer is gone; 0: to the end that it has
    std::uint64_t nextMetric = 0;           ///< of the trainer: the first that is not in the series
    std::uint64_t reading = 0;              ///< the request that brings what was missed; 0: none
    std::int64_t lastStep = kFromTheStart;  ///< of the series
    std::int64_t savedSeen = -1, storedSeen = -1;
    std::int64_t firstStored = -1;                        ///< where a new run begins
    std::unordered_map<std::uint64_t, RunSeries*> index;  ///< by name, layer and head of a Metric
    std::uint64_t trainerNumber = 0;                      ///< of the trainer that began here last, from 1
    std::shared_ptr<const train::Snapshot> handed;        ///< by live(); null: the trainer has reported since
    LiveRun followed;                                     ///< of follow(); `now` is null where it is not followed
    std::optional<std::chrono::steady_clock::time_point> unusedSince;  ///< nobody holds it and nothing trains it
    bool dropped = false;                                              ///< its numbers, until somebody opens it again

    /// Somebody says what its trainer does: what its folder says of that is older.
    bool reported() const { return trainer || followed.now; }
    /// The service alone holds it, nothing trains it, and nothing of it is on its way.
    bool isUnused() const;
  };

  explicit Impl(RunsOptions given);
  ~Impl();

  // runs.cpp: what is asked for.
  Result<std::string> newFolder(const std::string& name);
  Result<RunPointer> begin(train::RunConfig config, const Run* parent, std::int64_t step, bool paused);
  Result<void> beginAgain(Entry& entry, std::int64_t steps);
  train::TrainerOptions trainerOptions(const std::string& folder) const;
  Result<std::string> folderOfNewRuns();
  bool passes(const std::string& folder) const;
  Result<void> checkBegin(const train::RunConfig& config) const;
  Result<void> checkAgain(const Run& run) const;
  void confine(Run& run) const;
  bool notesUse(const std::string& folder) const;
  Entry* entryOf(const std::string& folder);
  Entry& add(const std::string& folder);
  /// `used`: a person asked for it.
  Entry& open(const std::string& folder, bool used);
  /// All that its folder says, and whatever others write there from now on.
  void read(Entry& entry, bool used);
  std::uint64_t ask(RunRequest request);

  // runs_kept.cpp: what outlives this program.
  void openMarked();
  void mark(const std::string& folder);
  void unmark(const std::string& folder);

  // runs_unused.cpp: numbers of runs that nobody holds.
  void dropUnused();
  void drop(Entry& entry);

  // runs_impl.cpp: what comes back.
  void askToWatch();
  void stepAll();
  void takeTrainer(Entry& entry);
  void takeNumbers(Entry& entry, const train::Snapshot& now);
  void markWhileItTrains(Entry& entry);
  void takeMetrics(Entry& entry, const train::Snapshot& now);
  void append(Entry& entry, const train::Metric& metric);
  void takeReports();
  void take(RunReport report);
  void takeStored(Entry& entry, const train::Snapshot& now);
  void takeRecord(Entry& entry, RunReport& report);
  void takeSeries(Entry& entry, RunReport& report);
  void takeEnd(Entry& entry);

  // What goes to another window, and comes from one.
  void takeFollowed(Entry& entry, const LiveRun& live);
  void endFollowing(Entry& entry);
  std::uint64_t askAfter(const Entry& entry, std::int64_t step, bool record);
  void takeTrainerGone(Entry& entry, const RunReport& report);
  void changed(Run& run) { run.revision_ = ++revision; }

  RunsOptions options;
  std::string scratch;             ///< the temporary folder, once there is one
  bool scratchGoes = false;        ///< it is being removed
  bool passing = false;            ///< new runs are made in it
  std::string confinedFolder;      ///< of the lesson that acts on the window; empty: none
  std::vector<std::string> reach;  ///< of its runs and of what it begins
  std::shared_ptr<train::TrainerBudget> budget;
  bool paced = false;
  std::string watched, watchWanted;  ///< folders of runs; empty: none
  std::int64_t stepsPerFrame = 8;
  std::uint64_t revision = 0, trainers = 0;
  std::vector<std::string> inSight;  ///< folders of the runs in sight, of this frame
  int awaited = 0;                   ///< reports that were asked for
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<RunPointer> all;
  std::unordered_map<std::int32_t, std::string> names;  ///< of metrics, so that a frame takes no lock for them
  RunService service;
};

}  // namespace sepx::ui
