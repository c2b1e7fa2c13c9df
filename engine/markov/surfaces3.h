// SPDX-License-Identifier: Apache-2.0
// Surfaces in (e, w, a) as triangles inside a box. The zero set of a function is found on the tetrahedra of a grid, and
// a root search along each edge puts every vertex onto the surface. The grid has a node at 0 on every axis that
// straddles 0, so that a sheet close to e = 0 is not lost between two nodes. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/markov/canonical_model.h"

namespace sepx {
class ThreadPool;
}

namespace sepx::markov {

using Place3 = std::array<double, 3>;  ///< e, w, a

/// low < high in every coordinate; empty otherwise.
struct Box3 {
  Place3 low{-2, -2, -2}, high{2, 2, 2};
  bool empty() const { return !(low[0] < high[0] && low[1] < high[1] && low[2] < high[2]); }
  bool contains(const Place3& at) const;  ///< whether it lies inside, edges included
  bool operator==(const Box3&) const = default;
};

/// Triangles with a unit normal and a scalar value at every vertex.
struct Sheet3 {
  std::vector<Place3> points, normals;
  std::vector<double> values;  ///< of each point: `value` of the level
  std::vector<std::array<std::uint32_t, 3>> triangles;
  bool empty() const { return triangles.empty(); }
  /// Appends the triangles of another sheet.
  void append(const Sheet3& other);
};

/// The surface f = 0; `gradient` of f need not be normalised. `value`: a scalar on the surface, for contour lines.
/// Points where f is NaN count as outside.
struct Level3 {
  std::function<double(const Place3&)> f;
  std::function<Place3(const Place3&)> gradient;
  std::function<double(const Place3&)> value;
};

/// `cells` along the longest side of the grid; the pool, if there is one, evaluates f on the nodes.
Sheet3 levelSheet(const Level3& level, const Box3& box, int cells, ThreadPool* pool = nullptr);

/// A flat rectangle perpendicular to `axis` (0 e, 1 w, 2 a) at `at`, as a grid with `cells` cells per side.
Sheet3 flatSheet(int axis, double at, const Box3& box, int cells, const std::function<double(const Place3&)>& value);

/// A point between a and b where f changes sign, accurate to rounding.
Place3 rootBetween(const std::function<double(const Place3&)>& f, Place3 a, Place3 b);
/// Nodes of a grid on [low, high]: evenly spaced. If 0 lies inside, it is a node: the nearest inner node is moved
/// there, or one is added next to an end.
std::vector<double> gridNodes(double low, double high, int cells);

inline State stateOf(const Place3& at) {  ///< (e, w, a) as a state
  State theta(3);
  theta << at[0], at[1], at[2];
  return theta;
}

}  // namespace sepx::markov
