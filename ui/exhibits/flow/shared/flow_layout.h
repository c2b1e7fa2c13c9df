// SPDX-License-Identifier: Apache-2.0
// Positions on the page of the plane: the layout of a frame, the (p, q) square, and boxes that avoid what is drawn.
// Pure.
#pragma once

#include <vector>

#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

/// `top`: height of the strip above. `legend`: whether there is one at all.
FlowLayout layoutFlow(const FlowState& state, double width, double height, const Theme& theme, double top = 0,
                      bool legend = true);

/// Converts (p, q) to page coordinates and back.
render::Point squareToPage(const render::Rect& square, double p, double q);
render::Point pageToSquare(const render::Rect& square, render::Point page);

bool overlap(const render::Rect& a, const render::Rect& b);
/// The distance of boxes from the border of the plot, points.
inline constexpr double kBoxInset = 10;
enum class Corner { TopLeft, TopRight, BottomLeft, BottomRight };
struct BoxPlacement {
  render::Rect box;
  bool nearHandle = false;      ///< a handle is under it or close to it
  bool free = true;             ///< overlaps nothing of `taken`
  bool hidesLittleData = true;  ///< hides almost no data; a figure leaves out a box that would hide data
};
/// Determines what a box at this place hides.
BoxPlacement placementAt(const FlowFrame& frame, const render::Rect& box);
/// Places a box of this size in the first corner where it overlaps neither `taken` nor a point; in a figure, in the
/// corner where it hides the least data.
BoxPlacement placeBox(const FlowFrame& frame, double width, double height, const std::vector<Corner>& corners,
                      const std::vector<render::Rect>& taken);

}  // namespace sepx::ui
