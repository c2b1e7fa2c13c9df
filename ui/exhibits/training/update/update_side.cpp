// SPDX-License-Identifier: Apache-2.0
// See update_side.h.
#include "ui/exhibits/training/update/update_side.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

void UpdateSide::update(const RacingRun* racing, const RaceShared& shared, const UpdateChoice& choice,
                        ExhibitContext& context) {
  if (std::exchange(folder_, racing ? racing->folder : std::string()) != folder_) {
    probe_.clear();
    pair_.clear();
  }
  if (!racing) return;
  pair_.refresh(context.jobs);
  probe_.refresh(context.jobs);
  if (probe_.pending()) return;  // it ends first: a slider moves faster than probes are made
  std::string missing;
  std::optional<ModelRequest> model =
      modelRequest(*racing, shared, {}, data_, probe_.requested() ? &probe_.requested()->model : nullptr, missing);
  if (!model) return probe_.clear(std::move(missing));
  // A probe has one head: each head has its own beta.
  probe_.ask(context.jobs, {std::move(*model), shared.state.layer, std::max(0, shared.state.head), choice.text},
             tr("taking the update apart"), [](const UpdateRequest& request, auto&) { return makeUpdate(request); });
}

void UpdateSide::updatePair(int i, int j, ExhibitContext& context) {
  if (!view()) return pair_.clear();
  if (!view()->isForm)
    return pair_.clear(
        tr("With a rotary encoding a score depends on i − j besides W_qk. There is no one matrix of which G is the "
           "gradient, and no pair term."));
  if (i < 0 || j < 0) return pair_.clear(tr("No pair is there."));
  if (i >= view()->places() || j >= view()->places())
    return pair_.clear(
        trFormat("The pair ({}, {}) is not there: the sequence has positions 0 to {}.", i, j, view()->places() - 1));
  pair_.ask(context.jobs, {view(), i, j}, "",
            [](const PairRequest& request, auto&) { return Result<PairPointer>(makePair(request)); });
}

PairPointer UpdateSide::pair() const {
  return pair_.value() && pair_.value()->of == view() ? pair_.value() : nullptr;
}

}  // namespace sepx::ui
