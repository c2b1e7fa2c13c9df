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
#include "ui/exhibits/flow/shared/flow_page.h"

namespace sepx::ui {

class ChainPage final : public FlowPage {
 public:
  ChainPage() : FlowPage({"chain", N_("Chains"), "flow.chain."}, {.points = false, .cloud = true, .paths = false}) {}
  PageFacts facts(const FlowShared& shared) const override;
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& shared) override;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  std::vector<Command> commands(const FlowShared& shared, const Document& document) override;
  FlowMoves moves(const Document&) override;

  static constexpr double kSeconds = 8;  ///< of a play from start to end at speed 1

 private:
  void ask(const FlowPageFrame& frame, ExhibitContext& context) override;
  Views views(const FlowPageFrame& frame) const override;
  Numbers numbers() const;
  std::string caption() const;
  std::string status() const;
  Camera camera(const PageArea& area) const;
  ChainSquare squareIn(const ViewPlace& place, bool compact) const;
  std::vector<ViewHandle> handles() const;
  void addSquare(Views& into, const FlowPageFrame& frame) const;
  void addWords(Views& into) const;
  void nudge(ExhibitContext& context, const KeyPressed& event);
  void togglePlay(ExhibitContext& context);
  void play(ExhibitContext& context);
  void finishFollowing(ExhibitContext& context);

  ChainState state_;
  ChainResults chain_;
  bool playing_ = false;
  std::optional<double> lastSeconds_;
  std::optional<markov::Chain> followedFrom_;  ///< the document's place before it began to follow
};

}  // namespace sepx::ui
