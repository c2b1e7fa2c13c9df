// SPDX-License-Identifier: Apache-2.0
// Sections of the box by a plane perpendicular to one axis: traces of surfaces as polylines, and points of the section.
// The section at fixed e shows (w, a), at fixed w (e, a), at fixed a (e, w). Any thread.
#pragma once

#include <vector>

#include "engine/markov/surfaces3.h"

namespace sepx::markov {

struct SectionPlane {  ///< one coordinate is fixed
  int axis = 2;        ///< 0 e, 1 w, 2 a
  double at = 0;
  std::size_t across() const { return static_cast<std::size_t>(axis); }
  std::size_t x() const { return axis == 0 ? 1 : 0; }  ///< the axis to the right
  std::size_t y() const { return axis == 2 ? 1 : 2; }  ///< the axis upwards
  Place3 place(double x, double y) const;              ///< the point of space at (x, y) of the section
  bool operator==(const SectionPlane&) const = default;
};

struct SectionPoint {  ///< in the section
  double x = 0, y = 0;
};
using SectionLine = std::vector<SectionPoint>;  ///< without gaps

/// The curves in which the surface cuts the plane inside the box, as connected pieces.
std::vector<SectionLine> traceOf(const Level3& level, const SectionPlane& plane, const Box3& box, int cells = 128);

/// The points at which a path crosses the plane, in order.
std::vector<SectionPoint> crossings(const std::vector<Place3>& path, const SectionPlane& plane);

}  // namespace sepx::markov
