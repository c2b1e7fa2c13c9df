// SPDX-License-Identifier: Apache-2.0
// The same scenes as an SVG document: lines as paths, text as text with the faces it needs embedded, heat maps and
// label maps as one embedded PNG each, hatches as lines. Bytes depend on the scenes alone. Any thread.
#pragma once

#include <set>
#include <span>
#include <string>

#include "engine/render/scene.h"

namespace sepx::render {

struct SvgOptions {  ///< of one file
  std::string title;
  std::string recipe;  ///< JSON text for <metadata>, under the key Separatrix-Recipe; empty: none
};

/// What the scenes lie on. Lengths of scenes and page are units; the paper is the page drawn larger or smaller.
struct SvgPage {
  double width = 0, height = 0;            ///< units
  double paperWidth = 0, paperHeight = 0;  ///< points; 0: a unit is a point
  Color background;
};
/// Several scenes on one page.
std::string toSvg(std::span<const PlacedScene> scenes, const SvgPage& page, const SvgOptions& options = {});

/// The same as an element for a page (HTML): as wide as it may be, without name spaces, title and faces, which all
/// pictures of a page share (svg_text.h: fontFaceRules()); a solid of thousands of pieces is one picture.
struct SvgElement {
  std::string text;
  std::set<char32_t> characters[2];  ///< used in the regular and in the bold face
};
/// `prefix`: of the ids in it, another one for each element of a page. `label`: says what it shows.
SvgElement toSvgElement(std::span<const PlacedScene> scenes, const SvgPage& page, const std::string& prefix,
                        const std::string& label);
std::string toSvg(const Scene& scene, const SvgOptions& options = {});

}  // namespace sepx::render
