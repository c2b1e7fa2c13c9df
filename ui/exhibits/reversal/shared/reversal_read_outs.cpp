// SPDX-License-Identifier: Apache-2.0
// See reversal_read_outs.h.
#include "ui/exhibits/reversal/shared/reversal_read_outs.h"

#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

using reversal::Direction;

struct MeasureRow {
  PairMeasure measure;
  Direction direction;
  const char *key, *label, *help;
};

constexpr MeasureRow kRows[] = {
    {PairMeasure::Accuracy, Direction::Forward, "accuracy.forward", N_("Forward accuracy"),
     N_("Share of all pairs that the model answers correctly in the order of training, at the step shown. Every token "
        "may be the answer.")},
    {PairMeasure::Accuracy, Direction::Reverse, "accuracy.reverse", N_("Reverse accuracy"),
     N_("Share of all pairs that the model answers correctly in the reverse order, which it was never trained on. "
        "Every token may be the answer.")},
    {PairMeasure::Letters, Direction::Forward, "letters.forward", N_("Forward, letters only"),
     N_("The forward accuracy where only letters of the wanted case may be the answer.")},
    {PairMeasure::Letters, Direction::Reverse, "letters.reverse", N_("Reverse, letters only"),
     N_("The reverse accuracy where only letters of the wanted case may be the answer.")},
    {PairMeasure::Probability, Direction::Forward, "probability.forward", N_("Forward probability"),
     N_("The mean probability of the right answer in the order of training.")},
    {PairMeasure::Probability, Direction::Reverse, "probability.reverse", N_("Reverse probability"),
     N_("The mean probability of the right answer in the reverse order.")},
    {PairMeasure::Zero, Direction::Forward, "zero.forward", N_("Forward, answers 0"),
     N_("Share of the forward queries that the model answers with the placeholder 0.")},
    {PairMeasure::Zero, Direction::Reverse, "zero.reverse", N_("Reverse, answers 0"),
     N_("Share of the reverse queries that the model answers with the placeholder 0.")}};

}  // namespace

std::string pairMetric(PairMeasure measure, Direction direction, bool averaged) {
  static constexpr const char* kNames[] = {"accuracy", "accuracy_letters", "probability", "zero"};
  return std::string(reversal::directionWord(direction)) + "_" + kNames[static_cast<std::size_t>(measure)] +
         (averaged ? "_ema" : "");
}

bool showsAveraged(const ReversalShared& shared, const Run& run) {
  return shared.state.averaged && run.config() && run.config()->optimisation.ema > 0;
}

std::optional<double> pairValue(const ReversalShared& shared, const Run& run, PairMeasure measure,
                                Direction direction) {
  return valueAtStep(run.series(pairMetric(measure, direction, showsAveraged(shared, run))), shared.step);
}

void declareReversalReadOuts(PropertyRegistry& registry, const ReversalShared& live) {
  // clang-format off
  declareParameters(registry, {.prefix = "reversal."}, {
      {.key = "weights",
       .into = &RaceState::averaged,
       .label = N_("Weights"), .options = {{"raw", N_("as trained")}, {"averaged", N_("averaged")}},
       .help = N_("Which parameters are evaluated: those of the step, or their running average with the decay "
           "min(0.9999, (1 + n)/(10 + n)). Runs without an average (the ARM) are evaluated as trained.")}});
  // clang-format on
  std::vector<ReadOut> rows;
  for (const MeasureRow& row : kRows) {
    ReadOut& made = rows.emplace_back();
    made.key = row.key;
    made.label = row.label;
    made.help = row.help;
    made.equation = "Reversal, section 5";
    made.digits = 4;
    made.get = Getters([&live](int index) -> const Run* {
      const bool there = index >= 0 && static_cast<std::size_t>(index) < live.runs.size();
      return there ? live.runs[static_cast<std::size_t>(index)].run.get() : nullptr;
    })([&live, &row](const Run& run) { return pairValue(live, run, row.measure, row.direction); });
    made.detail = row.measure != PairMeasure::Accuracy;
  }
  declareReadOuts(registry, {.prefix = "reversal.runs[]."}, std::move(rows));
}

}  // namespace sepx::ui
