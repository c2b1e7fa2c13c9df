// SPDX-License-Identifier: Apache-2.0
// See race_commands.h.
#include "ui/race/race_commands.h"

#include <utility>

#include "ui/page/requests.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race.h"
#include "ui/race/race_page_kit.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

namespace {

bool savable(const RacingRun& racing) {
  return racing.run && racing.run->here() && (racing.run->trains() || racing.run->state() == train::RunState::Paused);
}

bool wanted(const RaceShared& shared, std::size_t i) {
  return shared.state.run < 0 || static_cast<std::size_t>(shared.state.run) == i;
}

bool canSave(const RaceShared& shared) {
  for (std::size_t i = 0; i < shared.runs.size(); ++i)
    if (wanted(shared, i) && savable(shared.runs[i])) return true;
  return false;
}

std::optional<std::int64_t> branchStep(const RaceShared& shared) {
  const Run* const run = chosenRun(shared);
  return run && run->config() ? nearestSaved(*run, shared.step) : std::nullopt;
}

void save(const RaceShared& shared, ExhibitContext& context) {
  if (!canSave(shared))
    return context.editor.say(tr("No selected run is training in this window: there is nothing new to save."));
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    if (!wanted(shared, i) || !savable(shared.runs[i])) continue;
    const Result<void> sent =
        context.runs->send(*shared.runs[i].run, {.kind = train::CommandKind::Save, .number = 0, .names = {}});
    if (!sent) context.editor.say(sent.error().message);
  }
}

/// Opens the editor with the config of the run. The user starts the new run there.
void edit(const RaceShared& shared, ExhibitContext& context, bool branches) {
  const Run* const run = chosenRun(shared);
  if (!run || !run->config()) return context.editor.say(tr("There is no run to copy."));
  std::optional<std::int64_t> step;
  if (branches) {
    step = nearestSaved(*run, shared.step);
    if (!step)
      return context.editor.say(trFormat("{} has no saved step to branch from. Save a checkpoint first.", run->name()));
  }
  context.editor.seal();
  context.editor.commit(with(context.editor.document(), EditRun{run->folder(), step}),
                        branches ? tr("edit a branch") : tr("edit a copy"));
  context.editor.seal();
}

void compare(const RaceShared& shared, ExhibitContext& context, const Result<Comparison>& compared) {
  if (!compared) return context.editor.say(sentenceCase(compared.error().message));
  context.editor.seal();
  context.editor.commit(withComparison(context.editor.document(), shared, *compared), tr("compare in Weights"));
  context.editor.seal();
}

// clang-format off
void declareChoices(PropertyRegistry& registry, const RaceShared& live) {
  const Condition some = [&live](const Document& document) {
    return !document.list(live.key("runs")).empty() || !live.runs.empty();
  };
  declareParameters(registry, {.prefix = live.key(""), .applies = onPagesWith(live, &RaceTraits::runs, some)}, {
      {.key = "run",
       .into = &RaceState::run, .label = N_("Selected run"), .kind = Kind::Integer, .min = -1, .max = 15, .step = 1,
       .options = {{"-1", N_("all")}}, .fallback = -1.0,
       .help = N_("The run that is saved, branched, copied or compared, counted from 0. All, or −1 in scripts: every "
                  "run is saved, and the other commands use the first one.")},
      {.key = "compare.run",
       .into = &RaceState::compareRun, .label = N_("Other run"), .kind = Kind::Integer, .min = 0, .max = 15, .step = 1,
       .fallback = 1.0,
       .help = N_("The run that the selected one is compared with in Weights, counted from 0.")},
      {.key = "compare.step",
       .into = &RaceState::compareStep,
       .label = N_("Other step"), .kind = Kind::Integer, .min = 0, .max = 1e12, .step = 1,
       .fallback = 0.0,
       .help = N_("The step with which the step of the slider is compared in Weights. For both, the nearest saved "
                  "step is used.")}});
}

