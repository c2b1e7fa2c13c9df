// SPDX-License-Identifier: Apache-2.0
// The page Checkpoint: forward and reverse attention scores in a checkpoint with RoPE such as LLaDA, Dream or LLaMA. It
// shows their correlation by head, Assumption 4.2 in the planes of a head, far distances with the trace, and the
// correlation over given prompts by layer and head. For a model that this program trained on pairs it also shows
// gradient and probability as in Figures 4 and 6, while the model trains on with forward queries. Without a file the
// model that is open in Weights is shown, or else the shipped model of pairs. Fine-tuning models such as LLaDA is out
// of scope, and the page says so. Frame thread.
#pragma once

#include "ui/exhibits/reversal/checkpoint/checkpoint_result.h"
#include "ui/exhibits/reversal/checkpoint/transfer_result.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

class CheckpointPage final : public RacePage {
 public:
  CheckpointPage()
      : RacePage({"checkpoint", N_("Checkpoint"), "reversal.checkpoint."},
                 {.runs = false, .transport = false, .failures = false}) {}
  void declare(PropertyRegistry& registry, const ReversalShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) override;
  void panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const ReversalShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.complete = measured_.complete() && transfer_.complete();
    now.caption = [this, &shared] { return caption(shared); };
    return now;
  }

 protected:
  void ask(const ReversalFrame& frame, ExhibitContext& context) override;
  Views views(const ReversalFrame& frame) const override;

 private:
  std::string caption(const ReversalShared& shared) const;
  void declareResults(PropertyRegistry& registry);
  /// The result of the measurement; null: none.
  const HeadsResult* measured() const { return measured_.value().get(); }
  /// The reason of a failure; empty: none.
  std::string failure() const;
  /// The planes of the chosen head; null: there are none.
  const reversal::RopePlanes* planes() const;
  const studies::PromptHead* prompted() const;
  /// Probabilities and cosine; null: nothing was measured.
  const TransferResult* transfer() const { return transfer_.value().get(); }
  /// The point before the first step, or after the last; null: there is none.
  const reversal::TransferPoint* transferPoint(bool last) const;
  /// Why transfer() is null; empty: it is not.
  std::string transferFailure() const;
  TextContent words() const;

  HeadsRequest request_;
  int head_ = 0, layer_ = 0, distance_ = 1;
  LaneResult<HeadsRequest, HeadsPointer> measured_{results_, "reversal.checkpoint"};
  TransferRequest steps_;  ///< without the path
  LaneResult<TransferRequest, TransferPointer> transfer_{results_, "reversal.checkpoint.transfer"};
};

}  // namespace sepx::ui
