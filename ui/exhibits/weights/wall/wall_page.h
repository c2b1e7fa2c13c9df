// SPDX-License-Identifier: Apache-2.0
// The wall: every layer and head as a small picture of its W_qk with its scores, layer by layer or sorted by a score.
// Only what is in sight is laid out, computed and drawn, so that any number of heads scrolls. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/wall/wall_thumbs.h"

namespace sepx::ui {

struct WallCell {
  WallPlace place;
  render::Rect picture;  ///< page
};

/// Where the cells are: rows of equal height, scrolled by `scroll` points. A line is what a layer has of a row; where
/// the wall chooses the size, several layers stand beside each other and a layer takes several rows if that lets
/// pictures be larger.
class WallLayout {
 public:
  struct Input {
    const checkpoint::AttentionMap* map = nullptr;
    const std::vector<LayerScores>* board = nullptr;
    WallOrder order = WallOrder::Layer;
    render::Rect area;  ///< of the lines, below the legend
    double size = 0;    ///< of a picture; 0: as large as lets all be seen at once, or as the width allows
    double textSize = 12;
  };
  void make(const Input& input);

  double size() const { return size_; }
  float textSize() const { return textSize_; }
  double height() const { return lines_.empty() ? 0 : (lines_.back().row + 1) * lineHeight_; }
  double lineHeight() const { return lineHeight_; }
  double labelWidth() const { return labelWidth_; }
  std::size_t lines() const { return lines_.size(); }
  /// The layer whose block begins with this line; -1: none (a further line of it, or sorted).
  int labelOf(std::size_t line) const { return lines_[line].label; }
  double leftOf(std::size_t line) const { return area_.min.x + lines_[line].left; }
  /// Those that meet the area at this scroll.
  std::pair<std::size_t, std::size_t> inSight(double scroll) const;
  double topOf(std::size_t line, double scroll) const;
  std::vector<WallCell> cells(std::size_t line, double scroll) const;
  std::optional<WallCell> at(render::Point page, double scroll) const;
  /// The line of a place; nothing when it has no cell.
  std::optional<std::size_t> lineOf(WallPlace place) const;

 private:
  struct Line {
    int label = -1;
    std::size_t first = 0, count = 0;
    int row = 0;
    double left = 0;  ///< within the area
  };
  /// Layers beside each other, and rows of one.
  struct Blocks {
    int across = 1, rows = 1;
  };
  bool layOut(const Input& input, double size, Blocks blocks);
  bool layByLayer(const Input& input, double size, Blocks blocks);
  void layLargest(const Input& input);
  void laySorted(const Input& input, double size);
  std::vector<WallPlace> places_;
  std::vector<Line> lines_;
  render::Rect area_;
  double size_ = 48, gap_ = 6, lineHeight_ = 80, labelWidth_ = 0;
  float textSize_ = 12;
};

class WallPage final : public WeightsPage {
 public:
  PageLabel label() const override { return {"wall", N_("Heads")}; }
  std::vector<PropertyGroup> groups() const override { return {{"wall", N_("Heads")}}; }
  void declare(PropertyRegistry& registry, const WeightsShared& live) override;
  void update(const PageFrame& frame, ExhibitContext& context) override;
  void scene(const PageFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return thumbs_.complete() && boardDone_; }
  Numbers numbers(const WeightsShared& shared) const override;
  std::string caption(const WeightsShared& shared) const override;
  std::string status(const WeightsShared& shared) const override;
  std::vector<Command> commands(const WeightsShared& shared, const Document& document) override;

  const WallLayout& layout() const { return layout_; }
  double scroll() const { return scroll_; }

 private:
  render::Rect linesArea(const PageFrame& frame) const;
  double most(const PageFrame& frame) const;  ///< largest scroll
  void follow(const PageFrame& frame);
  float limitOf(const Thumb& thumb, bool wholeLayer) const;
  void shareLimits();
  std::string legendText() const;
  std::vector<render::Item> pictureItems(const PageFrame& frame) const;
  std::vector<render::Item> textItems(const PageFrame& frame) const;
  std::vector<render::Item> chromeItems(const PageFrame& frame) const;
  std::vector<render::Item> tipItems(const PageFrame& frame, const WallCell& cell) const;
  PlaceScores scoresOf(const PageFrame& frame, WallPlace place) const;
  std::vector<WallCell> cellsInSight() const;
  void addLayerName(std::vector<render::Item>& items, const PageFrame& frame, std::size_t line) const;

  PageLayers layers_;
  WallThumbs thumbs_;
  WallLayout layout_;
  LayerKey laid_;
  double scroll_ = 0;
  bool dragging_ = false;  ///< the scroll bar
  bool shared_ = false;    ///< one colour scale for all
  double size_ = 0;        ///< 0: automatic
  float headLimit_ = 1, layerLimit_ = 1;
  bool boardDone_ = true;
  std::optional<WallPlace> followed_;  ///< the chosen place that was last brought into sight
};

}  // namespace sepx::ui
