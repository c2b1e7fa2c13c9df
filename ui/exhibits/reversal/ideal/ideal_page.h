// SPDX-License-Identifier: Apache-2.0
// The page Ideal: the layer of Reversal, appendix C.3, with one token of evidence under gradient flow on the forward
// loss. Probabilities, attention and storage over time, and the geometry of the scores, in which the distances are
// dragged: under RoPE to where the condition of Proposition C.2 is violated. Needs no run. The flow is followed in the
// frame itself: it takes about half a millisecond (D = 8), and what is dragged is seen at once. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/reversal/ideal/ideal_view.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

class IdealPage final : public ReversalPage {
 public:
  PageLabel label() const override { return {"ideal", N_("Ideal")}; }
  RaceTraits traits() const override { return {.runs = false}; }
  void declare(PropertyRegistry& registry, const ReversalShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) override;
  void update(const ReversalFrame& frame, ExhibitContext& context) override;
  void scene(const ReversalFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const ReversalFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  void report(const ReversalFrame& frame, const ExhibitContext& context) const override;
  bool complete() const override { return true; }
  Numbers numbers(const ReversalShared& shared) const override;
  std::string caption(const ReversalShared& shared) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  std::vector<Command> commands(const ReversalShared& shared, const Document& document) override;

 private:
  static constexpr std::size_t kCharts = 4;
  /// What a drag holds.
  enum class Held { Sum, Forward, Reverse, Time };
  struct Kept {
    LayerKey key;
    PlacedChart chart;
  };
  void declareResults(PropertyRegistry& registry);
  const reversal::TransferState* shown() const { return view_ ? &view_->at(time_) : nullptr; }
  void compute();
  Strip controls(const ReversalFrame& frame) const;
  std::vector<std::string> wrappedWords(const ReversalFrame& frame, const std::string& text) const;
  bool hasRoomForWords(const ReversalFrame& frame) const;
  std::vector<std::string> sentenceLines(const ReversalFrame& frame) const;
  void place(const ReversalFrame& frame);
  bool overTime(std::size_t chart) const { return chart + 1 < kCharts; }
  std::optional<std::size_t> chartAt(render::Point page) const;
  Held holdAt(render::Point page, std::size_t chart) const;
  void drag(ExhibitContext& context, render::Point page);
  /// The distances go to where the condition of RoPE is least; Delta1 stays where it can.
  void violate(ExhibitContext& context) const;

  IdealRequest request_;
  bool remaining_ = false;
  double time_ = kLastIdealTime;
  IdealPointer view_;
  std::optional<IdealRequest> followed_;  ///< of view_ and failure_
  std::string failure_;
  std::uint64_t changes_ = 0;
  std::optional<Kept> charts_[kCharts];
  std::optional<Held> held_;
  std::size_t heldIn_ = 0;
  PageLayers layers_;
};

}  // namespace sepx::ui
