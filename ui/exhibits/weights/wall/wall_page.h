// SPDX-License-Identifier: Apache-2.0
// The wall: every layer and head as a small picture of its W_qk with its scores, layer by layer or sorted by a score.
// Only pictures in sight are computed and drawn, so the number of heads is not limited. Frame thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/charts_plot.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/wall/wall_layout.h"

namespace sepx::ui {

class WallPage final : public WeightsPage {
 public:
  WallPage() : WeightsPage({"wall", N_("Heads"), "wall.", {{"wall", N_("Heads")}}, true, "wall", N_("heads")}) {}
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const WeightsShared& shared) const override {
    PageFacts now = WeightsPage::facts(shared);
    now.complete = thumbs_.complete() && boardDone_;
    now.status = [this, &shared] { return status(shared); };
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const WallLayout& layout() const { return layout_; }
  double scroll() const { return scroll_; }

 protected:
  void ask(const PageFrame& frame, ExhibitContext& context) override;
  Views views(const PageFrame& frame) const override;

 private:
  Numbers numbers(const WeightsShared& shared) const;
  std::string caption(const WeightsShared& shared) const;
  std::string status(const WeightsShared& shared) const;
  double mostScroll() const { return std::max(0.0, layout_.height() - layout_.area().height()); }
  void scrollTo(double points) const { scroll_ = std::clamp(points, 0.0, mostScroll()); }
  void reveal(const WallCell& cell) const;
  void follow(const WeightsShared& shared);
  float limitOf(const Thumb& thumb, bool wholeLayer) const;
  void shareLimits();
  std::string legendText() const;
  PictureContent legend() const;
  PictureContent heads(const PageFrame& frame) const;
  PictureContent scrollBar() const;
  /// Adds charts of the scores by layer, if the pictures leave room at their right.
  void addCharts(Views& into, const PageFrame& frame) const;
  void addPicture(std::vector<render::Item>& items, const WallCell& cell, const Theme& theme) const;
  void addName(std::vector<render::Item>& items, const WeightsShared& shared, const WallName& name,
               const ViewPlace& place) const;
  void addTexts(std::vector<render::Item>& items, const WeightsShared& shared, const WallCell& cell,
                const ViewPlace& place) const;
  std::vector<render::Item> items(const WeightsShared& shared, const ViewPlace& place) const;
  std::vector<std::string> tipLines(const WeightsShared& shared, const WallCell& cell) const;

  WallThumbs thumbs_;
  WallLayout layout_;
  std::uint64_t layoutDigest_ = 0;  ///< digest of the input of layout_
  mutable double scroll_ = 0;       ///< points; changed by wheel and scroll bar, whose functions views() makes
  bool shared_ = false;             ///< one colour scale for all
  double size_ = 0;                 ///< 0: automatic
  float headLimit_ = 1, layerLimit_ = 1;
  bool boardDone_ = true;
  std::array<std::vector<StackSeries>, 2> series_;  ///< scores by layer, for the charts
  std::uint64_t seriesOf_ = 0;                      ///< digest of their input
  std::optional<WallPlace> followed_;               ///< the selected place that was last scrolled into sight
};

}  // namespace sepx::ui
