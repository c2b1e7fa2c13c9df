// SPDX-License-Identifier: Apache-2.0
// The update of one run of the race at the step that is shown: asked for in the background, with the sentence that
// stands in its place while there is none. Frame thread.
#pragma once

#include <memory>
#include <string>

#include "ui/exhibits/training/update/update_view.h"
#include "ui/page/lane_result.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// What a person chose on the page.
struct UpdateChoice {
  std::string text;    ///< empty: the first validation sequence
  int i = -1, j = -1;  ///< query and key of the pair; one of them -1: the strongest pair of the first run
};

class UpdateSide {
 public:
  UpdateSide(ResultSet& results, const std::string& number)
      : probe_(results, "training.update" + number), pair_(results, "training.update.pair" + number) {}

  /// Takes over what is finished, asks for what is stale. `racing` null: the race has no such run.
  void update(const RacingRun* racing, const RaceShared& shared, const UpdateChoice& choice, ExhibitContext& context);
  /// The term of a pair of places.
  void updatePair(int i, int j, ExhibitContext& context);
  bool complete() const { return probe_.complete() && pair_.complete(); }

  const UpdatePointer& view() const { return probe_.value(); }          ///< null: none
  const std::string& sentence() const { return probe_.sentence(); }     ///< why view() is null
  PairPointer pair() const;                                             ///< of view(); null: none
  const std::string& pairSentence() const { return pair_.sentence(); }  ///< why pair() is null

 private:
  LaneResult<UpdateRequest, UpdatePointer> probe_;
  LaneResult<PairRequest, PairPointer> pair_;
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_;
};

}  // namespace sepx::ui
