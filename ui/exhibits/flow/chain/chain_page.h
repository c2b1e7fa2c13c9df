// SPDX-License-Identifier: Apache-2.0
// The page of (p,q): the square with what varies over it, sigma as a third control, P(I_min) against sigma, and a path
// across p + q = 1 with a head that plays along it. The document holds the place, the path and the head; the page owns
// gestures and the clock of the playing head. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/flow/chain/chain_items.h"
#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/shared/flow_page.h"

namespace sepx::ui {

class ChainPage final : public FlowPage {
 public:
  PageLabel label() const override { return {"chain", N_("Chains")}; }
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& shared) override;
  void update(const FlowPageFrame& frame, ExhibitContext& context) override;
  Camera camera(const FlowPageFrame& frame) const override;
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) override;
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
  enum class Grip { None, Here, Start, End, Head, Along, Sigma };
  ChainView view(const FlowPageFrame& frame) const;
  ChainLayout layoutOf(const FlowPageFrame& frame) const;
  Grip gripAt(const FlowPageFrame& frame, render::Point at) const;
  void pressed(const FlowPageFrame& frame, ExhibitContext& context, const PointerPressed& event);
  void drag(const FlowPageFrame& frame, ExhibitContext& context, render::Point at, bool coarse);
  void takeBack(ExhibitContext& context);
  void showPlane(ExhibitContext& context);
  bool nudge(ExhibitContext& context, const KeyPressed& event);
  std::vector<std::string> tipAt(const FlowPageFrame& frame, render::Point at) const;
  void togglePlay(ExhibitContext& context);
  void play(ExhibitContext& context);
  void finishFollowing(ExhibitContext& context);

  PageLayers layers_;
  ChainState state_;
  ChainResults results_;
  Grip grip_ = Grip::None;
  Document before_;       ///< of the drag
  bool changed_ = false;  ///< by the drag
  bool twice_ = false;    ///< the press is the second of a double click
  ClickTimer clicks_;
  bool curveShown_ = true;  ///< at this size: the caption says what is drawn
  bool playing_ = false;
  std::optional<double> lastSeconds_;
  std::optional<markov::Chain> followedFrom_;  ///< the document's place before it began to follow
};

void declareChain(PropertyRegistry& registry, const FlowShared& live, const ChainState& state,
                  const ChainResults& results);

}  // namespace sepx::ui
