// SPDX-License-Identifier: Apache-2.0
// See update_side.h.
#include "ui/exhibits/training/update/update_side.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

bool UpdateSide::refresh(const ExhibitContext& context) {
  const bool paired = pair_.refresh(context.jobs);
  if (!probe_.refresh(context.jobs)) return paired;
  const Result<UpdatePointer>& made = *probe_.result();
  view_ = made ? *made : nullptr;
  sentence_ = made ? std::string() : sentenceCase(made.error().sentence);
  return true;
}

bool UpdateSide::update(const RacingRun* racing, const RaceShared& shared, const UpdateChoice& choice,
                        ExhibitContext& context) {
  bool news = false;
  const std::string folder = racing ? racing->folder : std::string();
  if (std::exchange(folder_, folder) != folder) {
    probe_.clear();
    pair_.clear();
    view_ = nullptr;
    sentence_.clear();
    news = true;
  }
  if (!racing) return news;
  news = refresh(context) || news;
  if (probe_.pending()) return news;  // it ends first: a slider moves faster than probes are made
  const std::string before = sentence_;
  std::optional<ModelRequest> model =
      modelRequest(*racing, shared, {}, data_, probe_.requested() ? &probe_.requested()->model : nullptr, sentence_);
  if (!model) {
    view_ = nullptr;
    probe_.clear();
    return news || sentence_ != before;
  }
  // A probe has one head: each head has its own beta.
  UpdateRequest wanted{std::move(*model), shared.state.layer, std::max(0, shared.state.head), choice.text};
  if (probe_.request(context.jobs, std::move(wanted), tr("taking the update apart"),
                     [](const UpdateRequest& request, auto&) { return makeUpdate(request); }) &&
      !view_)
    sentence_ = tr("The update is being taken apart…");
  return news || sentence_ != before;
}

bool UpdateSide::updatePair(int i, int j, ExhibitContext& context) {
  const std::string before = pairSentence_;
  pairSentence_.clear();
  if (!view_) return pair_.clear() || pairSentence_ != before;
  if (!view_->isForm)
    pairSentence_ =
        tr("With a rotary encoding a score depends on i − j besides W_qk. There is no one matrix of which G is the "
           "gradient, and no pair term.");
  else if (i < 0 || j < 0)
    pairSentence_ = tr("No pair is there.");
  else if (i >= view_->places() || j >= view_->places())
    pairSentence_ =
        trFormat("The pair ({}, {}) is not there: the sequence has positions 0 to {}.", i, j, view_->places() - 1);
  if (!pairSentence_.empty()) return pair_.clear() || pairSentence_ != before;
  return pair_.request(context.jobs, {view_, i, j}, "", [](const PairRequest& request, auto&) {
    return makePair(request);
  }) || pairSentence_ != before;
}

const PairView* UpdateSide::pair() const {
  return view_ && pair_.answered() && pair_.answered()->of == view_ ? pair_.result() : nullptr;
}

}  // namespace sepx::ui
