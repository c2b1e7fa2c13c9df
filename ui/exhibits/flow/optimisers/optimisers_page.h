// SPDX-License-Identifier: Apache-2.0
// The page of optimisers: gradient flow, gradient descent, SGD, momentum and AdamW from the selected point over the
// plane, their loss beside it, and a table of where each ends and leaves the basin of the flow. The race is a job.
// Frame thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibit/lane.h"
#include "ui/exhibits/flow/optimisers/optimisers_state.h"
#include "ui/exhibits/flow/shared/plane_ground.h"
#include "ui/plots/table.h"

namespace sepx::ui {

class OptimiserPage final : public FlowPage {
 public:
  OptimiserPage();

  PageLabel label() const override { return {"optimisers", N_("Optimisers"), "4"}; }
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) override;
  void update(const FlowPageFrame& frame, ExhibitContext& context) override;
  Camera camera(const FlowPageFrame& frame) const override;
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return race_.complete() && ground_.complete(); }
  bool animating() const override { return playing_; }
  Numbers numbers(const FlowShared& shared) const override;
  std::string caption(const FlowShared& shared) const override;
  std::string status(const FlowShared& shared) const override;
  std::vector<Exhibit::Command> commands(const FlowShared& shared, const Document& document) const override;
  bool run(const FlowPageFrame& frame, ExhibitContext& context, std::string_view command) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  FlowPoint placeForPoint(const FlowPageFrame& frame) const override;
  double playSeconds() const override;

  /// What read-outs say; nothing for one that is not shown or not computed.
  const markov::RacePath* path(markov::Racer racer) const;
  const markov::Race* race() const { return race_.result() && *race_.result() ? &**race_.result() : nullptr; }
  const OptimisersState& state() const { return state_; }

  /// Where things are on the page.
  struct Layout {
    FlowLayout plane;
    std::optional<render::Rect> chart, table;
    std::vector<std::string> words;  ///< below the table: why the start has no basin
  };

 private:
  Layout layoutOf(const FlowPageFrame& frame) const;

  void updateRace(ExhibitContext& context);
  const RaceRequest& raceRequest() const { return *race_.answered(); }  ///< what race() is of
  /// Why there is no race; empty while all is well.
  std::string failure() const { return race_.result() && !*race_.result() ? race_.result()->error().sentence : ""; }
  void fit();
  void advance(double speed, double seconds);
  /// Lays the page out and makes its chart anew when something they depend on has changed.
  void refresh(const FlowPageFrame& frame);
  LineChart chartOf(const Theme& theme) const;
  /// The step that heads and cursor stand at: of the play, or under the pointer.
  std::optional<int> shownStep(const FlowPageFrame& frame) const;
  std::vector<render::Item> pathItems(const FlowPageFrame& frame, const FlowFrame& plane) const;
  std::vector<render::Item> nameItems(const FlowPageFrame& frame, const FlowFrame& plane) const;
  std::vector<render::Item> headItems(const FlowPageFrame& frame, int step) const;
  TableView endTable(const Theme& theme) const;
  std::vector<render::Item> tableItems(const FlowPageFrame& frame, const render::Rect& box) const;
  std::vector<render::Item> sentenceItems(const FlowPageFrame& frame) const;
  LayerKey raceKey(LayerKey key) const;

  PlaneGround ground_;
  Layout layout_;                     ///< of the last frame, as the chart
  std::optional<PlacedChart> chart_;  ///< where there is room for it
  LayerKey made_;                     ///< what layout and chart are of
  PageLayers layers_;
  OptimisersState state_;
  Lane<RaceRequest, Result<markov::Race>> race_{"flow.optimisers.race"};
  render::Rect fitted_;  ///< the window around the race
  std::optional<std::uint64_t> fitOf_;
  bool playing_ = false;
  double speed_ = 1;              ///< of the play
  std::optional<double> played_;  ///< share of the steps where the heads stand
  std::optional<double> last_;    ///< host time of the last frame of the play
  std::uint64_t seed_ = 0;
};

/// Properties and read-outs of the page.
void declareOptimisers(PropertyRegistry& registry, const FlowShared& live, const OptimiserPage& page);

}  // namespace sepx::ui
