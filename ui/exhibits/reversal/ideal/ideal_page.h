// SPDX-License-Identifier: Apache-2.0
// The page Ideal: the layer of Reversal, appendix C.3, with one token of evidence under gradient flow on the forward
// loss. Probabilities, attention and storage over time, and the geometry of the scores, in which the distances are
// dragged: under RoPE to where the condition of Proposition C.2 is violated. Needs no run. The flow is followed in the
// frame itself: it takes about half a millisecond (D = 8), and what is dragged is seen at once. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/exhibits/reversal/ideal/ideal_view.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/view_page.h"

namespace sepx::ui {

class IdealPage final : public ViewPage {
 public:
  IdealPage() : ViewPage("reversal.ideal") {}
  PageLabel label() const override { return {"ideal", N_("Idealised flow")}; }
  RaceTraits traits() const override { return {.runs = false}; }
  void declare(PropertyRegistry& registry, const ReversalShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) override;
  void panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  Numbers numbers(const ReversalShared& shared) const override;
  std::string caption(const ReversalShared& shared) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  std::vector<Command> commands(const ReversalShared& shared, const Document& document) override;

 protected:
  bool showsSteps() const override { return false; }
  bool showsRuns() const override { return false; }
  void ask(const ReversalFrame& frame, ExhibitContext& context) override;
  Views views(const ReversalFrame& frame) const override;

 private:
  void declareResults(PropertyRegistry& registry);
  const reversal::TransferState* shown() const { return view_ ? &view_->at(time_) : nullptr; }
  ChoicesContent choices(const ReversalFrame& frame) const;
  TextContent words(const ReversalFrame& frame, const std::string& text) const;
  bool hasRoomForWords(const ReversalFrame& frame) const;
  ChartContent chart(const ReversalFrame& frame, IdealChart which) const;
  void dragDistance(Editor& editor, double x, double from) const;
  /// The distances go to where the condition of RoPE is least; Delta1 stays where it can.
  void violate(ExhibitContext& context) const;

  IdealRequest request_;
  bool remaining_ = false;
  double time_ = kLastIdealTime;
  IdealPointer view_;
  std::optional<IdealRequest> followed_;  ///< of view_ and failure_
  std::string failure_;
};

}  // namespace sepx::ui
