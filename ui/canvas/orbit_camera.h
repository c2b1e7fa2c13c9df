// SPDX-License-Identifier: Apache-2.0
// The camera of a three-dimensional picture. It orbits a target, and its up direction is always the third axis. With
// yaw 0 and pitch 0 it looks along the second axis, with the first axis to the right. Positive yaw moves the eye to the
// right, positive pitch raises it. A box of data is shown as a cube of side 2, so that axes of different spans look
// alike. Value types; pure.
#pragma once

#include <array>
#include <optional>

#include "engine/render/scene3.h"

namespace sepx::ui {

struct OrbitCamera {
  double yaw = 0, pitch = 0;              ///< degrees
  double distance = 5.5;                  ///< from the eye to the target, in half sides of the box
  std::array<double, 3> target{0, 0, 0};  ///< from the centre of the box, in half sides of the box
  bool perspective = true;
  bool operator==(const OrbitCamera&) const = default;
};

inline constexpr double kLeastDistance = 0.2, kLargestDistance = 100;

/// Clamps yaw to (-180, 180], pitch to [-90, 90], distance and target to their limits. A value that is not finite is
/// taken from `fallback`.
OrbitCamera bounded(OrbitCamera camera, const OrbitCamera& fallback);
/// The camera turned so that the picture follows the pointer by (dx, dy) points, half a degree per point.
OrbitCamera turned(OrbitCamera camera, double dx, double dy);
/// The camera with its distance divided by `factor`; closer for `factor` > 1.
OrbitCamera nearer(OrbitCamera camera, double factor);
/// The camera that looks along an axis (0, 1, 2) from its lower or its upper end at the centre of the box, at a
/// distance at which the face fills the plot.
OrbitCamera alongAxis(OrbitCamera camera, int axis, bool fromAbove);
/// The axis that the camera looks along, to within 0.1 degree; an empty optional if there is none.
std::optional<int> viewingAxis(const OrbitCamera& camera);

/// A camera that shows a box of data on a plot of the page.
class OrbitView {
 public:
  OrbitView(const OrbitCamera& camera, const std::array<double, 3>& low, const std::array<double, 3>& high,
            const render::Rect& plot);

  const OrbitCamera& camera() const { return camera_; }
  const render::Rect& plot() const { return plot_; }
  render::Eye eye() const;

  /// Projects data to the page; an empty optional for a point behind the eye. `depth` receives the distance along the
  /// line of sight, half sides.
  std::optional<render::Point> toPage(const render::Point3& data, double* depth = nullptr) const;
  /// The data point at that depth under a point of the page.
  render::Point3 atDepth(render::Point page, double depth) const;
  /// Where the line of sight through a point of the page meets the plane `axis` = `at`. Empty if they are nearly
  /// parallel or the intersection lies behind the eye.
  std::optional<render::Point3> onPlane(render::Point page, int axis, double at) const;
  /// The point on the line through `from` along `axis` that is nearest to the line of sight. Empty if the two are
  /// nearly parallel.
  std::optional<render::Point3> onAxis(render::Point page, const render::Point3& from, int axis) const;
  /// The camera moved so that points at the depth of the target follow the pointer by (dx, dy) points.
  OrbitCamera panned(double dx, double dy) const;
  /// Length of a half side of the box at a depth, in points of the page.
  double scaleAt(double depth) const;
  /// Unit vectors of the view in cube coordinates: right, up and towards the eye.
  const std::array<double, 3>& right() const { return right_; }
  const std::array<double, 3>& up() const { return up_; }
  const std::array<double, 3>& back() const { return back_; }
  /// Cube to data and back.
  render::Point3 toData(const std::array<double, 3>& cube) const;
  std::array<double, 3> toCube(const render::Point3& data) const;
  /// Unit vector from a point of the cube to the eye.
  std::array<double, 3> towardsEye(const std::array<double, 3>& cube) const;

 private:
  struct Ray {
    std::array<double, 3> origin, direction;  ///< cube
  };
  Ray sight(render::Point page) const;
  double halfHeight() const;

  OrbitCamera camera_;
  std::array<double, 3> centre_{}, half_{};
  render::Rect plot_;
  std::array<double, 3> right_{}, up_{}, back_{};
};

}  // namespace sepx::ui
