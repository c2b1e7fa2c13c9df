// SPDX-License-Identifier: Apache-2.0
// The page Gradients: the cosine of forward and reverse gradients by group of parameters at the step shown, beside the
// value of the idealised theory. It also shows the cosine over the saved steps, the factors of the storage gradient,
// the signs of Proposition 4.1, and the first-order prediction of a step beside its measured effect. Frame thread.
#pragma once

#include <string>
#include <vector>

#include "ui/exhibits/reversal/gradients/gradients_result.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class GradientsPage final : public RacePage {
 public:
  GradientsPage() : RacePage({"gradients", N_("Gradients"), "reversal.gradients."}, {.watches = true}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = measured_.complete() && singles_.complete() && history_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  Numbers numbers(const RaceShared& shared) const;
  std::string caption(const RaceShared& shared) const;
  void declareResults(PropertyRegistry& registry);
  void declareGroups(PropertyRegistry& registry);
  void measure(const RaceShared& shared, ExhibitContext& context);
  void follow(const RacingRun& racing, ExhibitContext& context);
  /// The result of the measurement; null: none.
  const GradientsResult* result() const { return measured_.value().get(); }
  std::string failure() const;          ///< why there is no result; empty: there is one
  std::string historySentence() const;  ///< shown in place of the curve over the steps
  std::string title() const;
  bool addSteps(Views& made, const RaceFrame& frame) const;
  TextContent facts(const RaceFrame& frame, double width, bool stepsShown) const;

  GradientsRequest choice_;  ///< without a model
  LaneResult<GradientsRequest, GradientsPointer> measured_{results_, "reversal.gradients"};
  LaneResult<SinglesRequest, SinglesPointer> singles_{results_, "reversal.gradients.singles"};
  LaneResult<CosineHistoryRequest, HistoryPointer> history_{results_, "reversal.gradients.steps"};
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_;
};

}  // namespace sepx::ui
