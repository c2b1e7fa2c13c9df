// SPDX-License-Identifier: Apache-2.0
// See race.h.
#include "ui/race/race.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/train/config_fields.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace fs = std::filesystem;

namespace sepx::ui {

namespace {

const Run* runAt(const RaceShared& shared, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < shared.runs.size()
             ? shared.runs[static_cast<std::size_t>(index)].run.get()
             : nullptr;
}

int chosenIndex(const RaceShared& shared) {
  return std::max(0, shared.state.run);
}

std::string nameOf(const RaceShared& shared, const Run& run) {
  const RacingRun* const racing = racingRun(shared, run.folder());
  return racing ? racing->name() : run.name();
}

/// Whether the fields that determine the sequences of a run are equal.
bool sameData(const train::RunConfig& a, const train::RunConfig& b) {
  for (const std::string& place : train::differingFields(a, b))
    if (place.starts_with("data.") || place == "model.length" || place == "schedule.batch" ||
        place == "optimisation.accumulate")
      return false;
  return true;
}

Result<Comparison> compared(const RaceShared& shared, const Run* a, const Run* b, std::int64_t at, std::int64_t other) {
  if (!a || !b) return fail(ErrorKind::Usage, tr("the race has no such run"));
  Comparison made{a, b};
  for (const auto& [run, wanted, step] : {std::tuple(a, at, &made.stepA), std::tuple(b, other, &made.stepB)}) {
    const std::optional<std::int64_t> saved = nearestSaved(*run, wanted);
    if (!saved) return fail(ErrorKind::Usage, trFormat("{} has no saved step", nameOf(shared, *run)));
    *step = *saved;
  }
  if (a == b && made.stepA == made.stepB)
    return fail(ErrorKind::Usage,
                trFormat("both are step {} of {}, the saved step nearest to {} and to {}; choose other steps",
                         made.stepA, nameOf(shared, *a), at, other));
  return made;
}

}  // namespace

std::optional<RunOrigin> originOf(const Run& run) {
  const std::string& parent = run.record().parent;
  const std::size_t at = parent.rfind('@');
  if (at == std::string::npos || at == 0) return std::nullopt;
  RunOrigin origin{parent.substr(0, at), 0};
  const char *const first = parent.data() + at + 1, *const last = parent.data() + parent.size();
  if (const auto read = std::from_chars(first, last, origin.step); read.ec != std::errc() || read.ptr != last)
    return std::nullopt;
  // A run started in a terminal records a path relative to a working directory that is not known here. Runs of one
  // sweep are in the same folder.
  if (fs::path(origin.folder).is_relative())
    origin.folder = (fs::path(run.folder()).parent_path() / fs::path(origin.folder).filename()).string();
  return origin;
}

std::string originWords(const RaceShared& shared, const Run& run) {
  const std::optional<RunOrigin> origin = originOf(run);
  if (!origin) return {};
  const RacingRun* const parent = racingRun(shared, origin->folder);
  return trFormat("Branch of {} from step {}.", parent ? parent->name() : fs::path(origin->folder).filename().string(),
                  stepText(origin->step));
}

RunStart startOf(const Run& run) {
  RunStart start{*run.config(), {}, 0};
  if (const std::optional<RunOrigin> origin = originOf(run)) {
    start.parent = origin->folder;
    start.step = origin->step;
    // The checkpoint of the parent may have been deleted. The branch has a checkpoint of the same step.
    const auto isIn = [&start](const std::vector<std::int64_t>& saved) {
      return std::find(saved.begin(), saved.end(), start.step) != saved.end();
    };
    if (!isIn(train::savedSteps(start.parent)) && isIn(run.savedSteps())) start.parent = run.folder();
  }
  return start;
}

std::optional<std::int64_t> nearestSaved(const Run& run, std::int64_t step) {
  std::optional<std::int64_t> best;
  for (const std::int64_t one : run.savedSteps())
    if (!best || std::abs(one - step) < std::abs(*best - step)) best = one;
  return best;
}

const Run* chosenRun(const RaceShared& shared) {
  return runAt(shared, chosenIndex(shared));
}

const Run* otherRun(const RaceShared& shared) {
  const int chosen = chosenIndex(shared), wanted = shared.state.compareRun;
  // If both selections are the same run, the first of the others is used.
  return runAt(shared, wanted != chosen ? wanted : chosen == 0 ? 1 : 0);
}

const RacingRun* racingRun(const RaceShared& shared, const std::string& folder) {
  const auto found = std::find_if(shared.runs.begin(), shared.runs.end(), [&folder](const RacingRun& one) {
    return one.folder == folder || (one.run && one.run->folder() == folder);
  });
  return found != shared.runs.end() ? &*found : nullptr;
}

SharedRandomness sharedRandomness(const std::vector<const train::RunConfig*>& configs) {
  SharedRandomness shared;
  if (configs.size() < 2) return shared;
  const train::RunConfig& first = *configs.front();
  std::string seeds;
  for (const train::RunConfig* const one : configs) {
    shared.seed = shared.seed && one->seed == first.seed;
    shared.data = shared.data && sameData(*one, first);
    seeds += fmt::format("{}{}", seeds.empty() ? "" : ", ", one->seed);
  }
  const std::string seed =
      shared.seed ? trFormat("The seed is {} in all runs.", first.seed) : trFormat("The seeds differ: {}.", seeds);
  shared.sentence = seed + " " +
                    (shared.data ? tr("They read the same sequences in the same order.")
                                 : tr("The sequences or their order differ."));
  return shared;
}

SharedRandomness sharedRandomness(const RaceShared& shared) {
  std::vector<const train::RunConfig*> configs;
  for (const RacingRun& racing : shared.runs)
    if (racing.run && racing.run->config()) configs.push_back(&*racing.run->config());
  return sharedRandomness(configs);
}

train::RunConfig editableConfig(const Run& run, std::optional<std::int64_t> step) {
  train::RunConfig config = *run.config();
  config.name = step ? trFormat("{} from {}", run.name(), *step) : trFormat("{}, copy", run.name());
  // A branch from the last step trains for as many steps again.
  if (step && config.schedule.steps <= *step) config.schedule.steps += *step;
  return config;
}

std::string uniqueName(const RaceShared& shared, const std::string& name) {
  const auto taken = [&shared](const std::string& wanted) {
    return std::any_of(shared.runs.begin(), shared.runs.end(),
                       [&wanted](const RacingRun& one) { return one.run && one.run->name() == wanted; });
  };
  std::string made = name;
  for (int number = 2; taken(made); ++number)
    made = fmt::format("{} {}", name, number);
  return made;
}

Result<Comparison> comparedRuns(const RaceShared& shared) {
  return compared(shared, chosenRun(shared), otherRun(shared), shared.step, shared.step);
}

Result<Comparison> comparedSteps(const RaceShared& shared) {
  const Run* const run = chosenRun(shared);
  return compared(shared, run, run, shared.step, shared.state.compareStep);
}

std::string comparisonWords(const RaceShared& shared, const Comparison& compared) {
  std::string words =
      trFormat("A is {} at its saved step {}, B is {} at its saved step {}.", nameOf(shared, *compared.a),
               stepText(compared.stepA), nameOf(shared, *compared.b), stepText(compared.stepB));
  if (compared.stepA != shared.step)
    words += " " + trFormat("The slider is at {}, where there is no checkpoint.", stepText(shared.step));
  return words;
}

Document withComparison(const Document& document, const RaceShared& shared, const Comparison& compared) {
  return with(document, OpenInWeights{.path = train::checkpointFolder(compared.a->folder(), compared.stepA),
                                      .beside = train::checkpointFolder(compared.b->folder(), compared.stepB),
                                      .layer = shared.state.layer,
                                      .head = shared.state.head});
}

}  // namespace sepx::ui
