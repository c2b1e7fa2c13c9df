// SPDX-License-Identifier: Apache-2.0
// The page of (p,q): the square with what varies over it, sigma as a third control, P(I_min) against sigma, and a path
// across p + q = 1 with a head that plays along it. The document holds the place, the path and the head; the page owns
// gestures and the clock of the playing head. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/exhibits/flow/chain/chain_views.h"
#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/shared/flow_view_page.h"

namespace sepx::ui {

class ChainPage final : public FlowViewPage {
 public:
  ChainPage() : FlowViewPage("flow.chain") {}

  PageLabel label() const override { return {"chain", N_("Chains")}; }
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& shared) override;
  Camera camera(const FlowPageFrame& frame) const override;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return results_.complete(); }
  bool animating() const override { return playing_; }
  Numbers numbers(const FlowShared& shared) const override;
  std::string caption(const FlowShared& shared) const override;
  std::string status(const FlowShared& shared) const override;
  std::vector<Command> commands(const FlowShared& shared, const Document& document) override;
  FlowMoves moves(const Document&) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  FlowTraits traits() const override { return {.points = false, .cloud = true}; }
  double playSeconds() const override { return kSeconds / state_.speed; }

  static constexpr double kSeconds = 8;  ///< of a play from start to end at speed 1

 private:
  void ask(const FlowPageFrame& frame, ExhibitContext& context) override;
  Views views(const FlowPageFrame& frame) const override;
  std::uint64_t madeOf(const FlowPageFrame& frame) const override;
  bool moving(const FlowPageFrame&) const override { return playing_; }
  ChainSquare squareIn(const ViewPlace& place, bool compact) const;
  std::vector<ViewHandle> handles() const;
  void addSquare(Views& into, const FlowPageFrame& frame) const;
  void addWords(Views& into) const;
  void nudge(ExhibitContext& context, const KeyPressed& event);
  void togglePlay(ExhibitContext& context);
  void play(ExhibitContext& context);
  void finishFollowing(ExhibitContext& context);

  ChainState state_;
  ChainResults results_;
  bool playing_ = false;
  std::optional<double> lastSeconds_;
  std::optional<markov::Chain> followedFrom_;  ///< the document's place before it began to follow
};

}  // namespace sepx::ui
