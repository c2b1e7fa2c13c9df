// SPDX-License-Identifier: Apache-2.0
// What one run of the race makes of the sequence at the step that is shown: asked for in the background. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/training/sequence/sequence_view.h"

namespace sepx::ui {

class SequenceSide {
 public:
  explicit SequenceSide(std::size_t number) : lane_("training.sequence" + std::to_string(number)) {}

  /// Takes over what is finished, asks for what is stale. `racing` null: the race has no such run. True: there is news.
  bool update(const RacingRun* racing, const RaceShared& shared, const std::string& text,
              const std::vector<int>& hidden, ExhibitContext& context);
  bool complete() const { return lane_.complete(); }

  const SequencePointer& view() const { return view_; }      ///< null: none
  const std::string& sentence() const { return sentence_; }  ///< why view() is null
  /// Of a place; null: there is none, or nothing is predicted there.
  const PlacePrediction* at(int place) const;

 private:
  Lane<SequenceAsk, Result<SequencePointer>> lane_;
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_, sentence_;
  SequencePointer view_;
};

}  // namespace sepx::ui
