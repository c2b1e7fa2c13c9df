// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the page Sentence of a race, in addition to those of ui/sentence. Also chooses the
// models that the page shows while it takes one run apart.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/exhibits/training/sequence/sequence_page.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

// clang-format off
void SequencePage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"sequence"});
  declareParameters(registry, {.prefix = "training.sequence.", .applies = here}, {
      {.key = "show", .into = &SequencePage::look_, .label = N_("Show"),
       .options = {{"sentence", N_("one run")}, {"runs", N_("all runs side by side")}},
       .help = N_("The selected run taken apart: tokens, all heads, why a score, predictions, what-if edits. Or the "
                  "attention and the predictions of all runs side by side, also of those whose parts cannot be told "
                  "apart.")},
      {.key = "beside", .into = &SequencePage::beside_, .label = N_("Beside it"),
       .options = {{"none", N_("nothing")}, {"step", N_("another step")}, {"run", N_("the other run")}},
       .help = N_("What is shown beside the selected run at the step shown: the same run at the nearest saved step to "
                  "Other step, or the other run at the step shown. Patterns and predictions of both are shown, or "
                  "their difference.")},
      {.key = "hidden", .into = Into::by<SentenceState>([](SentenceState& state, const Value& text) { state.hidden = placesOf(toString(text)); }),
       .label = N_("Masked positions"), .fallback = "",
       .help = N_("Positions that an encoder does not see and predicts, counted from 0, separated by commas. Empty: with all runs side by side each position is "
                  "hidden in turn.")},
      {.key = "top",
       .into = &SequencePage::top_,
       .label = N_("Words"), .kind = Kind::Integer, .min = 1, .max = static_cast<double>(SequenceResult::kBest), .step = 1, .fallback = 5.0,
       .help = N_("How many of the most likely words a row shows, where there is room.")}});
  core_.declare(registry, here, "",
                N_("The sequence that the runs read, in the tokens of their data: characters, bytes or words of a "
                   "text, the symbols of a chain. [MASK] stands for a hidden token. Text for which a run has no token "
                   "is reported and left as typed. Empty: the first validation sequence."));
  declareSides(registry, here);
}

void SequencePage::declareSides(PropertyRegistry& registry, const Condition& here) {
  const auto side = [this](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < sides_.size() ? sides_[static_cast<std::size_t>(index)].get() : nullptr;
  };
  const Getters whole(side);
  const Getters of([side](int index) { const SequenceSide* const one = side(index); return one ? one->result().get() : nullptr; });
  const Getters at([this, side](int index) { const SequenceSide* const one = side(index); return one ? one->at(place_) : nullptr; });
  declareReadOuts(registry, {.prefix = "training.runs[].sequence.", .applies = here}, {
      {.key = "step", .label = N_("Model step"),
       .help = N_("The step of the model that reads the sequence: of the live run, or of the newest checkpoint at or before the step shown."),
       .digits = 0, .get = of(&SequenceResult::step)},
      {.key = "source", .label = N_("From"), .help = N_("Where the model comes from: the live run or a checkpoint."),
       .get = of([](const SequenceResult& result) { return std::string(result.source == ModelSource::Live ? "live" : "checkpoint"); })},
      {.key = "tokens", .label = N_("Tokens"), .help = N_("The number of tokens that the model reads."), .digits = 0, .get = of(&SequenceResult::tokens)},
      {.key = "loss", .label = N_("Text loss"), .unit = N_("nats"),
       .help = N_("The mean of −log of the probability of the true token, over the positions that are predicted and whose token is known."),
       .formula = "-\\frac{1}{n}\\sum_i\\log p(t_i)", .digits = 4, .get = of(&SequenceResult::loss)},
      {.key = "predicted", .label = N_("Predicted positions"), .help = N_("Positions with a prediction whose true token is known."), .digits = 0, .get = of(&SequenceResult::predicted)},
      {.key = "right", .label = N_("Correct"), .help = N_("Predicted positions at which the most likely word is the true one."), .digits = 0, .get = of(&SequenceResult::right)},
      {.key = "note", .label = N_("Note"), .help = N_("What the run left out of the text, or cannot predict; empty: nothing."), .get = of(&SequenceResult::note), .detail = true},
      {.key = "failure", .label = N_("No prediction"), .help = N_("Why the run cannot read the sequence; empty: it can."),
       .get = whole([](const SequenceSide& one) { return one.result() ? std::string() : one.sentence(); })}});
  declareReadOuts(registry, {.prefix = "training.runs[].sequence.place.", .applies = here}, {
      {.key = "best", .label = N_("Most likely"), .help = N_("The word to which the model gives the highest probability at the selected position."),
       .get = at([](const PlacePrediction& one) { return one.best.front().first; })},
      {.key = "share", .label = N_("Probability"), .help = N_("The probability of the most likely word at the selected position."), .digits = 4,
       .get = at([](const PlacePrediction& one) { return one.best.front().second; })},
      {.key = "truth", .label = N_("True token"), .help = N_("The probability of the true token at the selected position; none where that token is not known."),
       .digits = 4, .get = at([](const PlacePrediction& one) { return one.truth; })},
      {.key = "rank", .label = N_("True rank"), .help = N_("1 where the true token is the most likely one."), .digits = 0,
       .get = at([](const PlacePrediction& one) { return one.rank > 0 ? static_cast<double>(one.rank) : std::nan(""); })}});
}
// clang-format on

