// SPDX-License-Identifier: Apache-2.0
// Functions about single runs of a race: the origin of a branch, the saved step nearest to the slider, the run that a
// command applies to, the seed and data that runs share, and the checkpoints that are compared. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/race/race_page.h"

namespace sepx::ui {

/// The run and step that a branch started from.
struct RunOrigin {
  std::string folder;  ///< folder of the parent run, absolute
  std::int64_t step = 0;
};
/// Empty for a run that began from its own initial weights.
std::optional<RunOrigin> originOf(const Run& run);
/// "Branch of small-encoder from step 500."; empty for a run that is not a branch.
std::string originWords(const RaceShared& shared, const Run& run);
/// How a run starts when it is trained again: a branch starts from the same saved step of its parent. The config of the
/// run must be known. Lists the folder of the parent.
RunStart startOf(const Run& run);

/// The saved step nearest to `step`, the earlier one of two that are equally near. Empty if none is saved.
std::optional<std::int64_t> nearestSaved(const Run& run, std::int64_t step);

/// The run that a command applies to (training.run), the first run if all are selected. Null if the race has no such
/// run or it is not open.
const Run* chosenRun(const RaceShared& shared);
/// The run that it is compared with (training.compare.run). If that is the chosen run itself, the first of the others.
/// Null if the race has no such run or it is not open.
const Run* otherRun(const RaceShared& shared);
/// The run of this folder; null: it is not in the race.
const RacingRun* racingRun(const RaceShared& shared, const std::string& folder);

/// Whether runs have the same seed and the same data order. Runs without a config are skipped.
struct SharedRandomness {
  bool seed = true;      ///< initial weights, masks and dropout
  bool data = true;      ///< the same sequences in the same order, and the same number per step
  std::string sentence;  ///< "The seed is 0 in all runs. …"; empty: fewer than two runs
};
SharedRandomness sharedRandomness(const std::vector<const train::RunConfig*>& configs);
SharedRandomness sharedRandomness(const RaceShared& shared);

/// The config of a run for the editor, with a new name: for a branch from `step`, or for a copy if `step` is empty.
train::RunConfig editableConfig(const Run& run, std::optional<std::int64_t> step);
/// `name`, with a number appended if a run of the race already has this name.
std::string uniqueName(const RaceShared& shared, const std::string& name);

/// Two saved steps that the exhibit Weights shows side by side.
struct Comparison {
  const Run *a = nullptr, *b = nullptr;
  std::int64_t stepA = 0, stepB = 0;  ///< saved steps
};
/// comparedRuns(): the chosen and the other run at the slider. comparedSteps(): the chosen run at the slider and at
/// training.compare.step. Usage error if there is no such run, if nothing is saved, or if both are the same checkpoint.
Result<Comparison> comparedRuns(const RaceShared& shared);
Result<Comparison> comparedSteps(const RaceShared& shared);
/// "A is small-encoder at its saved step 500, B is …", and the step of the slider if no checkpoint is there.
std::string comparisonWords(const RaceShared& shared, const Comparison& compared);
/// The document with the page Compare of the exhibit Weights on both checkpoints, at the layer and head of this
/// exhibit.
Document withComparison(const Document& document, const RaceShared& shared, const Comparison& compared);

}  // namespace sepx::ui
