// SPDX-License-Identifier: Apache-2.0
// The settings of a race in the document, as typed values. They are read once per revision and never written here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"
#include "ui/race/experiment.h"

namespace sepx::ui {

/// Charts of numbers over steps, in the order in which they are laid out. The first is the large one.
enum class RaceMetric { Loss, Symmetry, Directionality, RowColumnCv, Gradient, Rate, Constraint, SigmaRatio, Accuracy };
inline constexpr std::size_t kRaceMetrics = 9;
/// "loss", "symmetry", ...: as in keys and in the run store.
const char* wordOf(RaceMetric metric);

/// How the colours of the matrices are scaled.
enum class RaceScale {
  Own,     ///< each pane by its own entries; changes with the step
  Shared,  ///< all panes by the largest of them; changes with the step
  Fixed    ///< by `colorLimit`
};
enum class LayersShown { Both, Lines, Quartiles };  // in the order of the options of the parameter

struct RaceState {
  std::string experiment;
  std::vector<std::string> folders;  ///< of the runs, absolute
  std::int64_t step = -1;            ///< of the slider; -1: the live end
  int layer = 0, head = -1;          ///< -1: the sum over the heads
  bool metrics[kRaceMetrics] = {true, true, true, true, false, false, false, false, false};
  bool validation = true, bounds = true, raw = true;
  double smooth = 20;  ///< steps over which a curve is smoothed; 0: not smoothed
  bool logX = false, logY = false;
  RaceScale scale = RaceScale::Own;
  double colorLimit = 1;
  LayersShown layers = LayersShown::Both;
  bool averaged = false;  ///< metrics are those of averaged parameters, in exhibits that offer the choice
  double rate = 1;        ///< factor of the learning rate of the schedule
  int run = -1;           ///< run that commands about single runs apply to; -1: all, or the first
  int compareRun = 1;
  std::int64_t compareStep = 0;
  std::int64_t stepsPerFrame = 8;

  bool shows(RaceMetric metric) const { return metrics[static_cast<std::size_t>(metric)]; }
};

RaceState readRaceState(const RaceKind& kind, const Document& document, const PropertyRegistry& registry);

/// The document with these runs as its race, at the live end.
Document withRuns(const RaceKind& kind, const Document& document, const std::vector<std::string>& folders);

}  // namespace sepx::ui
