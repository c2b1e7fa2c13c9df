// SPDX-License-Identifier: Apache-2.0
// An experiment that is ready to play: which configs are trained side by side, what is looked at first, and what a
// person should know of it. And what an exhibit says of its races: one constant an exhibit. Plain data; any thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_config.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// What a card draws; a sketch, no data.
enum class ExperimentSketch { Objectives, Starts, Constraints, Linear, Entropies, RankOne, Patches, Own };

struct Experiment {
  const char* key;    ///< of `KEY.experiment`
  const char* title;  ///< N_()
  const char* about;  ///< N_(), one sentence: what is seen
  const char* text;   ///< N_(): what is claimed, under which settings, and what our own data show
  ExperimentSketch sketch = ExperimentSketch::Own;
  std::vector<const char*> configs;  ///< files of assets/configs without ".json", a run each
  std::vector<const char*> names;    ///< N_(), of the runs: in legends; empty: as their configs call them
  std::vector<const char*> metrics;  ///< words of the charts that are shown at first
  bool speedUp = false;  ///< the first run is compared with the second in the manner of Attention-Structure, Table 1
  std::vector<const char*> shipped{};  ///< folders of assets/runs, a run each; empty: none of its own ship
};

/// The runs that show an experiment before anything was trained: folders that ship, opened read-only.
using ShippedRuns = std::vector<std::string>;

struct RaceKind {
  std::string exhibit;  ///< its key: "training"
  std::span<const Experiment> experiments;
  std::string page;          ///< where runs that start are looked at, unless the page in sight watches: "curves"
  std::size_t mostRuns = 4;  ///< of a race
  bool matrices = true;      ///< W_qk by layer and head: the parameters of pages that show it are declared
  const char* own = "";      ///< key of the experiment of runs that a person opened or configured; "": none
  const char* noRuns = "";   ///< N_(): what to do where no run is open
  /// The configs of an experiment as a document has chosen them, `assets`: folder of what ships; empty: those that the
  /// experiment names, as they are.
  std::function<Result<std::vector<train::RunConfig>>(const Experiment&, const Document&, const std::string& assets)>
      configs{};
  /// The folders of what is shown where a document names no run; empty: nothing.
  std::function<ShippedRuns(const Experiment&, const Document&, const std::string& assets)> shipped{};
  /// Whether they are shown only where the document says so (KEY.shipped).
  bool shipsWhenAsked = false;

  /// "training." and `name`.
  std::string key(std::string_view name) const { return exhibit + "." + std::string(name); }
  /// The one of that key; the first where there is none.
  const Experiment& experiment(std::string_view named) const;
};

/// Of the files that an experiment names. BadInput as readRunConfig().
Result<std::vector<train::RunConfig>> namedConfigs(const Experiment& experiment, const std::string& assets);

}  // namespace sepx::ui
