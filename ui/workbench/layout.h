// SPDX-License-Identifier: Apache-2.0
// Who gets which part of the window, in points: the picture owns it; the parameter panel stands at its right, the
// lesson under both, the status line at the bottom, an error above the picture. Nothing overlaps. Pure.
#pragma once

#include "engine/render/scene.h"

namespace sepx::ui {

struct LayoutWishes {
  render::Point window;  ///< points
  bool panel = true;     ///< false when a native inspector shows the parameters, or without chrome
  bool statusLine = true;
  double lessonHeight = 0;   ///< 0: no lesson
  double messageHeight = 0;  ///< 0: no message
};

/// A part without a place has no width and no height.
struct Layout {
  render::Rect picture, panel, lesson, status, message;
};

inline constexpr double kPanelWidth = 300;
inline constexpr double kStatusHeight = 22;

Layout layOut(const LayoutWishes& wishes);

}  // namespace sepx::ui
