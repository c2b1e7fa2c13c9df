// SPDX-License-Identifier: Apache-2.0
// Where the views of a page stand: rows, columns and grids with weights, least sizes and an order in which parts are
// left out where there is no room. Plain data; placing is pure. Lengths are points of the page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::ui {

struct Arrangement {
  enum class Kind { View, Row, Column, Grid, Stack };
  Kind kind = Kind::View;            ///< a stack: all parts at one place, bottom first
  std::string view{};                ///< of Kind::View: its name
  std::vector<Arrangement> parts{};  ///< of the others
  std::size_t perRow = 1;            ///< of a grid; 0: as many as make its parts the largest squares
  double gap = 0;                    ///< between parts
  double margin = 0;                 ///< around all of them

  std::optional<render::Rect> at{};  ///< where it stands, page coordinates, whatever it is part of

  // In the row or column that it is part of.
  double weight = 1;     ///< share of what the lengths of the others leave
  double length = 0;     ///< along the row or column; 0: by weight
  double mostShare = 1;  ///< of the row or column without its gaps, for a length
  bool square = false;   ///< of a part of a row: as wide as it is high, less its words
  double words = 0;      ///< height of what stands above and below a square; also of a grid of them
  /// Of a view in a column: as high as its content is at its width; of a row or column of such views: as high as they
  /// are; of a grid of squares: no higher than they are.
  bool natural = false;
  bool breaks = false;  ///< of a row: it stands as a column where its parts do not have their least widths
  double leastWidth = 0, leastHeight = 0;  ///< with less room it is left out, or another part of a higher order is
  int order = 0;                           ///< which part is left out first: the highest; 0 stays whatever the room
  std::string called{};                    ///< what is said to be in a larger pane where it is left out, translated
};

struct PlacedPart {
  std::string view;
  render::Rect box;
};

/// Boxes of equal size for `count` parts in rows, at most `perRow` in one.
std::vector<render::Rect> gridOf(const render::Rect& box, std::size_t count, std::size_t perRow, double gap);

/// A view; what it takes in its row or column is set on what is answered.
Arrangement viewNamed(std::string name);
/// A view in a column that is as high as its content.
Arrangement asHighAsContent(std::string name);
/// Views of equal size, at most `perRow` in a row.
Arrangement gridOfViews(std::size_t perRow, double gap, std::vector<Arrangement> parts);

/// Height of the content of a view at a width; 0: there is nothing to see, and the part is left out.
using NaturalHeight = std::function<double(const std::string& view, double width)>;

/// The parts that have room, in the order of the arrangement. A row, column or grid that lost all its parts is left
/// out. `heightOf`: of parts that are as high as their content. `missing`: gets what those that have no room are
/// called.
std::vector<PlacedPart> placeParts(const Arrangement& arrangement, const render::Rect& box,
                                   const NaturalHeight& heightOf = {}, std::vector<std::string>* missing = nullptr);

}  // namespace sepx::ui
