// SPDX-License-Identifier: Apache-2.0
// A prepared experiment: the configs that are trained side by side, the charts that are shown at first, and an
// explanation for the user. RaceKind describes the races of one exhibit; each exhibit has one constant of it. Plain
// data; any thread.
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

/// The sketch on the card of an experiment. It does not show data.
enum class ExperimentSketch { Objectives, Starts, Constraints, Linear, Entropies, RankOne, Patches, Own };

struct Experiment {
  const char* key;    ///< value of the parameter `KEY.experiment`
  const char* title;  ///< N_()
  const char* about;  ///< N_(), one sentence: what is seen
  const char* text;   ///< N_(): what is claimed, under which settings, and what our own data show
  ExperimentSketch sketch = ExperimentSketch::Own;
  std::vector<const char*> configs;    ///< files of assets/configs without ".json", one per run
  std::vector<const char*> names;      ///< N_(), names of the runs in legends; empty: the names in their configs
  std::vector<const char*> metrics;    ///< wordOf() of the charts that are shown at first
  bool speedUp = false;                ///< the first run is compared with the second as in Attention-Structure, Table 1
  std::vector<const char*> shipped{};  ///< folders of assets/runs, one per run; empty: the experiment ships none
};

/// Folders of shipped runs, opened read-only. They show an experiment before anything has been trained.
using ShippedRuns = std::vector<std::string>;

struct RaceKind {
  std::string exhibit;  ///< its key: "training"
  std::span<const Experiment> experiments;
  std::string page;          ///< page shown when runs start, unless the current page has RaceTraits::watches: "curves"
  std::size_t mostRuns = 4;  ///< in a race
  bool matrices = true;      ///< the parameters of pages that show W_qk by layer and head are declared
  const char* own = "";      ///< key of the experiment for runs that the user opened or configured; "": none
  const char* noRuns = "";   ///< N_(): what the user can do while no run is open
  /// Returns the configs of an experiment with the choices of the document applied. `assets`: folder of the shipped
  /// files. An empty function: the configs that the experiment names are used unchanged.
  std::function<Result<std::vector<train::RunConfig>>(const Experiment&, const Document&, const std::string& assets)>
      configs{};
  /// Returns the folders of the runs that are shown while the document names no run. An empty function: none.
  std::function<ShippedRuns(const Experiment&, const Document&, const std::string& assets)> shipped{};
  /// Whether shipped runs are shown only if the document says so (KEY.shipped).
  bool shippedOnRequest = false;

  /// "training." followed by `name`.
  std::string key(std::string_view name) const { return exhibit + "." + std::string(name); }
  /// The experiment with this key; the first one if there is none.
  const Experiment& experiment(std::string_view named) const;
};

/// Reads the config files that an experiment names. BadInput as for readRunConfig().
Result<std::vector<train::RunConfig>> namedConfigs(const Experiment& experiment, const std::string& assets);

}  // namespace sepx::ui
