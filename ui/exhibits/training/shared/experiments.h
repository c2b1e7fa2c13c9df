// SPDX-License-Identifier: Apache-2.0
// The experiments that are ready to play: which configs are trained side by side, what is looked at first, and what a
// person should know of them. One table; a new experiment is one row in experiments.cpp. Constant data.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace sepx::ui {

/// What a card draws; a sketch, no data.
enum class ExperimentSketch { Objectives, Starts, Constraints, Linear, Entropies, RankOne, Own };

struct Experiment {
  const char* word;   ///< of `training.experiment`
  const char* title;  ///< N_()
  const char* about;  ///< N_(), one sentence: what is seen
  const char* text;   ///< N_(): what is claimed, under which settings, and what our own data show
  ExperimentSketch sketch = ExperimentSketch::Own;
  std::vector<const char*> configs;  ///< files of assets/configs without ".json", a run each
  std::vector<const char*> names;    ///< N_(), of the runs: in legends
  std::vector<const char*> metrics;  ///< words of the charts that are shown at first
  bool speedUp = false;              ///< the first run is compared with the second in the published way
};

/// In the order of the cards. The last one, "own", has no configs.
std::span<const Experiment> experiments();
/// The one of that word; the first where there is none.
const Experiment& experimentOf(std::string_view word);

}  // namespace sepx::ui
