// SPDX-License-Identifier: Apache-2.0
// Converts a three-dimensional picture for formats without a depth buffer (SVG, PDF): lit polygons, pieces of lines and
// markers, sorted from the farthest to the nearest. Triangles are cut by the clip planes and split until they are small
// on the page, and lines are cut into short pieces, so that the sort hides objects as well as it can: objects that
// intersect are resolved to the size of a piece. The result has about kMostAreas polygons at most; finer meshes are
// made coarser first. Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/render/scene.h"
#include "engine/render/scene3.h"

namespace sepx::render {

struct Painted {                                             ///< one flat piece
  enum class Kind { Area, Line, Marker } kind = Kind::Area;  ///< kind of the piece
  std::size_t first = 0, count = 0;  ///< points of an area or a line, 1: a dot; marker: its index in the scene
  Color color;
  float width = 1;                  ///< of a line, points
  Dash dash = Dash::Solid;          ///< of a line
  float nominal = 1;                ///< width that determines the dashes
  double along = 0;                 ///< where the dashes begin, points
  bool begins = true, ends = true;  ///< of a line: round there, otherwise it continues in the next piece
  double depth = 0;                 ///< distance along -z of the side that faces the eye
};

struct Painting {             ///< pieces in the order of drawing, far ones first
  std::vector<Point> points;  ///< page
  std::vector<Painted> items;
};

inline constexpr std::size_t kMostAreas = 40'000;  ///< about, per picture

/// Returns the pieces of the scene that are inside `bounds` (page).
Painting paint(const Scene3& scene, const Rect& bounds);

}  // namespace sepx::render
