// SPDX-License-Identifier: Apache-2.0
// The page Ideal: the layer of Reversal, appendix C.3, with one token of evidence under gradient flow on the forward
// loss. It shows probabilities, attention and storage over time, and the geometry of the scores, in which the distances
// can be dragged: under RoPE to values that violate the condition of Proposition C.2. Needs no run. The flow is
// computed on the frame thread in about half a millisecond (D = 8), so that a drag is visible at once. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/reversal/ideal/ideal_result.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page.h"

namespace sepx::ui {

class IdealPage final : public RacePage {
 public:
  IdealPage()
      : RacePage({"ideal", N_("Idealised flow"), "reversal.ideal."},
                 {.runs = false, .transport = false, .watches = true, .failures = false}) {}
  void declare(PropertyRegistry& registry, const ReversalShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) override;
  void panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const ReversalShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    now.gestures = [this] { return gestures(); };
    return now;
  }
  std::vector<Command> commands(const ReversalShared& shared, const Document& document) override;

 protected:
  void ask(const ReversalFrame& frame, ExhibitContext& context) override;
  Views views(const ReversalFrame& frame) const override;

 private:
  std::vector<std::pair<std::string, std::string>> gestures() const;
  Numbers numbers(const ReversalShared& shared) const;
  std::string caption(const ReversalShared& shared) const;
  void declareResults(PropertyRegistry& registry);
  const reversal::TransferState* shown() const { return result_ ? &result_->at(time_) : nullptr; }
  ChoicesContent choices(const ReversalFrame& frame) const;
  TextContent words(const ReversalFrame& frame, const std::string& text) const;
  bool hasRoomForWords(const ReversalFrame& frame) const;
  ChartContent chart(const ReversalFrame& frame, IdealChart which) const;
  void dragDistance(Editor& editor, double x, double from) const;
  /// Sets the distances for which the condition of RoPE is least. Delta1 stays if possible.
  void violate(ExhibitContext& context) const;

  IdealRequest request_;
  bool remaining_ = false;
  double time_ = kLastIdealTime;
  IdealPointer result_;
  std::optional<IdealRequest> followed_;  ///< the request that result_ and failure_ belong to
  std::string failure_;
};

}  // namespace sepx::ui
