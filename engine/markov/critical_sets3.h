// SPDX-License-Identifier: Apache-2.0
// The critical sets of Theorem 10 inside a box of (e, w, a), and the surfaces that belong to a point or to the flow:
// Theta* = {S = S_star}; the plane e = 0, whose halves are minima and maxima by the sign of (p+q-1)v; the saddles e = 0
// = v; the stationary curves 1 + ae^2 = 0 = v (strict saddles, erratum 3); the energy sheet E = E0; the surface of the
// unbounded orbits. As functions (for sections) and as triangles. Any thread.
#pragma once

#include <vector>

#include "engine/dynamics/vector_field.h"
#include "engine/markov/chain.h"
#include "engine/markov/surfaces3.h"

namespace sepx::markov {

using dynamics::LimitKind;

/// S - S_star. Its values are a, because the loss is constant on Theta*.
Level3 thetaStarLevel(const Chain& chain);
/// E - E(through) on the side of w = 0 on which the point lies; its values are the loss. `through` has w != 0.
Level3 energyLevel(const Chain& chain, const Place3& through);
/// |e| - e(a) of the unbounded surface; its values are the loss. For w >= 0 only.
Level3 unboundedLevel(const Chain& chain);

/// Empty if p + q = 1 or if no part of it lies in the box.
Sheet3 thetaStarSheet(const Chain& chain, const Box3& box, int cells, ThreadPool* pool = nullptr);
/// Empty on w = 0, where the energy has no value.
Sheet3 energySheet(const Chain& chain, const Place3& through, const Box3& box, int cells, ThreadPool* pool = nullptr);
/// The curve e(a) of the unbounded surface and its mirror image inside the box, as points with w = 0. The box's range
/// of w is ignored.
std::vector<std::vector<Place3>> unboundedCurves(const Box3& box, int samples);
/// Both signs of e, w >= 0; empty unless p + q > 1. It is sampled evenly in a along the curve, which is the same for
/// every w.
Sheet3 unboundedSheet(const Chain& chain, const Box3& box, int cells);

/// The part of the box that has the sign of `w`; empty for w = 0.
Box3 sideOf(const Box3& box, double w);

/// A rectangle of the plane e = 0.
struct AxisPlane {
  LimitKind kind = LimitKind::LocalMin;
  Sheet3 sheet;
};
/// Minima and maxima; empty if p + q = 1 or if e = 0 is outside the box.
std::vector<AxisPlane> axisPlanes(const Chain& chain, const Box3& box, int cells);

struct Curve3 {                                          ///< a set that is a curve in (e, w, a)
  enum class Set { Saddle, Station } set = Set::Saddle;  ///< its kind
  std::vector<Place3> points;
};
/// Saddles e = 0 = v and the stationary curves inside the box, spaced so that a polyline looks smooth. Empty for p + q
/// = 1.
std::vector<Curve3> criticalCurves(const Chain& chain, const Box3& box, int samples = 128);

/// For p + q = 1, where S* = 0: the minima other than e = 0, which are w = -1/sqrt2 and 1 + a e^2 = 0. `value` is a.
std::vector<Level3> flatMinima();

}  // namespace sepx::markov
