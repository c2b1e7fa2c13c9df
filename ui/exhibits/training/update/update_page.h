// SPDX-License-Identifier: Apache-2.0
// The page Update takes the update of W_qk apart. For each of the first two runs of the race it shows beta of one
// sequence, the term of a pair, the strongest pairs, and measures of the symmetry of the update. Frame thread.
#pragma once

#include <memory>
#include <string>

#include "ui/exhibits/training/update/update_result.h"
#include "ui/page/lane_result.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

/// The user's choices on the page.
struct UpdateChoice {
  std::string text;    ///< empty: the first validation sequence
  int i = -1, j = -1;  ///< query and key of the pair; if one is -1: the strongest pair of the first run that has one
  std::string shows;   ///< beside beta: "pair": its term; "token": what the token of the key adds to a column and a row
  int column = -1, row = -1;  ///< of W_qk; -1: those that the step changes most
};

/// The update of one run of the race at the shown step, computed in the background, and the sentence that replaces it
/// while there is none.
class UpdateSide {
 public:
  UpdateSide(ResultSet& results, const std::string& number)
      : probe_(results, "training.update" + number), pair_(results, "training.update.pair" + number) {}

  /// Takes over finished results and requests outdated ones again. `racing` null: the race has no such run.
  void update(const RacingRun* racing, const RaceShared& shared, const UpdateChoice& choice, ExhibitContext& context);
  /// Requests the term of a pair of positions.
  void updatePair(int i, int j, const UpdateChoice& choice, ExhibitContext& context);
  bool complete() const { return probe_.complete() && pair_.complete(); }

  const UpdatePointer& result() const { return probe_.value(); }        ///< null: none
  const std::string& sentence() const { return probe_.sentence(); }     ///< why result() is null
  PairPointer pair() const;                                             ///< of result(); null: none
  const std::string& pairSentence() const { return pair_.sentence(); }  ///< why pair() is null

 private:
  LaneResult<UpdateRequest, UpdatePointer> probe_;
  LaneResult<PairRequest, PairPointer> pair_;
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_;
};

class UpdatePage final : public RacePage {
 public:
  UpdatePage() : RacePage({"update", N_("Update"), "training.update."}, {.watches = true}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& shared) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = sides_[0].complete() && sides_[1].complete();
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  static constexpr std::size_t kRuns = 2;
  void declareReadOutsOfRuns(PropertyRegistry& registry);
  void declareTokens(PropertyRegistry& registry);
  MatrixContent beta(const RaceFrame& frame, std::size_t run) const;
  MatrixContent term(std::size_t run) const;
  TableContent table(std::size_t run) const;
  bool showsToken() const { return choice_.shows == "token"; }
  void addBeside(Views& made, const RaceFrame& frame, std::size_t run) const;
  /// The layout of one run. `below`: its numbers are below the squares, otherwise in a column beside them.
  Arrangement runArrangement(const RaceFrame& frame, std::size_t run, bool below) const;
  Numbers exported(const RaceShared& shared) const;
  void addLineNumbers(Numbers& numbers, const RaceShared& shared) const;

  UpdateSide sides_[kRuns] = {UpdateSide(results_, "0"), UpdateSide(results_, "1")};
  UpdateChoice choice_;
  int i_ = -1, j_ = -1;  ///< the pair that is shown
};

}  // namespace sepx::ui
