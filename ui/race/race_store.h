// SPDX-License-Identifier: Apache-2.0
// The runs of the race that a document names, as the pages read them: opened through the window's service of runs,
// followed, started, paused and rewound there. Frame thread.
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
  /// For the exhibit, which fills in what it does for its pages.
  RaceShared& filled() { return shared_; }

  /// Opens what the document names, looks at what has arrived.
  void update(ExhibitContext& context);
  /// After the page: matrices, where it asked for them.
  void updateMatrices(ExhibitContext& context);
  bool complete() const;

  /// Trains the configs of an experiment and makes them the race: one undoable step.
  void startExperiment(ExhibitContext& context, const Experiment& experiment);
  void startConfigs(ExhibitContext& context, const std::vector<train::RunConfig>& configs, std::string experiment,
                    bool paused);
  void startRuns(ExhibitContext& context, const std::vector<RunStart>& starts, std::string experiment, bool paused);
  void addRun(ExhibitContext& context, const RunStart& start, AddTo to);
  /// Continues what is paused or was stopped; trains the race again where all has ended; the chosen experiment where
  /// there is none.
  void start(ExhibitContext& context);
  void pause(ExhibitContext& context);
  void step(ExhibitContext& context);
  /// Those that train in this window, the newest of many, become the race.
  void showTraining(ExhibitContext& context);
  /// New runs from the same initial weights, a branch from the same saved step of its parent, paused. Those of before
  /// stay in the library.
  void rewind(ExhibitContext& context);
  bool canRewind() const;

 private:
  void openRuns(ExhibitContext& context);
  /// On the page on which runs are looked at, unless the page in sight watches them.
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
  /// What a run is asked to show.
  struct Watched {
    int layer = -1;
    bool whole = false;
    std::int64_t parameters = 0;
    bool operator==(const Watched&) const = default;
  };
  void watch(ExhibitContext& context, std::size_t run);
  std::vector<Watched> watched_;     ///< by run: asked for last
  std::vector<double> rates_;        ///< by run: factor sent last
  std::vector<std::string> opened_;  ///< folders of shared_.runs
  std::uint64_t seen_ = 0;           ///< sum of the revisions of the runs
  bool qkWanted_ = false, modelWanted_ = false;
};

}  // namespace sepx::ui
