// SPDX-License-Identifier: Apache-2.0
// See sequence_side.h.
#include "ui/exhibits/training/sequence/sequence_side.h"

#include <optional>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

bool SequenceSide::update(const RacingRun* racing, const RaceShared& shared, const std::string& text,
                          const std::vector<int>& hidden, ExhibitContext& context) {
  bool news = false;
  const std::string folder = racing ? racing->folder : std::string();
  if (std::exchange(folder_, folder) != folder) {
    lane_.clear();
    view_ = nullptr;
    sentence_.clear();
    news = true;
  }
  if (!racing) return news;
  if (lane_.refresh(context.jobs)) {
    const Result<SequencePointer>& made = *lane_.result();
    view_ = made ? *made : nullptr;
    sentence_ = made ? std::string() : sentenceCase(made.error().sentence);
    news = true;
  }
  if (lane_.pending()) return news;  // it ends first: a slider moves, and a run reports, faster than this is made
  const std::string before = sentence_;
  std::optional<ModelRequest> model =
      modelRequest(*racing, shared, {}, data_, lane_.requested() ? &lane_.requested()->model : nullptr, sentence_);
  if (!model) {
    view_ = nullptr;
    lane_.clear();
    return news || sentence_ != before;
  }
  if (lane_.request(context.jobs, {std::move(*model), shared.state.layer, text, hidden}, tr("reading the sequence"),
                    [](const SequenceAsk& ask, auto&) { return makeSequence(ask); }) &&
      !view_ && sentence_.empty())
    sentence_ = tr("The sequence is being read…");
  return news || sentence_ != before;
}

const PlacePrediction* SequenceSide::at(int place) const {
  if (!view_ || place < 0 || static_cast<std::size_t>(place) >= view_->places.size()) return nullptr;
  const auto& prediction = view_->places[static_cast<std::size_t>(place)].prediction;
  return prediction ? &*prediction : nullptr;
}

}  // namespace sepx::ui
