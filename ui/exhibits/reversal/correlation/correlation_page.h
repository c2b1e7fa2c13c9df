// SPDX-License-Identifier: Apache-2.0
// The page Correlation: the correlation of forward and reverse attention scores of the selected model at the step
// shown, by the sum of the distances, with the bounds that hold under Assumption 4.2. It also shows the correlation far
// beyond the length of the sequences, where the trace becomes negative, and the assumption itself, plane by plane. The
// bounds need no run. Frame thread.
#pragma once

#include <memory>
#include <string>

#include "ui/exhibits/reversal/correlation/correlation_result.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class CorrelationPage final : public RacePage {
 public:
  CorrelationPage() : RacePage({"correlation", N_("Correlation"), "reversal.correlation."}, {.watches = true}) {}
  void declare(PropertyRegistry& registry, const RaceShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) override;
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = measured_.complete() && bounds_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::string caption(const RaceShared& shared) const;
  void declareResults(PropertyRegistry& registry);
  void measure(const RaceShared& shared, ExhibitContext& context);
  /// The result of the measurement; null: none.
  const CorrelationResult* measured() const { return measured_.value().get(); }
  const RopeBounds* bounds() const { return bounds_.value().get(); }
  /// Why there is no result, or why there are no planes.
  std::string missing() const;
  NoteLine title() const;
  Numbers exported(const RaceShared& shared) const;

  BoundsRequest choice_;  ///< without the length
  int head_ = 0;
  LaneResult<CorrelationRequest, CorrelationPointer> measured_{results_, "reversal.correlation"};
  LaneResult<BoundsRequest, BoundsPointer> bounds_{results_, "reversal.correlation.bounds"};
  std::shared_ptr<RunData> data_ = std::make_shared<RunData>();
  std::string folder_;
};

}  // namespace sepx::ui
