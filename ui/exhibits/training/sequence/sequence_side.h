// SPDX-License-Identifier: Apache-2.0
// The output of one run of the race for the sequence at the shown step, computed in the background. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/exhibits/training/sequence/sequence_result.h"
#include "ui/page/lane_result.h"

namespace sepx::ui {

class SequenceSide {
 public:
  SequenceSide(ResultSet& results, std::size_t number) : lane_(results, "training.sequence" + std::to_string(number)) {}

  /// Takes over finished results and requests outdated ones again. `racing` null: the race has no such run.
  void update(const RacingRun* racing, const RaceShared& shared, const std::string& text,
              const std::vector<int>& hidden, ExhibitContext& context);
  bool complete() const { return lane_.complete(); }

  const SequencePointer& result() const { return lane_.value(); }   ///< null: none
  const std::string& sentence() const { return lane_.sentence(); }  ///< why result() is null
  /// The prediction at a position. Null: there is no such position, or nothing is predicted there.
  const PlacePrediction* at(int place) const;

 private:
  LaneResult<SequenceProbeRequest, SequencePointer> lane_;
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_;
};

}  // namespace sepx::ui
