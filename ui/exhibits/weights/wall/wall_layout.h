// SPDX-License-Identifier: Apache-2.0
// Where the pictures of the wall are: rows of equal height that scroll. Where the wall chooses the size, several layers
// stand beside each other and a layer takes several rows if that lets pictures be larger. Pure.
#pragma once

#include <optional>
#include <vector>

#include "ui/exhibits/weights/wall/wall_thumbs.h"

namespace sepx::ui {

struct WallCell {
  WallPlace place;
  render::Rect picture;  ///< page
  int row = 0;
};

/// A layer at the left of its first row.
struct WallName {
  int layer = 0;  ///< its place in the map
  int row = 0;
  double left = 0;  ///< page
};

class WallLayout {
 public:
  struct Input {
    const checkpoint::AttentionMap* map = nullptr;
    const std::vector<LayerScores>* board = nullptr;
    WallOrder order = WallOrder::Layer;
    render::Rect area;  ///< of the rows, below the legend
    double size = 0;    ///< of a picture; 0: as large as lets all be seen at once, or as the width allows
    double textSize = 12;
  };
  void make(const Input& input);

  double size() const { return size_; }
  float textSize() const { return textSize_; }
  double height() const { return cells_.empty() ? 0 : (cells_.back().row + 1) * rowHeight_; }
  double rowHeight() const { return rowHeight_; }
  double labelWidth() const { return labelWidth_; }
  const render::Rect& area() const { return area_; }
  /// As they are without scrolling, row by row.
  const std::vector<WallCell>& cells() const { return cells_; }
  const std::vector<WallName>& names() const { return names_; }
  /// The first row that is in sight at this scroll, and the one after the last.
  std::pair<int, int> rowsInSight(double scroll) const;
  /// Where they are at this scroll.
  std::vector<WallCell> inSight(double scroll) const;
  std::optional<WallCell> at(render::Point page, double scroll) const;

 private:
  /// `across`: layers beside each other. Answers how many rows the longest layer takes.
  int layOut(const Input& input, double size, int across);
  int layByLayer(const Input& input, double size, int across);
  void layLargest(const Input& input);
  void laySorted(const Input& input, double size);
  void setSize(double size, const Input& input);
  void add(WallPlace place, int row, double left);

  std::vector<WallCell> cells_;
  std::vector<WallName> names_;
  render::Rect area_;
  double size_ = 48, rowHeight_ = 80, labelWidth_ = 0;
  float textSize_ = 12;
};

}  // namespace sepx::ui
