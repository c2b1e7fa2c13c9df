// SPDX-License-Identifier: Apache-2.0
// The page Checkpoint: forward and reverse attention scores in a checkpoint with RoPE such as LLaDA, Dream or LLaMA.
// The correlation of both by head, Assumption 4.2 in the planes of a head, far distances with the trace, and the
// correlation over given prompts by layer and head. Without a file the model opened in Weights is shown, else the model
// of pairs that ships. Fine-tuning such models is out of scope, and the page says so. Frame thread.
#pragma once

#include <optional>
#include <string>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/reversal/checkpoint/checkpoint_view.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

class CheckpointPage final : public ReversalPage {
 public:
  PageLabel label() const override { return {"checkpoint", N_("Checkpoint")}; }
  void declare(PropertyRegistry& registry, const ReversalShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) override;
  void update(const ReversalFrame& frame, ExhibitContext& context) override;
  void scene(const ReversalFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const ReversalFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  void report(const ReversalFrame&, const ExhibitContext&) const override {}
  bool complete() const override { return lane_.complete(); }
  Numbers numbers(const ReversalShared& shared) const override;
  std::string caption(const ReversalShared& shared) const override;

 private:
  enum Slot : std::size_t { kHeads, kFar, kPlanes, kWords, kSlots };
  struct Kept {
    LayerKey key;
    PlacedChart chart;
  };
  void declareResults(PropertyRegistry& registry);
  /// The planes of the chosen head; null: there are none.
  const reversal::RopePlanes* planes() const;
  const studies::PromptHead* prompted() const;
  /// A small pane has room for a failure or for what was measured before it.
  bool saysFailureAlone(const ReversalFrame& frame) const { return frame.compact && !failure_.empty(); }
  std::vector<render::Rect> boxesOf(const ReversalFrame& frame) const;
  void placeChart(Slot slot, const ReversalFrame& frame, const render::Rect& box, LineChart chart);
  void place(const ReversalFrame& frame);
  std::vector<render::Item> words(const ReversalFrame& frame, const render::Rect& box) const;
  /// The (layer, head) that a click chooses.
  std::optional<std::pair<int, int>> headAt(const ReversalFrame& frame, render::Point page) const;

  HeadsRequest request_;
  int head_ = 0, layer_ = 0, distance_ = 1;
  Lane<HeadsRequest, Result<HeadsPointer>> lane_{"reversal.checkpoint"};
  HeadsPointer view_;
  std::string failure_;
  std::uint64_t changes_ = 0;
  std::optional<Kept> charts_[kSlots];
  PageLayers layers_;
};

}  // namespace sepx::ui
