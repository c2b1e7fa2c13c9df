// SPDX-License-Identifier: Apache-2.0
// Layout of a figure: the pictures of the panes, the caption below them, and the letters of panes and panels. Lengths
// are in units in which ordinary text has the size of the theme; the text size on paper determines the printed size of
// a unit. Pure.
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

/// `raster`: the request determines the pixels. Otherwise they are those at which results are computed, `vectorPixels`
/// per unit.
inline constexpr double kVectorPixels = 2;
FigurePage figurePage(const FigureRequest& request, const Theme& theme, bool raster,
                      double vectorPixels = kVectorPixels);

/// The part of the caption about a pane.
struct PaneCaption {
  std::string letters;  ///< of its panels, or its own: "(a), (b)"
  std::string panels;   ///< what each of them shows: "(a) loss, (b) symmetry s."; empty: the pane is one picture
  std::string text;
};

/// All captions as one text. Equal captions appear once, after the letters of their panes.
std::string captionText(const std::vector<PaneCaption>& captions);

/// The captions, wrapped to the width of the page. If they would take more than their share of the page, each pane
/// keeps only its first sentence. Lines that still do not fit are dropped, and the last line ends in "…".
std::vector<std::string> captionLines(const std::vector<PaneCaption>& captions, const FigurePage& page,
                                      const Theme& theme);
/// Height of this number of lines in whole pixels, limited to a share of the page; 0 for none.
std::uint32_t captionPixels(std::size_t lines, const FigurePage& page, const Theme& theme);

/// The caption as a scene of the page's width.
render::Scene captionScene(const std::vector<std::string>& lines, const FigurePage& page, const Theme& theme);

/// Letters (a), (b), … at the corners of several pictures, over the whole page.
render::Scene letterScene(const std::vector<render::Point>& corners, const FigurePage& page, const Theme& theme);

}  // namespace sepx::ui
