// SPDX-License-Identifier: Apache-2.0
// See sequence_side.h.
#include "ui/exhibits/training/sequence/sequence_side.h"

#include <optional>
#include <utility>

#include "ui/properties/tr.h"

namespace sepx::ui {

void SequenceSide::update(const RacingRun* racing, const RaceShared& shared, const std::string& text,
                          const std::vector<int>& hidden, ExhibitContext& context) {
  if (std::exchange(folder_, racing ? racing->folder : std::string()) != folder_) lane_.clear();
  if (!racing) return;
  lane_.refresh(context.jobs);
  if (lane_.pending()) return;  // wait: a slider moves, and a run reports, faster than a result is made
  std::string missing;
  std::optional<ModelRequest> model =
      modelRequest(*racing, shared, {}, data_, lane_.requested() ? &lane_.requested()->model : nullptr, missing);
  if (!model) return lane_.clear(std::move(missing));
  lane_.ask(context.jobs, {std::move(*model), shared.state.layer, text, hidden}, tr("reading the sequence"),
            [](const SequenceProbeRequest& ask, auto&) { return makeSequence(ask); });
}

const PlacePrediction* SequenceSide::at(int place) const {
  if (!result() || place < 0 || static_cast<std::size_t>(place) >= result()->places.size()) return nullptr;
  const auto& prediction = result()->places[static_cast<std::size_t>(place)].prediction;
  return prediction ? &*prediction : nullptr;
}

}  // namespace sepx::ui
