// SPDX-License-Identifier: Apache-2.0
// Writes scenes as an SVG document: lines as paths, text as text with the faces it needs embedded, heat maps and label
// maps as one embedded PNG each, hatches as lines. The bytes depend only on the scenes. Any thread.
#pragma once

#include <set>
#include <span>
#include <string>

#include "engine/render/scene.h"

namespace sepx::render {

struct SvgOptions {  ///< options for one file
  std::string title;
  std::string recipe;  ///< JSON text for <metadata>, under the key Separatrix-Recipe; empty: none
};

/// The page of the scenes. Lengths of the scenes and the page are in units; the paper is the page at its final size.
struct SvgPage {
  double width = 0, height = 0;            ///< units
  double paperWidth = 0, paperHeight = 0;  ///< points; 0: a unit is a point
  Color background;
};
/// Several scenes on one page.
std::string toSvg(std::span<const PlacedScene> scenes, const SvgPage& page, const SvgOptions& options = {});

/// The same as an element for a page (HTML). It takes the available width and has no namespaces, title or faces: all
/// pictures of a page share the faces (svg_text.h: fontFaceRules()). A solid of thousands of pieces becomes one raster
/// picture.
struct SvgElement {
  std::string text;
  std::set<char32_t> characters[2];  ///< used in the regular and in the bold face
};
/// `prefix`: beginning of its ids, different for each element of a page. `label`: describes what it shows.
SvgElement toSvgElement(std::span<const PlacedScene> scenes, const SvgPage& page, const std::string& prefix,
                        const std::string& label);
std::string toSvg(const Scene& scene, const SvgOptions& options = {});

}  // namespace sepx::render
