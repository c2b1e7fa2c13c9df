// SPDX-License-Identifier: Apache-2.0
// The read-outs of a race. Numbers of a run are those at the step that is shown, its `step` is where it
// has got.
#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr int kMostLayers = 48;  // with read-outs of their own

const RacingRun* runAt(const RaceShared& live, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < live.runs.size() ? &live.runs[static_cast<std::size_t>(index)]
                                                                          : nullptr;
}

/// Of a run that there is.
auto ofRun(const RaceShared& live) {
  return Getters([&live](int index) -> const Run* {
    const RacingRun* const racing = runAt(live, index);
    return racing ? racing->run.get() : nullptr;
  });
}

void declareOfRuns(PropertyRegistry& registry, const RaceShared& live) {
  const auto of = ofRun(live);
  const auto at = [&live](const char* metric) {
    return [&live, metric](const Run& run) { return valueAtStep(run.series(metric), live.step); };
  };
  // clang-format off
  declareReadOuts(registry, {.prefix = live.key("runs[].")}, {
      {.key = "name", .label = N_("Name"), .help = N_("What the config of the run is called."),
       .get = of([](const Run& run) { return run.name(); })},
      {.key = "state", .label = N_("State"),
       .help = N_("What the run does: preparing, running, paused, finished, stopped or failed."),
       .get = of([](const Run& run) { return std::string(train::word(run.state())); }),
           .words = [](const std::string& word) { return stateWords(word); }},
      {.key = "step", .label = N_("Step"), .help = N_("How many steps the run has made."), .digits = 0,
       .get = of([](const Run& run) { return run.step(); })},
      {.key = "steps", .label = N_("Last step"), .help = N_("Where the run ends."), .digits = 0,
       .get = of([](const Run& run) { return run.steps(); })},
      {.key = "loss", .label = N_("Loss"), .unit = N_("nats"),
       .help = N_("The training loss at the step that is shown."), .digits = 4, .get = of(at("loss"))},
      {.key = "validation", .label = N_("Validation loss"), .unit = N_("nats"),
       .help = N_("The validation loss at the step that is shown, or at the last one before at which it was "
           "measured."),
       .digits = 4, .get = of(at("validation"))},
      {.key = "validation_error", .label = N_("Standard error"), .unit = N_("nats"),
       .help = N_("The standard error of the validation loss: it is the mean of a sample."), .digits = 4,
       .get = of(at("validation_error"))},
      {.key = "gradient_norm", .label = N_("Gradient norm"), .help = N_("The norm of the gradient before clipping."),
       .digits = 4, .get = of(at("gradient_norm"))},
      {.key = "rate", .label = N_("Learning rate"), .help = N_("The learning rate of the step that is "
          "shown."), .digits = 6,
       .get = of(at("rate"))},
      {.key = "parameters", .label = N_("Parameters"), .help = N_("The number of parameters of the "
          "model."), .digits = 0,
       .get = of([](const Run& run) {
         return run.config() && run.config()->model.vocabulary > 0
                    ? std::optional<double>(static_cast<double>(nn::parameterCount(run.config()->model)))
                    : run.live().parameters > 0 ? std::optional<double>(static_cast<double>(run.live().parameters))
                                                : std::nullopt;
       })},
      {.key = "failure", .label = N_("What is wrong"),
       .help = N_("Why the run stopped or cannot be read; empty where all is well."),
       .get = of([](const Run& run) { return run.failure(); })},
      {.key = "form.step", .label = N_("Step of W_qk"),
       .help = N_("The step that the matrix shown is of: a past step is shown by the newest saved one at or "
           "before it."), .digits = 0,
       .get = Getters([&live](int index) -> const QkForm* {
         const RacingRun* const racing = runAt(live, index);
         return racing ? racing->form.get() : nullptr;
       })(&QkForm::step)}});
  // clang-format on
}

/// symmetry[L] and so on: of the chosen head, or of the whole layer.
void declareScores(PropertyRegistry& registry, const RaceShared& live) {
  struct Score {
    const char *metric, *label, *symbol, *help, *equation;
  };
  static constexpr Score kScores[] = {
      {"symmetry", N_("Symmetry"), "s", N_("The symmetry of W_qk of the layer at the step that is shown."),
       "Attention-Structure, Definition 3.1"},
      {"directionality", N_("Directionality"), "d",
       N_("The directionality of W_qk of the layer at the step that is shown."),
       "Attention-Structure, "
       "Definition 3.2"},
      {"row_column_cv", N_("CV(row) − CV(column)"), "",
       N_("The coefficient of variation of the row norms less that of the column norms of W_qk of the layer."), ""}};
  const auto of = ofRun(live);
  for (const Score& score : kScores)
    for (int layer = 0; layer < kMostLayers; ++layer)
      registry.declare(ReadOut{
          .key = live.key(fmt::format("runs[].{}[{}]", score.metric, layer)),
          .label = score.label,
          .symbol = score.symbol,
          .help = score.help,
          .equation = score.equation,
          .digits = 3,
          .get = of([&live, metric = score.metric, layer](const Run& run) {
            return scoreAt(run, metric, layer, live.state.head, live.step);
          }),
          .applies = [&live, layer](const Document&) { return layer < live.layers; },
          .liveLabel = [label = score.label,
                        layer](const Document&) { return fmt::format("{}, {} {}", tr(label), tr("layer"), layer); },
          .detail = true});
}

}  // namespace

void declareRaceReadOuts(PropertyRegistry& registry, const RaceShared& live) {
  const auto of = gettersOf(live);
  const auto compared = [&live](const Document&) { return live.experiment->speedUp && live.runs.size() == 2; };
  const auto speedUp = Getters([&live](int) -> std::optional<SpeedUp> {
    if (!live.experiment->speedUp || live.runs.size() != 2 || !live.runs[0].run || !live.runs[1].run)
      return std::nullopt;
    return speedUpOf(*live.runs[0].run, *live.runs[1].run);
  });
  // clang-format off
  declareReadOuts(registry, {.prefix = live.key("")}, {
      {.key = "runs.count", .label = N_("Runs"), .help = N_("How many runs the race has."), .digits = 0,
       .get = of([](const RaceShared& shared) { return static_cast<double>(shared.runs.size()); })},
      {.key = "trains", .label = N_("Training"), .help = N_("Whether a run of this race trains in this window now."),
       .get = of([](const RaceShared& shared) { return shared.trains(); })},
      {.key = "shown.step", .label = N_("Step shown"), .help = N_("The step at which all pages show the "
          "runs."), .digits = 0,
       .get = of([](const RaceShared& shared) { return shared.step; })},
      {.key = "newest.step", .label = N_("Latest step"), .help = N_("The newest step of all runs of the "
          "race."), .digits = 0,
       .get = of([](const RaceShared& shared) { return shared.newest; })},
      {.key = "speedup", .label = N_("Speed-up"),
       .help = N_("By how much of its steps the first run reaches the final validation loss of the second one "
                  "earlier, in the manner of Table 1, whose authors take the training loss. None while the second run "
                  "goes on, and where the first does not reach that loss."),
       .equation = "Attention-Structure, Table 1", .formula = "\\frac{T-t}{T}", .digits = 3,
       .get = speedUp(&SpeedUp::share), .applies = compared},
      {.key = "speedup.step", .label = N_("Reached at step"),
       .help = N_("The first step at which the first run has the final validation loss of the second "
           "one."), .digits = 0,
       .get = speedUp(&SpeedUp::at), .applies = compared}});
  // clang-format on
  declareOfRuns(registry, live);
  if (live.kind.forms) declareScores(registry, live);
}

}  // namespace sepx::ui
