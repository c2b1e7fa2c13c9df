// SPDX-License-Identifier: Apache-2.0
// Nullclines of a plane field: the curves on which one component of f vanishes, found by marching squares with every
// crossing located on its grid line. A component that touches zero without a change of sign (a square, a modulus) is
// found where its modulus has a minimum of zero along a grid line. Any thread; deterministic.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

struct PlaneBox {  ///< part of the plane
  double xMin = -1, xMax = 1, yMin = -1, yMax = 1;
};

/// Lines of points (x, y) on which component 0 or 1 is zero, joined as far as possible; a closed line ends at its first
/// point. `cells`: number of squares along the longer side. At every point the component is zero to within 1e-9 of its
/// largest value on the grid line of the point. Empty for a component that is zero everywhere.
std::vector<std::vector<std::array<double, 2>>> nullcline(const VectorField& field, std::span<const double> parameters,
                                                          int component, const PlaneBox& box, int cells = 160);

}  // namespace sepx::dynamics
