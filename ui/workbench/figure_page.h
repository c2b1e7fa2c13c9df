// SPDX-License-Identifier: Apache-2.0
// How a figure is laid out: the pictures of the panes, under them the caption, letters that tell panes apart. Lengths
// are units, in which ordinary text has the theme's size; the paper's text size says how large a unit is printed. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/workbench/figure.h"

namespace sepx::ui {

/// The page in units and in pixels.
struct FigurePage {
  double width = 0, height = 0;  ///< units
  float pixelsPerUnit = 1;
  gpu::Extent pixels;  ///< of the whole page
};

/// `raster`: its pixels are what is asked for; else those at which results are computed, `vectorPixels` a unit.
inline constexpr double kVectorPixels = 2;
FigurePage figurePage(const FigureRequest& request, const Theme& theme, bool raster,
                      double vectorPixels = kVectorPixels);

/// What the caption says of a pane.
struct PaneCaption {
  std::string letters;  ///< of its panels, or its own: "(a, b)"
  std::string panels;   ///< what each of them shows: "(a) loss, (b) symmetry s."; empty: it is one picture
  std::string text;
};

/// All captions as one text, each once behind the letters of its panes.
std::string captionText(const std::vector<PaneCaption>& captions);

/// Lines of a caption that are as wide as the page allows. Where all of it would take more than its part of the page
/// each pane keeps its first sentence, and what is cut even then ends in dots.
std::vector<std::string> captionLines(const std::vector<PaneCaption>& captions, const FigurePage& page,
                                      const Theme& theme);
/// Height of so many lines in whole pixels; 0 for none. At most a part of the page.
std::uint32_t captionPixels(std::size_t lines, const FigurePage& page, const Theme& theme);

/// The caption as a scene of the page's width.
render::Scene captionScene(const std::vector<std::string>& lines, const FigurePage& page, const Theme& theme);

/// Letters (a), (b), … at the corners of several pictures, over the whole page.
render::Scene letterScene(const std::vector<render::Point>& corners, const FigurePage& page, const Theme& theme);

}  // namespace sepx::ui
