// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the page Sentence of runs, beside those of ui/sentence.
#include <algorithm>
#include <cmath>

#include "ui/exhibits/training/sequence/sequence_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

// clang-format off
void SequencePage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"sequence"});
  declareParameters(registry, {.prefix = "training.sequence.", .applies = here}, {
      {.key = "show", .into = &SequencePage::look_, .label = N_("Show"),
       .options = {{"sentence", N_("one run")}, {"runs", N_("all runs side by side")}},
       .help = N_("The selected run taken apart: tokens, all heads, why a score, predictions, what if. Or the attention and the predictions of all runs side by side, "
                  "also of those whose parts cannot be told apart.")},
      {.key = "beside", .into = &SequencePage::beside_, .label = N_("Beside it"),
       .options = {{"none", N_("nothing")}, {"step", N_("another step")}, {"run", N_("the other run")}},
       .help = N_("What stands beside the selected run at the step shown: the same run at the nearest saved step to Other step, or the other run at the step shown. "
                  "Patterns and predictions of both are shown, or their difference.")},
      {.key = "hidden", .into = Into::by<SentenceState>([](SentenceState& state, const Value& text) { state.hidden = placesOf(toString(text)); }),
       .label = N_("Masked positions"), .fallback = "",
       .help = N_("Positions that an encoder does not see and predicts, counted from 0, separated by commas. Empty: with all runs side by side each position is "
                  "hidden in turn.")},
      {.key = "top",
       .into = &SequencePage::top_,
       .label = N_("Words"), .kind = Kind::Integer, .min = 1, .max = static_cast<double>(SequenceView::kBest), .step = 1, .fallback = 5.0,
       .help = N_("How many of the most likely words a row shows, where there is room.")}});
  core_.declare(registry, here, "",
                N_("The sequence that the runs read, in the tokens of their data: characters, bytes or words of a text, the symbols "
                   "of a chain. [MASK] stands for a hidden token. What a run has no token for is named, and the text stays. "
                   "Empty: the first validation sequence."));
  declareSides(registry, here);
}

void SequencePage::declareSides(PropertyRegistry& registry, const Condition& here) {
  const auto side = [this](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < sides_.size() ? sides_[static_cast<std::size_t>(index)].get() : nullptr;
  };
  const Getters whole(side);
  const Getters of([side](int index) { const SequenceSide* const one = side(index); return one ? one->view().get() : nullptr; });
  const Getters at([this, side](int index) { const SequenceSide* const one = side(index); return one ? one->at(place_) : nullptr; });
  declareReadOuts(registry, {.prefix = "training.runs[].sequence.", .applies = here}, {
      {.key = "step", .label = N_("Model step"),
       .help = N_("The step of the model that reads the sequence: of the live run, or of the newest checkpoint at or before the step shown."),
       .digits = 0, .get = of(&SequenceView::step)},
      {.key = "source", .label = N_("From"), .help = N_("Where the model comes from: the live run or a checkpoint."),
       .get = of([](const SequenceView& view) { return std::string(view.source == ModelSource::Live ? "live" : "checkpoint"); })},
      {.key = "tokens", .label = N_("Tokens"), .help = N_("The number of tokens that the model reads."), .digits = 0, .get = of(&SequenceView::tokens)},
      {.key = "loss", .label = N_("Text loss"), .unit = N_("nats"),
       .help = N_("The mean of −log of the share of the true token, over the positions that are predicted and whose token is known."),
       .formula = "-\\frac{1}{n}\\sum_i\\log p(t_i)", .digits = 4, .get = of(&SequenceView::loss)},
      {.key = "predicted", .label = N_("Predicted positions"), .help = N_("Positions with a prediction whose true token is known."), .digits = 0, .get = of(&SequenceView::predicted)},
      {.key = "right", .label = N_("Correct"), .help = N_("Predicted positions at which the most likely word is the true one."), .digits = 0, .get = of(&SequenceView::right)},
      {.key = "note", .label = N_("Note"), .help = N_("What the run left out of the text, or cannot predict; empty: nothing."), .get = of(&SequenceView::note), .detail = true},
      {.key = "failure", .label = N_("No prediction"), .help = N_("Why the run cannot read the sequence; empty: it can."),
       .get = whole([](const SequenceSide& one) { return one.view() ? std::string() : one.sentence(); })}});
  declareReadOuts(registry, {.prefix = "training.runs[].sequence.place.", .applies = here}, {
      {.key = "best", .label = N_("Most likely"), .help = N_("The word that the model thinks most likely at the selected position."),
       .get = at([](const PlacePrediction& one) { return one.best.front().first; })},
      {.key = "share", .label = N_("Probability"), .help = N_("The probability of the most likely word at the selected position."), .digits = 4,
       .get = at([](const PlacePrediction& one) { return one.best.front().second; })},
      {.key = "truth", .label = N_("True token"), .help = N_("The probability of the token that stands at the selected position; none where that is not known."),
       .digits = 4, .get = at([](const PlacePrediction& one) { return one.truth; })},
      {.key = "rank", .label = N_("True rank"), .help = N_("1 where the true token is the most likely one."), .digits = 0,
       .get = at([](const PlacePrediction& one) { return one.rank > 0 ? static_cast<double>(one.rank) : std::nan(""); })}});
}
// clang-format on

}  // namespace sepx::ui
