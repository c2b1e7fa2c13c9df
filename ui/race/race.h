// SPDX-License-Identifier: Apache-2.0
// What runs of a race have in common and where they come from: the origin of a branch, the saved step nearest to the
// slider, which of the runs a command is about, what a branch or a comparison is made of. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/race/race_page.h"

namespace sepx::ui {

/// Where a branch came from.
struct RunOrigin {
  std::string folder;  ///< of its parent, absolute
  std::int64_t step = 0;
};
/// Nothing for a run that began from its own initial weights.
std::optional<RunOrigin> originOf(const Run& run);
/// "Branch of small-encoder from step 500."; empty for a run that is none.
std::string originWords(const RaceShared& shared, const Run& run);
/// How a run begins when it is trained once more: a branch where its parent stood. Its config is there. Lists a folder.
RunStart startOf(const Run& run);

/// The saved step nearest to `step`, of two the earlier one; nothing where none is saved.
std::optional<std::int64_t> nearestSaved(const Run& run, std::int64_t step);

/// The run that a command is about (training.run): the first where all are chosen. Null: the race has no such run, or
/// it is not read.
const Run* chosenRun(const RaceShared& shared);
/// The run that it is compared with (training.compare.run), null where it is the same.
const Run* otherRun(const RaceShared& shared);
/// The run of this folder; null: it is not in the race.
const RacingRun* racingRun(const RaceShared& shared, const std::string& folder);

/// What runs share of what chance decides. Runs without a config are passed over.
struct SharedChance {
  bool seed = true;  ///< initial weights, masks and dropout
  bool data = true;  ///< which sequences come, in which order, so many a step
  std::string
      sentence;  ///< "All runs have seed 0 and the same sequences in the same order."; empty: fewer than two runs
};
SharedChance sharedChance(const std::vector<const train::RunConfig*>& configs);
SharedChance sharedChance(const RaceShared& shared);

/// The config of a run for the editor, under a name of its own: a branch from `step`, or a copy (nothing).
train::RunConfig editableConfig(const Run& run, std::optional<std::int64_t> step);
/// `name`, or with a number behind it where a run of the race is called so.
std::string freeName(const RaceShared& shared, const std::string& name);

/// Two saved steps that the exhibit Weights lays side by side.
struct Comparison {
  const Run *a = nullptr, *b = nullptr;
  std::int64_t stepA = 0, stepB = 0;  ///< saved ones
};
/// Of the chosen and the other run at the slider; of the chosen run at the slider and at training.compare.step. Usage
/// with a sentence: no such run, nothing saved, both the same checkpoint, models whose W_qk have another shape.
Result<Comparison> comparedRuns(const RaceShared& shared);
Result<Comparison> comparedSteps(const RaceShared& shared);
/// "A: small-encoder at its saved step 500. B: …": with the step of the slider where it is another one.
std::string comparisonWords(const RaceShared& shared, const Comparison& compared);
/// A document that shows the page Compare of the exhibit Weights with both, at the layer and head of this exhibit.
Document withComparison(const Document& document, const RaceShared& shared, const Comparison& compared);

}  // namespace sepx::ui
