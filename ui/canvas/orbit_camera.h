// SPDX-License-Identifier: Apache-2.0
// The camera of a three-dimensional picture: it turns about a target, its up is always the third axis. Yaw 0 and pitch
// 0 look along the second axis, the first to the right; positive yaw carries the eye to the right, positive pitch
// raises it. A box of data is seen as a cube of side 2, so that axes of different spans look alike. Values; pure.
#pragma once

#include <array>
#include <optional>

#include "engine/render/scene3.h"

namespace sepx::ui {

struct OrbitCamera {
  double yaw = 0, pitch = 0;              ///< degrees
  double distance = 5.5;                  ///< of the eye from the target, in half sides of the box
  std::array<double, 3> target{0, 0, 0};  ///< half sides of the box from its centre
  bool perspective = true;
  bool operator==(const OrbitCamera&) const = default;
};

inline constexpr double kLeastDistance = 0.2, kLargestDistance = 100;

/// yaw in (-180, 180], pitch in [-90, 90], distance and target within limits; what is not finite becomes `fallback`'s.
OrbitCamera bounded(OrbitCamera camera, const OrbitCamera& fallback);
/// The picture follows the pointer by (dx, dy) points: half a degree a point.
OrbitCamera turned(OrbitCamera camera, double dx, double dy);
/// Closer by `factor` > 1.
OrbitCamera nearer(OrbitCamera camera, double factor);
/// Looks along an axis (0, 1, 2), from its lower end or from its upper one, at the middle of the box, close enough that
/// the face fills the plot.
OrbitCamera alongAxis(OrbitCamera camera, int axis, bool fromAbove);
/// The axis that the camera looks along to a tenth of a degree; nothing when it looks askew.
std::optional<int> lookedAlong(const OrbitCamera& camera);

/// A camera over a box of data, on a plot of the page.
class OrbitView {
 public:
  OrbitView(const OrbitCamera& camera, const std::array<double, 3>& low, const std::array<double, 3>& high,
            const render::Rect& plot);

  const OrbitCamera& camera() const { return camera_; }
  const render::Rect& plot() const { return plot_; }
  render::Eye eye() const;

  /// Data to the page; nothing behind the eye. `depth`: along the line of sight, half sides.
  std::optional<render::Point> toPage(const render::Point3& data, double* depth = nullptr) const;
  /// The place at that depth under a point of the page.
  render::Point3 atDepth(render::Point page, double depth) const;
  /// Where the line of sight through a point of the page meets the plane `axis` = `at`; nothing where they are parallel
  /// or it lies behind the eye.
  std::optional<render::Point3> onPlane(render::Point page, int axis, double at) const;
  /// The place on the line through `from` along `axis` that is nearest to the line of sight; nothing when the two are
  /// nearly parallel.
  std::optional<render::Point3> onAxis(render::Point page, const render::Point3& from, int axis) const;
  /// The camera with which what is at the target's depth has followed the pointer by (dx, dy).
  OrbitCamera panned(double dx, double dy) const;
  /// Points of the page that a half side of the box is long at a depth.
  double scaleAt(double depth) const;
  /// Unit vectors of the page in the cube: to the right, upwards, towards the eye.
  const std::array<double, 3>& right() const { return right_; }
  const std::array<double, 3>& up() const { return up_; }
  const std::array<double, 3>& back() const { return back_; }
  /// Cube to data and back.
  render::Point3 toData(const std::array<double, 3>& cube) const;
  std::array<double, 3> toCube(const render::Point3& data) const;
  /// From a place of the cube to the eye, unit length.
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
