// SPDX-License-Identifier: Apache-2.0
// The layout of the pictures of the wall: rows of equal height that scroll. If the wall chooses the size, several
// layers can be side by side and a layer can take several rows, if this makes the pictures larger. Pure.
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

/// The name of a layer, at the left of its first row.
struct WallName {
  int layer = 0;  ///< its index in the map
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
    double size = 0;    ///< of a picture; 0: the largest that needs no scrolling, or that the width allows
    double textSize = 12;
  };
  void make(const Input& input);

  double size() const { return size_; }
  float textSize() const { return textSize_; }
  double height() const { return cells_.empty() ? 0 : (cells_.back().row + 1) * rowHeight_; }
  double rowHeight() const { return rowHeight_; }
  double labelWidth() const { return labelWidth_; }
  const render::Rect& area() const { return area_; }
  /// Their places without scrolling, row by row.
  const std::vector<WallCell>& cells() const { return cells_; }
  const std::vector<WallName>& names() const { return names_; }
  /// The first row in sight at this scroll position, and the one after the last.
  std::pair<int, int> visibleRows(double scroll) const;
  /// The cells in sight, at their places at this scroll position.
  std::vector<WallCell> visibleCells(double scroll) const;
  std::optional<WallCell> at(render::Point page, double scroll) const;

 private:
  /// `across`: layers side by side. Returns the number of rows of the longest layer.
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
