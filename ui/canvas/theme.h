// SPDX-License-Identifier: Apache-2.0
// Colours, spacing and type sizes as design tokens, so that panels and exhibits contain no literal values. Lengths are
// in points at scale 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

struct Theme {
  std::string key;   ///< "dark", "light", "contrast", "projector"
  std::string name;  ///< for a menu; translated where it is shown
  bool dark = true;

  // Surfaces and text.
  render::Color background, surface, surfaceRaised, border, text, textMuted, textOnAccent, error;
  // Accent: active items, the next step and links. Selection: the items that the user has chosen among many, and the
  // background of such a row.
  render::Color accent, accentMuted, selection, selectionMuted;
  // The plot.
  render::Color plotBackground, grid, axisZero, tick;
  render::Color separatrix;
  // Kinds of limits (Okabe-Ito): as lines and glyphs, and as translucent basins.
  render::Color globalMin, localMin, saddle, localMax, attractor, undecided;
  float basinOpacity = 0.35f;
  render::ColorMap lossMap = render::ColorMap::Viridis;

  // Type, em in points, and spacing.
  float smallSize = 11, textSize = 13, lessonSize = 15, titleSize = 20;
  float space = 8, radius = 4;
  float lineWidth = 1.5f, strongLine = 2.5f, handleSize = 13;
  float frameBorder = 0;                      ///< edge of buttons and fields
  float panelWidth = 300, statusHeight = 22;  ///< of the parameter panel and the status line; both grow with the type
};

const Theme* findTheme(std::string_view key);
std::vector<std::string> themeKeys();  ///< of all available themes

/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrast(render::Color a, render::Color b);

}  // namespace sepx::ui
