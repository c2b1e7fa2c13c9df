// SPDX-License-Identifier: Apache-2.0
// Which limit the flow from every pixel of a window reaches, by integration: the double-precision twin of the compute
// kernel shaders/compute/basin_map.comp. Pixels are sampled at their centres, e (first axis) to the right, w up, row 0
// at the top.
//
// The orbit, not its clock, decides a basin, so both integrate the time-changed field f/(eps+|f|) with an embedded
// Bogacki-Shampine 3(2) pair, which makes stiffness and slow arrival harmless, in coordinates that keep every orbit on
// its side of the field's invariant planes. A worker calls this; it is deterministic on any thread count.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

/// eps of f/(eps+|f|) and how near an attractor an orbit counts as captured; the shaders include the same two numbers.
inline constexpr double kSpeedFloor = 1e-9;
inline constexpr double kCaptureRadius = 1e-2;
/// After this arc length, some windings, an orbit that would not get below its trapping level (VectorField::trap)
/// within maxLength even if it fell kTrapHope times as fast stays undecided; the same two numbers are in
/// basin_map.comp.
inline constexpr double kTrapPatience = 25;
inline constexpr double kTrapHope = 2;

struct BasinWindow {  ///< part of the plane, and its pixels
  double xMin = -1, xMax = 1, yMin = -1, yMax = 1;
  int width = 256, height = 256;  ///< pixels
  double x(int column) const { return xMin + (column + 0.5) * (xMax - xMin) / width; }
  double y(int row) const { return yMax - (row + 0.5) * (yMax - yMin) / height; }
  bool operator==(const BasinWindow&) const = default;
};

/// One label a pixel, [height, width], row 0 at the top: a LimitKind for fields with a classifier (the canonical ones);
/// for the others 0 = undecided, LimitKind::Attractor + i = i-th attractor of fixedPoints().
struct BasinMap {
  BasinWindow window;
  std::vector<std::uint8_t> labels;
  std::vector<double> shares(int labelCount) const;  ///< per label, sums to 1
};

/// Share of pixels whose labels differ. Maps of equal size.
double disagreement(const BasinMap& a, const BasinMap& b);

/// Of orbits that are followed pixel by pixel. The tolerance is that of the embedded second-order estimate; the
/// third-order result is far better: from 1e-3 on down no pixel off a boundary changes its label. Orbits that spiral
/// into a sink are long.
struct BasinMapOptions {
  double tolerance = 1e-4;  ///< per unit of arc length
  double maxLength = 200;   ///< arc length after which a pixel stays undecided
  int maxSteps = 5000;
  bool scalar = false;  ///< pixel by pixel also where the field has lanes (BasinLanes), as the kernel's twin does
};

/// What a picture of this window needs: as the defaults, but orbits are followed far enough to come from its corners,
/// and a large picture gets fewer steps a pixel, so that it is there within seconds whatever the field.
BasinMapOptions basinMapOptions(const BasinWindow& window);

/// `cancelled` is asked once a row block; a cancelled map has labels Undecided where it did not get to.
BasinMap integrateBasinMap(const VectorField& field, std::span<const double> parameters, const BasinWindow& window,
                           const BasinMapOptions& options, ThreadPool& pool,
                           const std::function<bool()>& cancelled = {},
                           const std::function<void(double share)>& progress = {});

}  // namespace sepx::dynamics
