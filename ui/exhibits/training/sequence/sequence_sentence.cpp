// SPDX-License-Identifier: Apache-2.0
// One run taken apart: which model stands on the page, and which one beside it.
#include <utility>

#include "ui/exhibits/training/sequence/sequence_page.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

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
  return ModelRequest{run.folder(), *run.config(), ModelSource::Checkpoint, *saved, -1, nullptr, data, run.reach()};
}

std::string titleOf(const RaceShared& shared, const RunSentence& of) {
  const RacingRun* const racing = racingRun(shared, of.folder);
  return trFormat("{}, step {}", racing ? racing->name() : of.folder, stepText(of.step));
}

}  // namespace

/// A slider moves, and a run reports, faster than a sentence goes through a model: what was asked for ends first.
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
        [](const RunSentenceAsk& ask, auto&) { return makeRunSentence(ask); }, same);
  };
  const bool busy = model_.pending() || second_.pending() || (model_.value() && !core_.complete());
  const bool another = racing && model_.requested() && model_.requested()->model.folder != racing->folder;
  if (!busy || another || !racing) {
    missing_.clear();
    secondMissing_.clear();
    const auto last = [](const auto& lane) { return lane.requested() ? &lane.requested()->model : nullptr; };
    follow(model_, racing ? modelRequest(*racing, shared, {}, data_, last(model_), missing_) : std::nullopt, missing_);
    const Run* const other = beside_ == SequenceBeside::Run ? otherRun(shared) : nullptr;
    const RacingRun* const beside = other ? racingRun(shared, other->folder()) : nullptr;
    if (beside_ == SequenceBeside::Step && racing && racing->run)
      follow(second_, savedRequest(*racing->run, shared.state.compareStep, secondData_, secondMissing_),
             secondMissing_);
    else if (beside_ == SequenceBeside::Run && !beside)
      second_.clear(secondMissing_ = tr("There is no other run."));
    else
      follow(second_,
             beside ? modelRequest(*beside, shared, {}, secondData_, last(second_), secondMissing_) : std::nullopt,
             secondMissing_);
  }
  SentenceState state = core_.state();
  if (beside_ != SequenceBeside::None) state.second = "beside";
  core_.further = {lookChoice(),
                   {.key = "training.sequence.beside",
                    .name = tr("beside"),
                    .choices = {{"none", tr("nothing"), beside_ == SequenceBeside::None},
                                {"step", tr("another step"), beside_ == SequenceBeside::Step},
                                {"run", tr("the other run"), beside_ == SequenceBeside::Run}}}};
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
          .choices = {{"sentence", tr("one run"), look_ == SequenceLook::Sentence},
                      {"runs", tr("runs side by side"), look_ == SequenceLook::Runs}}};
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
