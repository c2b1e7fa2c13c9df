// SPDX-License-Identifier: Apache-2.0
// Where the parts of the page of (p,q) are: the square with its colour bar, below it what varies along the path, beside
// both P(I_min) against sigma and words. A small pane has the square alone. Points of the page. Pure.
#pragma once

#include <optional>

#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

struct ChainLayout {
  render::Rect square;                 ///< p to the right, q up
  std::optional<render::Rect> bar;     ///< colour bar
  std::optional<render::Rect> curve;   ///< the plot alone; axes and legend stand around it
  std::optional<render::Rect> legend;  ///< above the curve
  std::optional<render::Rect> along;   ///< with axes
  std::optional<render::Rect> words;
  Camera squareCamera() const { return {{{0, 0}, {1, 1}}, square}; }
};

ChainLayout chainLayout(const render::Rect& area, const Theme& theme, bool path);

}  // namespace sepx::ui
