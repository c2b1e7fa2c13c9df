// SPDX-License-Identifier: Apache-2.0
// A three-dimensional picture for those who have no depth buffer (SVG, PDF): lit polygons, pieces of lines and markers,
// the farthest first. Triangles are cut by the clip planes and split until they are small on the page, lines are cut
// into short pieces, so that what is hidden is hidden as well as a sort can do it: things that pierce each other are
// resolved to the size of a piece. No more than kMostAreas polygons come out: finer meshes are made coarser first.
// Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/render/scene.h"
#include "engine/render/scene3.h"

namespace sepx::render {

struct Painted {                                             ///< one flat piece
  enum class Kind { Area, Line, Marker } kind = Kind::Area;  ///< of which kind
  std::size_t first = 0, count = 0;  ///< points of an area or a line, 1: a dot; a marker's number in the scene
  Color color;
  float width = 1;                  ///< of a line, points
  Dash dash = Dash::Solid;          ///< of a line
  float nominal = 1;                ///< width from which the dashes follow
  double along = 0;                 ///< where the dashes begin, points
  bool begins = true, ends = true;  ///< of a line: round there, else it meets its next piece
  double depth = 0;                 ///< distance along -z, of the side that is turned to the eye
};

struct Painting {             ///< pieces in the order of drawing, far ones first
  std::vector<Point> points;  ///< page
  std::vector<Painted> items;
};

inline constexpr std::size_t kMostAreas = 40'000;  ///< of one picture

/// What of the scene is inside `bounds` (page).
Painting paint(const Scene3& scene, const Rect& bounds);

}  // namespace sepx::render
