// SPDX-License-Identifier: Apache-2.0
// Opens, follows, starts, pauses and rewinds the runs of the race that a document names, through the run service of the
// window, and fills in the RaceShared that the pages read. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ui/race/qk_store.h"
#include "ui/race/race_page.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

class RaceStore {
 public:
  RaceStore(const RaceKind& kind, const RaceState& state);
  const RaceShared& shared() const { return shared_; }
  void setReplays(bool replays) { shared_.replays = replays; }
  /// For the exhibit, which sets the callbacks that it provides for its pages.
  RaceShared& filled() { return shared_; }

  /// Opens the runs that the document names and reads what they have reported.
  void update(ExhibitContext& context);
  /// Called after the page was updated: updates the matrices if the page requested them.
  void updateMatrices(ExhibitContext& context);
  bool complete() const;

  /// Trains the configs of an experiment and makes them the race: one undoable step.
  void startExperiment(ExhibitContext& context, const Experiment& experiment);
  void startConfigs(ExhibitContext& context, const std::vector<train::RunConfig>& configs, std::string experiment,
                    bool paused);
  void startRuns(ExhibitContext& context, const std::vector<RunStart>& starts, std::string experiment, bool paused);
  void addRun(ExhibitContext& context, const RunStart& start, AddTo to);
  /// Continues runs that are paused or were stopped. If all runs have ended, trains the race again. Without runs,
  /// trains the chosen experiment.
  void start(ExhibitContext& context);
  void pause(ExhibitContext& context);
  void step(ExhibitContext& context);
  /// Makes the runs that train in this window the race, the newest ones if there are too many.
  void showTraining(ExhibitContext& context);
  /// Starts new, paused runs from the same initial weights; a branch starts from the same saved step of its parent. The
  /// previous runs stay in the library.
  void rewind(ExhibitContext& context);
  bool canRewind() const;

 private:
  void openRuns(ExhibitContext& context);
  /// The document on the page RaceKind::page, or unchanged if its page has RaceTraits::watches.
  Document onPage(Document document) const;
  Result<RunPointer> begin(ExhibitContext& context, const RunStart& start, bool paused) const;
  void measure(ExhibitContext& context);
  void addFoldersToEqualNames();
  void sendRate(ExhibitContext& context, const RacingRun& racing);
  bool send(ExhibitContext& context, const RacingRun& racing, train::CommandKind kind, double number = 0);

  const RaceKind& kind_;
  const RaceState& state_;
  RaceShared shared_;
  std::vector<std::unique_ptr<QkStore>> qkStores_;
  /// What the snapshots of a run were requested to carry.
  struct Watched {
    int layer = -1;
    bool whole = false;
    std::int64_t parameters = 0;
    bool operator==(const Watched&) const = default;
  };
  void watch(ExhibitContext& context, std::size_t run);
  std::vector<Watched> watched_;     ///< by run: last request
  std::vector<double> rates_;        ///< by run: last factor that was sent
  std::vector<std::string> opened_;  ///< folders of shared_.runs
  std::uint64_t seen_ = 0;           ///< sum of the revisions of the runs
  bool qkWanted_ = false, modelWanted_ = false;
};

}  // namespace sepx::ui
