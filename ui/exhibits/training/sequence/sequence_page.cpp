// SPDX-License-Identifier: Apache-2.0
// See sequence_page.h: what the page follows, its input, panel, numbers and words.
#include "ui/exhibits/training/sequence/sequence_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/number.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

std::vector<int> SequencePage::placesOf(const std::string& text) {
  std::vector<int> places;
  std::string part;
  for (const char c : text + ",") {
    if (c >= '0' && c <= '9') {
      part += c;
    } else if (!part.empty()) {
      if (const auto number = parseNumber(part); number && *number < 1e6) places.push_back(static_cast<int>(*number));
      part.clear();
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

SequencePage::SequencePage() : ViewPage("training.sequence") {
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_.push_back(std::make_unique<SequenceSide>(results_, i));
}

void SequencePage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) {
  TimedPage::read(document, registry, shared);
  registry.read(document, *this);
}

bool SequencePage::complete() const {
  return std::all_of(sides_.begin(), sides_.end(), [](const auto& side) { return side->complete(); });
}

void SequencePage::ask(const RaceFrame& frame, ExhibitContext& context) {
  if (frame.shared.wantModel) frame.shared.wantModel();
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_[i]->update(i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr, frame.shared, text_, hidden_,
                      context);
}

Changes SequencePage::toggled(int place) const {
  std::vector<int> hidden = hidden_;
  if (const auto at = std::find(hidden.begin(), hidden.end(), place); at != hidden.end())
    hidden.erase(at);
  else
    hidden.insert(std::upper_bound(hidden.begin(), hidden.end(), place), place);
  return {{"training.sequence.hidden", fmt::format("{}", fmt::join(hidden, ", "))}};
}

std::vector<RacePage::Command> SequencePage::commands(const RaceShared& shared, const Document& document) {
  std::vector<Command> all = TimedPage::commands(shared, document);
  const char* const menu = tr("Exhibit");
  all.push_back({"training.sequence-hide", tr("Hide or show the selected position"), "H", menu, place_ >= 0,
                 [this](ExhibitContext& context) {
                   if (place_ >= 0) ui::apply(context.editor, toggled(place_));
                 }});
  all.push_back(
      {"training.sequence-show-all", tr("Show all positions"), "", menu, !hidden_.empty(),
       [](ExhibitContext& context) { setAsStep(context.editor, "training.sequence.hidden", std::string()); }});
  return all;
}

void SequencePage::panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Sequence"), "training.sequence.", {"text", "hidden"});
  if (panel.button(tr("Show all"), "training.sequence.show-all", !hidden_.empty()))
    setAsStep(context.editor, "training.sequence.hidden", std::string());
  panel.rows("training.", {"sequence.place", "sequence.top", "layer", "head"});
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].sequence.";
    panel.rows(prefix,
               {"step", "loss", "right", "predicted", "place.best", "place.share", "place.truth", "place.rank"});
  }
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Each run reads the sequence with its own vocabulary, at the slider's step: the live run, or the newest "
      "checkpoint at or before it. Rows of attention are queries, columns keys. A row of the table is a position: its "
      "token, the share that the model gives this token, and the words that it thinks most likely; the true one has "
      "a frame."));
  panel.sentence(tr(
      "A decoder predicts each token from those before it. An encoder predicts hidden tokens: click a token, or type "
      "[MASK], which has no true token. While nothing is hidden, each position is hidden in turn, and the attention is "
      "that of the whole sequence."));
}

std::string SequencePage::caption(const RaceShared& shared) const {
  for (std::size_t i = 0; i < shown(shared); ++i) {
    const SequencePointer& view = sides_[i]->view();
    if (!view) continue;
    return trFormat("{}: attention of layer {} for one sequence at step {}, and the words predicted for its positions.",
                    tr(shared.experiment->title), view->layer, stepText(view->step));
  }
  return raceCaption(shared);
}

Numbers SequencePage::exported(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  std::vector<std::string> run, token, word;
  std::vector<double> place, rank, share;
  for (std::size_t i = 0; i < shown(shared); ++i) {
    const SequencePointer& view = sides_[i]->view();
    if (!view) continue;
    for (std::size_t n = 0; n < view->places.size(); ++n) {
      const auto& prediction = view->places[n].prediction;
      for (std::size_t k = 0; prediction && k < prediction->best.size() && k < static_cast<std::size_t>(top_); ++k) {
        run.push_back(shared.runs[i].name());
        place.push_back(static_cast<double>(n));
        token.push_back(view->places[n].word);
        rank.push_back(static_cast<double>(k + 1));
        word.push_back(prediction->best[k].first);
        share.push_back(prediction->best[k].second);
      }
    }
    const auto side = static_cast<std::size_t>(view->tokens);
    for (std::size_t head = 0; head < view->attention.size(); ++head)
      numbers.grids.push_back({"attention" + std::to_string(i) + "_head" + std::to_string(head),
                               {side, side},
                               std::vector<double>(view->attention[head]->begin(), view->attention[head]->end())});
  }
  if (!run.empty())
    numbers.tables.push_back({"predictions",
                              {{"run", "", std::move(run)},
                               {"place", "", std::move(place)},
                               {"token", "", std::move(token)},
                               {"rank", "", std::move(rank)},
                               {"word", "", std::move(word)},
                               {"share", "", std::move(share)}}});
  return numbers;
}

std::unique_ptr<RacePage> makeSequencePage() {
  return std::make_unique<SequencePage>();
}

}  // namespace sepx::ui
