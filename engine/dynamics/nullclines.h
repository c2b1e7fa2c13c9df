// SPDX-License-Identifier: Apache-2.0
// Nullclines of a plane field: the curves on which one component of f vanishes, by marching over a grid of squares with
// every crossing located on its grid line. A component that touches zero without changing its sign (a square, a
// modulus) is found where its modulus has a least value of zero along a grid line. Any thread; deterministic.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

struct PlaneBox {  ///< part of the plane
  double xMin = -1, xMax = 1, yMin = -1, yMax = 1;
};

/// Lines of points (x, y) on which component 0 or 1 is zero, joined as far as they go; closed ones end where they
/// begin. `cells`: squares along the longer side. Every point is a zero to 1e-9 of the component's greatest value on
/// the grid line it lies on. Nothing for a component that is zero everywhere.
std::vector<std::vector<std::array<double, 2>>> nullcline(const VectorField& field, std::span<const double> parameters,
                                                          int component, const PlaneBox& box, int cells = 160);

}  // namespace sepx::dynamics