void declareResults(PropertyRegistry& registry, const RaceShared& live) {
  const auto of = gettersOf(live);
  const auto chance = Getters([&live](int) -> std::optional<SharedRandomness> {
    SharedRandomness made = sharedRandomness(live);
    return made.sentence.empty() ? std::nullopt : std::optional(std::move(made));
  });
  declareReadOuts(registry, {.prefix = live.key("")}, {
      {.key = "branch.step", .label = N_("Nearest saved step"),
       .help = N_("The saved step of the selected run that is nearest to the slider. A branch begins there."), .digits = 0,
       .get = of(branchStep)},
      {.key = "same.seed", .label = N_("Same seed"),
       .help = N_("Whether all runs have the same seed for initial weights, masks and dropout. None for fewer than two runs."),
       .get = chance([](const SharedRandomness& one) { return one.seed; })},
      {.key = "same.data", .label = N_("Same data order"),
       .help = N_("Whether all runs read the same sequences in the same order, with the same number per step. None for fewer than two runs."),
       .get = chance([](const SharedRandomness& one) { return one.data; })},
      {.key = "compare.runs", .label = N_("Two runs"),
       .help = N_("Which checkpoints \"Compare two runs in Weights\" shows, or why it cannot."),
       .get = of([](const RaceShared& shared) {
         const Result<Comparison> made = comparedRuns(shared);
         return made ? comparisonWords(shared, *made) : made.error().message;
       }), .applies = onPagesWith(live, &RaceTraits::runs), .detail = true},
      {.key = "compare.steps", .label = N_("Two steps"),
       .help = N_("Which checkpoints \"Compare two steps in Weights\" shows, or why it cannot."),
       .get = of([](const RaceShared& shared) {
         const Result<Comparison> made = comparedSteps(shared);
         return made ? comparisonWords(shared, *made) : made.error().message;
       }), .applies = onPagesWith(live, &RaceTraits::runs), .detail = true}});
  const Getters run([&live](int index) -> const Run* {
    const bool there = index >= 0 && static_cast<std::size_t>(index) < live.runs.size();
    return there ? live.runs[static_cast<std::size_t>(index)].run.get() : nullptr;
  });
  declareReadOuts(registry, {.prefix = live.key("runs[].")}, {
      {.key = "saved", .label = N_("Newest checkpoint"), .help = N_("The newest saved step of the run."), .digits = 0,
       .get = run([](const Run& one) {
         return one.savedSteps().empty() ? std::nullopt : std::optional<double>(static_cast<double>(one.savedSteps().back()));
       })},
      {.key = "checkpoints", .label = N_("Checkpoints"), .help = N_("How many steps of the run are saved."), .digits = 0,
       .get = run([](const Run& one) { return one.savedSteps().size(); })},
      {.key = "parent", .label = N_("Branch of"), .help = N_("The folder of the run that this one branched from. None for "
           "a run that began from its own initial weights."),
       .get = run([](const Run& one) -> std::optional<std::string> {
         const std::optional<RunOrigin> origin = originOf(one);
         return origin ? std::optional(origin->folder) : std::nullopt;
       })},
      {.key = "parent_step", .label = N_("Branched at step"), .help = N_("The saved step of its parent at which a branch "
           "begins."), .digits = 0,
       .get = run([](const Run& one) -> std::optional<double> {
         const std::optional<RunOrigin> origin = originOf(one);
         return origin ? std::optional(static_cast<double>(origin->step)) : std::nullopt;
       })},
      {.key = "ended", .label = N_("Why it ended"),
       .help = N_("Why the run ended before its last step: it converged, diverged, was stopped or could not continue. "
                  "Empty if it did not."),
       .get = run([](const Run& one) { return one.trains() ? std::string() : one.record().sentence; })}});
}
// clang-format on

}  // namespace

void declareRaceCommands(PropertyRegistry& registry, const RaceShared& live) {
  declareChoices(registry, live);
  declareResults(registry, live);
}

std::string branchLabel(const RaceShared& shared) {
  const std::optional<std::int64_t> step = branchStep(shared);
  return step ? trFormat("Branch from step {}", stepText(*step)) : std::string(tr("Branch"));
}

std::vector<ExhibitCommand> raceCommands(const RaceShared& shared) {
  const char* const menu = tr("Run");
  const Run* const run = chosenRun(shared);
  const auto editing = [&shared](bool branches) {
    return [&shared, branches](ExhibitContext& context) { edit(shared, context, branches); };
  };
  const auto comparing = [&shared](Result<Comparison> (*compared)(const RaceShared&)) {
    return [&shared, compared](ExhibitContext& context) { compare(shared, context, compared(shared)); };
  };
  return {{shared.key("save"), tr("Save a checkpoint now"), "", menu, canSave(shared),
           [&shared](ExhibitContext& context) { save(shared, context); }},
          {shared.key("branch"), branchLabel(shared) + "…", "", menu, branchStep(shared).has_value(), editing(true)},
          {shared.key("copy"), tr("Edit a copy of the run…"), "", menu, run && run->config(), editing(false)},
          {shared.key("compare-runs"), tr("Compare two runs in Weights"), "", menu, comparedRuns(shared).has_value(),
           comparing(comparedRuns)},
          {shared.key("compare-steps"), tr("Compare two steps in Weights"), "", menu, comparedSteps(shared).has_value(),
           comparing(comparedSteps)}};
}

void raceCommandPanel(const RaceShared& shared, ExhibitContext& context, PagePanel& panel) {
  if (shared.runs.empty()) return;
  panel.heading(tr("Single runs"));
  if (shared.runs.size() > 1) {
    if (const std::string words = sharedRandomness(shared).sentence; !words.empty()) panel.sentence(words);
    panel.row(shared.key("run"));
  }
  const auto button = [&](const ExhibitCommand& command) {
    if (panel.button(command.label, command.key, command.enabled)) command.act(context);
  };
  for (const ExhibitCommand& command : raceCommands(shared)) {
    if (command.key == shared.key("save") || command.key == shared.key("branch"))
      continue;  // these are in the transport
    if (command.key == shared.key("compare-runs")) {
      if (shared.runs.size() < 2) continue;
      panel.row(shared.key("compare.run"));
    }
    if (command.key == shared.key("compare-steps")) panel.row(shared.key("compare.step"));
    button(command);
    if (!command.key.starts_with(shared.key("compare"))) continue;
    const Result<Comparison> made =
        command.key == shared.key("compare-runs") ? comparedRuns(shared) : comparedSteps(shared);
    panel.sentence(made ? comparisonWords(shared, *made) : sentenceCase(made.error().message));
  }
}

}  // namespace sepx::ui