// The look with one run taken apart: which model is shown, and which one is shown beside it.

namespace {

/// The selected run; null: there is none.
const RacingRun* selected(const RaceShared& shared) {
  const Run* const run = chosenRun(shared);
  return run ? racingRun(shared, run->folder()) : nullptr;
}

/// The request for the run at the saved step that is nearest to `step`.
std::optional<ModelRequest> savedRequest(const Run& run, std::int64_t step, const std::shared_ptr<RunData>& data,
                                         std::string& missing) {
  const std::optional<std::int64_t> saved = nearestSaved(run, step);
  if (!run.config() || !saved) {
    missing = tr("The run has no checkpoint yet.");
    return std::nullopt;
  }
  return ModelRequest{run.folder(), *run.config(), ModelSource::Checkpoint, *saved, -1,
                      nullptr,      data,          run.dataFolders()};
}

std::string titleOf(const RaceShared& shared, const RunSentence& of) {
  const RacingRun* const racing = racingRun(shared, of.folder);
  return trFormat("{}, step {}", racing ? racing->name() : of.folder, stepText(of.step));
}

}  // namespace

/// A slider moves, and a run reports, faster than a sentence passes through a model. A new model is therefore requested
/// only after the present work has ended, or if another run is selected.
void SequencePage::askForModels(const RaceFrame& frame, ExhibitContext& context) {
  const RaceShared& shared = frame.shared;
  model_.refresh(context.jobs);
  second_.refresh(context.jobs);
  const RacingRun* const racing = selected(shared);
  const auto follow = [&](auto& lane, std::optional<ModelRequest> wanted, const std::string& missing) {
    if (!wanted) return lane.clear(missing);
    const RunSentencePointer& before = lane.value();
    const bool same = before && before->folder == wanted->folder;
    lane.ask(
        context.jobs, {std::move(*wanted), before}, tr("the parameters of the run"),
        [](const RunSentenceRequest& ask, auto&) { return makeRunSentence(ask); }, same);
  };
  const bool busy = model_.pending() || second_.pending() || (model_.value() && !core_.complete());
  const bool another = racing && model_.requested() && model_.requested()->model.folder != racing->folder;
  if (!busy || another || !racing) {
    missing_.clear();
    secondMissing_.clear();
    const auto last = [](const auto& lane) { return lane.requested() ? &lane.requested()->model : nullptr; };
    follow(model_, racing ? modelRequest(*racing, shared, {}, data_, last(model_), missing_) : std::nullopt, missing_);
    const Run* const other = beside_ == SequenceComparison::Run ? otherRun(shared) : nullptr;
    const RacingRun* const beside = other ? racingRun(shared, other->folder()) : nullptr;
    if (beside_ == SequenceComparison::Step && racing && racing->run)
      follow(second_, savedRequest(*racing->run, shared.state.compareStep, secondData_, secondMissing_),
             secondMissing_);
    else if (beside_ == SequenceComparison::Run && !beside)
      second_.clear(secondMissing_ = tr("There is no other run."));
    else
      follow(second_,
             beside ? modelRequest(*beside, shared, {}, secondData_, last(second_), secondMissing_) : std::nullopt,
             secondMissing_);
  }
  SentenceState state = core_.state();
  if (beside_ != SequenceComparison::None) state.second = "beside";
  core_.further = {lookChoice(),
                   {.key = "training.sequence.beside",
                    .name = tr("beside"),
                    .choices = {{"none", tr("nothing"), beside_ == SequenceComparison::None},
                                {"step", tr("another step"), beside_ == SequenceComparison::Step},
                                {"run", tr("the other run"), beside_ == SequenceComparison::Run}}}};
  core_.ask(sourceOf(shared), state, context);
}

SentenceSource SequencePage::sourceOf(const RaceShared& shared) const {
  SentenceSource source{.keys = core_.keys(), .model = nullptr, .failure = model_.sentence()};
  source.layer = shared.state.layer;
  source.head = shared.state.head;
  if (const RunSentencePointer& run = model_.value()) {
    source.model = run->model;
    source.words = run->words;
    source.identity = run->folder;
    source.title = titleOf(shared, *run);
    source.about = trFormat("{}, {}", source.title, wordsOf(run->source));
  }
  if (const RunSentencePointer& run = second_.value()) {
    source.second = run->model;
    source.secondWords = run->words;
    source.secondName = titleOf(shared, *run);
    source.about += " · " + trFormat("beside it {}", source.secondName);
  }
  source.secondFailure = second_.sentence();
  source.matrix = [](int layer) {
    return Changes{{"training.layer", static_cast<double>(layer)}, {"training.page", std::string("structure")}};
  };
  return source;
}

ChoiceGroup SequencePage::lookChoice() const {
  return {.key = "training.sequence.show",
          .choices = {{"sentence", tr("one run"), look_ == SequenceMode::Sentence},
                      {"runs", tr("runs side by side"), look_ == SequenceMode::Runs}}};
}

std::string SequencePage::refused() const {
  if (!model_.value()) return model_.sentence();
  return core_.results().forward() ? std::string() : core_.results().failure();
}

Views SequencePage::sentenceViews(const RaceFrame& frame) const {
  const SentenceSource source = sourceOf(frame.shared);
  return core_.views(sentenceFrame(source, frame));
}

}  // namespace sepx::ui
