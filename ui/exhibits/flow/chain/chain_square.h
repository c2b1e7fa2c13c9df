// SPDX-License-Identifier: Apache-2.0
// Draws the square of (p,q): colour map, contour lines, axes, and the path with its head. Pure functions of state and
// results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// The square of (p,q) at its place on the page: p to the right, q up.
struct ChainSquare {
  ChainSquare(const ChainState& shown, const ChainResults& known, const ViewPlace& place, bool small);

  const ChainState& state;
  const ChainPicture& picture;
  const Theme& theme;
  bool compact;
  render::Rect square;
  std::optional<render::Rect> bar;  ///< the colour bar
  Camera camera() const { return {{{0, 0}, {1, 1}}, square}; }
};
/// The width that the square with its colour bar needs at this height.
double squareWidth(double height, const Theme& theme);

/// Colour map, contour lines, the line p + q = 1, axes, colour bar.
std::vector<render::Item> squareItems(const ChainSquare& view);
/// Lines of equal value on the grid of pixel centres, in data coordinates of the square; NaN points break them.
/// `acrossLine`: also through cells that p + q = 1 divides.
std::vector<render::Point> contourOf(const std::vector<float>& values, int size, double level, bool acrossLine);
/// The path with its ends and the head, and the document's place.
std::vector<render::Item> placeItems(const ChainSquare& view);

/// "12.3", "4.1·10⁻⁷": for tips and tables.
std::string chainNumber(double value, int digits = 4);

}  // namespace sepx::ui
