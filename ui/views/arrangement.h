// SPDX-License-Identifier: Apache-2.0
// The layout of the views of a page: rows, columns and grids with weights, least sizes, and an order in which parts are
// left out if there is no room. Plain data; placing is pure. Lengths are points of the page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::ui {

struct Arrangement {
  enum class Kind { View, Row, Column, Grid, Stack };
  Kind kind = Kind::View;            ///< Stack: all parts in the same box, bottom first
  std::string view{};                ///< for Kind::View: its name
  std::vector<Arrangement> parts{};  ///< for the other kinds
  std::size_t perRow = 1;            ///< for a grid; 0: the number that gives the largest squares
  double gap = 0;                    ///< between parts
  double margin = 0;                 ///< around all of them

  std::optional<render::Rect> at{};  ///< fixed position in page coordinates, independent of its parent

  // Within its parent row or column.
  double weight = 1;     ///< share of what the fixed lengths of other parts leave
  double length = 0;     ///< along the row or column; 0: by weight
  double mostShare = 1;  ///< limit of a fixed length, as a share of the row or column without its gaps
  bool square = false;   ///< for a part of a row: as wide as it is high without `words`
  double words = 0;      ///< height of the text above and below a square, also in a grid of squares
  /// A view in a column is as high as its content at its width. A row or column of such views is as high as they are. A
  /// grid of squares is no higher than the squares.
  bool natural = false;
  bool breaks = false;                     ///< a row becomes a column if its parts would not get their least widths
  double leastWidth = 0, leastHeight = 0;  ///< with less room, the part with the highest order is left out
  int order = 0;                           ///< the part with the highest order is left out first; 0: never left out
  std::string called{};  ///< its name in the note about what is left out ("In a larger pane: …"), translated
};

struct PlacedPart {
  std::string view;
  render::Rect box;
};

/// Boxes of equal size for `count` parts in rows, at most `perRow` in one.
std::vector<render::Rect> gridOf(const render::Rect& box, std::size_t count, std::size_t perRow, double gap);

/// A view. Its size within the row or column is set on the returned value.
Arrangement viewNamed(std::string name);
/// A view in a column that is as high as its content.
Arrangement asHighAsContent(std::string name);
/// Views of equal size, at most `perRow` in a row.
Arrangement gridOfViews(std::size_t perRow, double gap, std::vector<Arrangement> parts);

/// Height of the content of a view at a width; 0: there is nothing to show, and the part is left out.
using NaturalHeight = std::function<double(const std::string& view, double width)>;

/// The parts that have room, in the order of the arrangement. A row, column or grid that lost all its parts is left
/// out. `heightOf`: heights of parts that are as high as their content. `missing`: receives the names of the parts that
/// have no room.
std::vector<PlacedPart> placeParts(const Arrangement& arrangement, const render::Rect& box,
                                   const NaturalHeight& heightOf = {}, std::vector<std::string>* missing = nullptr);

}  // namespace sepx::ui
