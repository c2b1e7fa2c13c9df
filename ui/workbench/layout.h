// SPDX-License-Identifier: Apache-2.0
// Layout of the window, in points. The picture has the parameter panel at its right and the lesson below both or, on a
// stage or in a low window, in a column at the right. The status line is at the bottom, a message above the picture.
// Nothing overlaps except a transient message. Pure.
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
  double lessonWidth = 0;     ///< of the column that replaces the strip; 0: a strip
  double messageHeight = 0;   ///< 0: no message
  bool messageBelow = false;  ///< the message is at the lower edge, so that the parts above keep their place
  bool messageOver = false;   ///< the message covers the lower edge of the picture, which keeps its place
  double panelWidth = kPanelWidth, statusHeight = kStatusHeight;
  int panes = 1;  ///< of the picture; the panel is left out where they would be too narrow beside it
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

/// Places for 1, 2 or 4 panes in `picture`. Two panes are side by side, or one above the other where the area is taller
/// than wide; four form a two-by-two grid. `titleHeight`: 0 for none. A single pane has neither title nor gap.
std::vector<PanePlace> layOutPanes(const render::Rect& picture, int panes, double titleHeight);

}  // namespace sepx::ui
