// SPDX-License-Identifier: Apache-2.0
// Basin maps: the limit that the flow from every pixel of a window reaches, by integration. The double-precision twin
// of the compute kernel shaders/compute/basin_map.comp. Pixels are sampled at their centres; e (first axis) points
// right, w up, and row 0 is at the top.
//
// A basin depends on the orbit, not on its time, so both integrate the time-changed field f/(eps+|f|) with an embedded
// Bogacki-Shampine 3(2) pair, which makes stiffness and slow convergence harmless, in coordinates that keep every orbit
// on its side of the invariant planes of the field. Called by worker threads; deterministic for any thread count.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/dynamics/vector_field.h"

namespace sepx::dynamics {

/// eps of f/(eps+|f|), and the distance from an attractor at which an orbit counts as captured. The shaders include the
/// same two numbers.
inline constexpr double kSpeedFloor = 1e-9;
inline constexpr double kCaptureRadius = 1e-2;
/// After the arc length kTrapCheckLength (some windings), an orbit that would not get below its trapping level
/// (VectorField::trap) within maxLength, even at kTrapRateFactor times its rate so far, stays undecided. The same two
/// numbers are in basin_map.comp.
inline constexpr double kTrapCheckLength = 25;
inline constexpr double kTrapRateFactor = 2;

struct BasinWindow {  ///< part of the plane, and its pixels
  double xMin = -1, xMax = 1, yMin = -1, yMax = 1;
  int width = 256, height = 256;  ///< pixels
  double x(int column) const { return xMin + (column + 0.5) * (xMax - xMin) / width; }
  double y(int row) const { return yMax - (row + 0.5) * (yMax - yMin) / height; }
  bool operator==(const BasinWindow&) const = default;
};

/// One label per pixel, [height, width], row 0 at the top: a LimitKind for fields with a classifier (the canonical
/// ones); for the others 0 = undecided, LimitKind::Attractor + i = i-th attractor of fixedPoints().
struct BasinMap {
  BasinWindow window;
  std::vector<std::uint8_t> labels;
  std::vector<double> shares(int labelCount) const;  ///< per label, sums to 1
};

/// Share of pixels whose labels differ. The maps must have the same size.
double disagreement(const BasinMap& a, const BasinMap& b);

/// Options for orbits that are integrated pixel by pixel. The tolerance is that of the embedded second-order estimate.
/// The third-order result is far better: for tolerances up to 1e-3, no pixel off a boundary changes its label. Orbits
/// that spiral into a sink are long.
struct BasinMapOptions {
  double tolerance = 1e-4;  ///< per unit of arc length
  double maxLength = 200;   ///< arc length after which a pixel stays undecided
  int maxSteps = 5000;
  bool scalar = false;  ///< pixel by pixel even if the field has BasinLanes, as the twin of the kernel
};

/// Options for a picture of this window: the defaults, but maxLength is sufficient for orbits from its corners, and a
/// large picture gets fewer steps per pixel, so that it takes only seconds for every field.
BasinMapOptions basinMapOptions(const BasinWindow& window);

/// `cancelled` is called once per block of rows. In a cancelled map, pixels not yet computed are Undecided.
BasinMap integrateBasinMap(const VectorField& field, std::span<const double> parameters, const BasinWindow& window,
                           const BasinMapOptions& options, ThreadPool& pool,
                           const std::function<bool()>& cancelled = {},
                           const std::function<void(double share)>& progress = {});

}  // namespace sepx::dynamics
