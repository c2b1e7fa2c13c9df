// SPDX-License-Identifier: Apache-2.0
// Who gets which part of the window, in points: the picture owns it; the parameter panel stands at its right, the
// lesson under both or, in front of a room, in a column at the right, the status line at the bottom, an error above the
// picture. Nothing overlaps but a message that passes. Pure.
#pragma once

#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

inline constexpr double kPanelWidth = 300;
inline constexpr double kStatusHeight = 22;

struct LayoutRequest {
  render::Point window;  ///< points
  bool panel = true;     ///< false when a native inspector shows the parameters, or without chrome
  bool statusLine = true;
  double lessonHeight = 0;    ///< 0: no lesson
  double lessonWidth = 0;     ///< of a column in place of the strip; 0: a strip
  double messageHeight = 0;   ///< 0: no message
  bool messageBelow = false;  ///< the message stands at the lower edge: what is above keeps its place
  bool messageOver = false;   ///< it stands over the lower edge of the picture, which keeps its place
  double panelWidth = kPanelWidth, statusHeight = kStatusHeight;
  int panes = 1;  ///< of the picture: where they would be too narrow beside the panel, it makes way
};

/// A part without a place has no width and no height.
struct Layout {
  render::Rect picture, panel, lesson, status, message;
};

Layout layOut(const LayoutRequest& request);

/// One pane of a split picture: its frame, and inside it a strip for the title above the picture.
struct PanePlace {
  render::Rect frame, title, picture;
};

/// Places for 1, 2 or 4 panes in `picture`: two stand side by side, one above the other where the room is taller than
/// wide; four make a square of two by two. `titleHeight`: 0 for none. One pane has neither title nor gap.
std::vector<PanePlace> layOutPanes(const render::Rect& picture, int panes, double titleHeight);

}  // namespace sepx::ui
