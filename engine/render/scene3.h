// SPDX-License-Identifier: Apache-2.0
// A three-dimensional picture as plain data: lit translucent surfaces with contour lines on them, tubes, markers and
// names, all with depth, seen by one eye and cut by planes. An exhibit makes it, renderers only read it: Vulkan with a
// depth buffer, SVG as polygons and lines sorted by depth. Positions are data coordinates (x, y, z); widths and sizes
// are points of the page. Contains no handle of any graphics API.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::render {

struct Point3 {  ///< a point in space
  double x = 0, y = 0, z = 0;
  bool operator==(const Point3&) const = default;
};

/// The projection from data to the page. `toEye` is the affine matrix data -> eye coordinates, column-major: x to the
/// right, y up, the eye looks along -z. It includes the scales of the axes. With perspective, the eye is at the origin
/// and `halfHeight` is half the height of the picture at distance 1. Without perspective, `halfHeight` is half the
/// height of the picture.
struct Eye {
  std::array<double, 16> toEye{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  double halfHeight = 1;
  bool perspective = true;
  double nearest = 0.1, farthest = 100;  ///< distances along -z that are drawn
  bool operator==(const Eye&) const = default;
};

/// Keeps the points with x nx + y ny + z nz >= offset, data coordinates.
struct ClipPlane {
  Point3 normal{1, 0, 0};
  double offset = 0;
  bool operator==(const ClipPlane&) const = default;
};

/// Triangles with a number at every vertex. Immutable once made: renderers cache their uploads by address and
/// `revision`.
struct Mesh {
  std::vector<std::array<float, 3>> positions;  ///< data coordinates
  std::vector<std::array<float, 3>> normals;    ///< unit normal of each vertex, data coordinates; empty: flat
  std::vector<float> values;                    ///< of each vertex, for colours and contour lines; may be empty
  std::vector<std::uint32_t> triangles;         ///< three indices each
  std::uint64_t revision = 0;                   ///< unique over all meshes of the program
};

/// A surface: a mesh and how it looks. Both sides are lit.
struct Surface {
  std::shared_ptr<const Mesh> mesh;
  Color color;  ///< alpha below 1: translucent
  std::optional<ColorMap> map;
  float low = 0, high = 1;      ///< limits of `values` on the colour map
  std::vector<float> contours;  ///< values at which a line runs over the surface
  Color contourColor{0, 0, 0, 0.5f};
  float contourWidth = 1;  ///< points
  bool clipped = true;     ///< by Scene3::clips
};

/// A line with thickness, lit like a tube, nearer parts in front.
struct Tube {
  std::vector<Point3> points;  ///< a NaN coordinate breaks it
  Color color;
  float width = 3;          ///< points
  std::vector<float> fade;  ///< alpha factor per point; empty: 1
  Dash dash = Dash::Solid;
  bool lit = true;  ///< false: a plain line (axes, grids)
  bool clipped = true;
};

/// A symbol that faces the eye.
struct Marker3 {
  Point3 at;
  Shape shape = Shape::Circle;
  float size = 8;  ///< diameter, points
  Color fill, edge;
  float edgeWidth = 1.5f;
  bool clipped = false;
  bool inFront = false;  ///< never hidden (handles)
};

/// A name beside a point; never hidden.
struct Label3 {
  Point3 at;
  std::string text;
  float size = 13;
  Color color;
  AlignX alignX = AlignX::Left;
  AlignY alignY = AlignY::Middle;
  Point offset;  ///< points
};

struct Scene3 {
  Rect plot;  ///< page coordinates: the area that the picture fills
  Eye eye;
  std::array<double, 3> light{0.4, 0.6, 0.7};  ///< direction to the light, eye coordinates
  std::vector<ClipPlane> clips;                ///< at most four; a point is drawn when all keep it
  std::vector<Surface> surfaces;
  std::vector<Tube> tubes;
  std::vector<Marker3> markers;
  std::vector<Label3> labels;
};

/// Converts data coordinates to the page; with perspective, an empty optional for points behind the eye. `depth`, if
/// not null, receives the distance along -z.
std::optional<Point> toPage(const Scene3& scene, const Point3& data, double* depth = nullptr);

}  // namespace sepx::render
