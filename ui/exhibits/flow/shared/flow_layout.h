// SPDX-License-Identifier: Apache-2.0
// Where things of the plane are on the page: the layout of a frame, the square of (p, q), and boxes that keep clear of
// what is drawn. Pure.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// `top`: height of the strip above. `legend`: whether there is one at all.
FlowLayout layoutFlow(const FlowState& state, double width, double height, const Theme& theme, double top = 0,
                      bool legend = true);

/// (p, q) to the page and back.
render::Point squareToPage(const render::Rect& square, double p, double q);
render::Point pageToSquare(const render::Rect& square, render::Point page);

bool overlap(const render::Rect& a, const render::Rect& b);
/// Of boxes from the plot's border, points.
inline constexpr double kBoxInset = 10;
enum class Corner { TopLeft, TopRight, BottomLeft, BottomRight };
struct Placed {
  render::Rect box;
  bool met = false;  ///< a handle is under it wherever it goes
  bool free = true;  ///< meets nothing of `taken`
  bool bare = true;  ///< nothing of the data is under it; a figure leaves away what would hide some
};
/// What a box at this place hides.
Placed placedAt(const FlowFrame& frame, const render::Rect& box);
/// The first corner where a box of this size meets neither `taken` nor a point; in a figure the one where it hides the
/// least.
Placed placeBox(const FlowFrame& frame, double width, double height, const std::vector<Corner>& corners,
                const std::vector<render::Rect>& taken);

}  // namespace sepx::ui
