// SPDX-License-Identifier: Apache-2.0
// The geometry of a three-dimensional picture that both renderers share: projection to the page, clipping half-spaces,
// clipped and projected lines, and light. Double precision, no graphics API. All results are finite and near the plot.
// Pure functions, any thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "engine/render/scene.h"
#include "engine/render/scene3.h"

namespace sepx::render {

/// A half-space of data coordinates. The part with n.x x + n.y y + n.z z + d >= 0 is kept.
struct HalfSpace {
  Point3 n;
  double d = 0;
  double operator()(const Point3& at) const { return n.x * at.x + n.y * at.y + n.z * at.z + d; }
};

class Projection3 {
 public:
  /// nullopt when nothing can be seen: a plot without size, an eye that is not finite or sees nothing.
  static std::optional<Projection3> of(const Scene3& scene);

  Point3 eye(const Point3& data) const;  ///< converts to eye coordinates
  /// Converts a normal from data to eye coordinates, with length 1; zero when it has no direction.
  Point3 eyeNormal(const Point3& normal) const;
  /// Page position of a point in eye coordinates, which must be in front of the eye.
  Point page(const Point3& eye) const;
  /// Page points per unit of eye coordinates at this distance along -z.
  double pointsPerUnit(double depth) const { return perUnit_ / (perspective_ ? depth : 1); }
  /// Value of the depth buffer: 0 at `nearest`, 1 at `farthest`.
  double depthValue(double depth) const;
  /// Direction from a point towards the eye, length 1.
  Point3 towardsEye(const Point3& eye) const;

  bool perspective() const { return perspective_; }
  double nearest() const { return nearest_; }
  double farthest() const { return farthest_; }
  double perUnit() const { return perUnit_; }
  Point centre() const { return centre_; }
  /// Rows of the matrices data -> eye (x, y, z, shift) and normals -> eye.
  const std::array<std::array<double, 4>, 3>& rows() const { return rows_; }
  const std::array<std::array<double, 3>, 3>& normalRows() const { return normalRows_; }
  /// The half-spaces of the visible region, data coordinates: near, far, and the sides of `bounds` (page).
  std::array<HalfSpace, 6> frustum(const Rect& bounds) const;

 private:
  std::array<std::array<double, 4>, 3> rows_{};
  std::array<std::array<double, 3>, 3> normalRows_{};
  bool perspective_ = true;
  double nearest_ = 0, farthest_ = 1, perUnit_ = 1;
  Point centre_;
};

/// The first four clip planes that have a direction.
std::vector<HalfSpace> clipsOf(const Scene3& scene);

/// A point of a projected line.
struct ProjectedPoint {
  Point at;          ///< page
  Point3 eye;        ///< eye coordinates
  double along = 0;  ///< page length of the visible line before this point
  float alpha = 1;   ///< fade
  bool cut = false;  ///< the line was cut here and has a straight end
};

/// Connected pieces: piece i is beads[ends[i-1] .. ends[i]).
struct ProjectedLines {
  std::vector<ProjectedPoint> linePoints;
  std::vector<std::size_t> ends;
  void clear();  ///< removes all
};

/// Appends the visible parts of a tube: cut by the half-spaces, projected, and thinned so that no dropped point is
/// further than `tolerance` points from the thinned line.
void appendProjectedLine(const Projection3& projection, const Tube& tube, std::span<const HalfSpace> kept,
                         double tolerance, ProjectedLines& projected);

/// The items that are drawn on top of a scene's picture, page coordinates: markers that are never hidden, then labels.
std::vector<Item> itemsInFront(const Scene3& scene);

/// Values of a surface's contour lines, ascending, between the least and the greatest value of its mesh. A line at one
/// of these two values would run along the rim and be only half visible.
std::vector<float> contoursOf(const Surface& surface);

/// Direction of the light of a scene, length 1.
Point3 lightOf(const Scene3& scene);

/// The colour of a lit point of a surface. Twin: lit() of shaders/graphics/solid.glsl. `normal`, `towards` (the eye),
/// `light`: length 1, eye coordinates. Both sides are lit. A translucent sheet is more opaque where it is seen at a
/// slant.
Color lit(const Color& color, const Point3& normal, const Point3& towards, const Point3& light);

}  // namespace sepx::render
