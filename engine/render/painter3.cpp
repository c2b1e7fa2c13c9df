// SPDX-License-Identifier: Apache-2.0
// Neighbouring polygons of a mesh share an edge, and a viewer that smooths edges leaves a line of background there.
// Opaque polygons therefore overlap a little. Translucent polygons do not, because the overlap would be visible.
#include "engine/render/painter3.h"

#include <algorithm>
#include <cmath>

#include "engine/render/color_map.h"
#include "engine/render/mesh_coarse.h"
#include "engine/render/mesh_edges.h"
#include "engine/render/projection3.h"
#include "engine/render/tessellate.h"

namespace sepx::render {
namespace {

constexpr double kPieceLength = 10;  // points
constexpr double kSide = 26;         // maximum length of a polygon's edge, points
constexpr double kTolerance = 0.04;  // points that thinning may move a line by
constexpr double kOverlap = 0.3;     // points by which the edges of opaque polygons are moved outwards
constexpr double kTowardsEye = 1.5;  // half widths by which a line is nearer than its axis, as in solid_list.cpp

/// A corner of a polygon: data coordinates, value, normal.
struct Corner {
  Point3 at;
  double value = 0;
  Point3 normal;
};

Corner middle(const Corner& a, const Corner& b, double t) {
  const auto mix = [t](double p, double q) { return p + t * (q - p); };
  const auto mix3 = [&](const Point3& p, const Point3& q) {
    return Point3{mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z)};
  };
  return {mix3(a.at, b.at), mix(a.value, b.value), mix3(a.normal, b.normal)};
}

// The part of a convex polygon inside a half-space (Sutherland and Hodgman).
void clip(std::vector<Corner>& polygon, const HalfSpace& half, std::vector<Corner>& spare) {
  spare.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double atA = half(a.at), atB = half(b.at);
    if (atA >= 0) spare.push_back(a);
    if ((atA < 0) != (atB < 0)) spare.push_back(middle(a, b, atA / (atA - atB)));
  }
  polygon.swap(spare);
}

// Moves every edge of a convex polygon outwards, less at sharp corners.
void outset(std::vector<Point>& polygon, double by) {
  polygon.erase(std::unique(polygon.begin(), polygon.end()), polygon.end());
  while (polygon.size() > 1 && polygon.front() == polygon.back())
    polygon.pop_back();
  const std::size_t n = polygon.size();
  if (n < 3) {
    polygon.clear();
    return;
  }
  double area = 0;
  for (std::size_t i = 0; i < n; ++i)
    area += polygon[i].x * polygon[(i + 1) % n].y - polygon[i].y * polygon[(i + 1) % n].x;
  const double turn = area > 0 ? 1 : -1;
  const auto normal = [&](Point a, Point b) {
    const double size = std::hypot(b.x - a.x, b.y - a.y);
    return Point{turn * (b.y - a.y) / size, turn * (a.x - b.x) / size};
  };
  std::vector<Point> moved(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Point at = polygon[i], p = normal(polygon[(i + n - 1) % n], at), q = normal(at, polygon[(i + 1) % n]);
    const double dot = std::max(0.4, 1 + p.x * q.x + p.y * q.y);
    moved[i] = {at.x + by * (p.x + q.x) / dot, at.y + by * (p.y + q.y) / dot};
  }
  polygon.swap(moved);
}

class Painter {
 public:
  Painter(const Scene3& scene, const Projection3& projection, const Rect& bounds);
  Painting take();

 private:
  void surface(const Surface& surface, const Mesh& mesh);
  void split(const Surface& surface, const Mesh& mesh, std::vector<Corner> triangle, int depth);
  void area(const Surface& surface, const Mesh& mesh, const std::vector<Corner>& polygon);
  void contours(const Surface& surface, const std::vector<Corner>& polygon, double depth);
  void tube(const Tube& tube);
  void piece(const Tube& tube, const ProjectedLines& projected, std::size_t first, std::size_t last, std::size_t begin,
             std::size_t end);
  void layer(const Painted& line);
  Point page(const Corner& corner) const { return projection_.page(projection_.eye(corner.at)); }

  const Scene3& scene_;
  const Projection3& projection_;
  std::vector<HalfSpace> free_, clipped_;
  Point3 light_;
  Painting painting_;
  std::vector<Corner> spare_;
  std::vector<float> contours_;  // of the surface that is being painted
  std::vector<Point> outline_;
  std::size_t areas_ = 0;
};

Painter::Painter(const Scene3& scene, const Projection3& projection, const Rect& bounds)
    : scene_(scene), projection_(projection), light_(lightOf(scene)) {
  float widest = 8;
  for (const Tube& one : scene.tubes)
    widest = std::max(widest, one.width < 1e4F ? one.width : 0.0F);
  for (const Marker3& one : scene.markers)
    widest = std::max(widest, one.size < 1e4F ? one.size : 0.0F);
  for (const HalfSpace& side : projection.frustum(grown(bounds, widest)))
    free_.push_back(side);
  clipped_ = free_;
  for (const HalfSpace& half : clipsOf(scene))
    clipped_.push_back(half);
}

Painting Painter::take() {
  std::size_t triangles = 0;
  for (const Surface& one : scene_.surfaces)
    triangles += one.mesh ? one.mesh->triangles.size() / 3 : 0;
  for (const Surface& one : scene_.surfaces) {
    if (!one.mesh || !(one.color.a > 0)) continue;
    const std::size_t own = one.mesh->triangles.size() / 3;
    // Each mesh is reduced by the same factor.
    const bool fits = triangles <= kMostAreas;
    Surface shown = one;
    if (!fits) shown.mesh = coarsened(*one.mesh, std::max<std::size_t>(2, kMostAreas * own / triangles));
    surface(shown, *shown.mesh);
    forOutline(shown, edgesOf(*shown.mesh), projection_, light_, [&](const Tube& edge) { tube(edge); });
  }
  for (const Tube& one : scene_.tubes)
    tube(one);
  for (std::size_t i = 0; i < scene_.markers.size(); ++i) {
    const Marker3& one = scene_.markers[i];
    const auto& kept = one.clipped ? clipped_ : free_;
    const bool in = std::all_of(kept.begin(), kept.end(), [&](const HalfSpace& half) { return half(one.at) >= 0; });
    if (one.inFront || !in || !(one.size > 0)) continue;
    const Point3 eye = projection_.eye(one.at);
    Painted marker{Painted::Kind::Marker, i};
    marker.depth = -eye.z - one.size / 2 / projection_.pointsPerUnit(-eye.z);
    painting_.items.push_back(marker);
  }
  std::stable_sort(painting_.items.begin(), painting_.items.end(),
                   [](const Painted& a, const Painted& b) { return a.depth > b.depth; });
  return std::move(painting_);
}

void Painter::surface(const Surface& surface, const Mesh& mesh) {
  const std::size_t n = mesh.positions.size();
  const bool values = mesh.values.size() == n, normals = mesh.normals.size() == n;
  contours_ = contoursOf(surface);
  std::vector<Corner> polygon;
  for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
    polygon.clear();
    for (std::size_t k = 0; k < 3 && mesh.triangles[t + k] < n; ++k) {
      const std::size_t i = mesh.triangles[t + k];
      const auto& at = mesh.positions[i];
      if (!(std::abs(at[0]) < 1e18F && std::abs(at[1]) < 1e18F && std::abs(at[2]) < 1e18F)) break;
      Corner corner{{at[0], at[1], at[2]}};
      if (values) corner.value = mesh.values[i];
      if (normals) corner.normal = {mesh.normals[i][0], mesh.normals[i][1], mesh.normals[i][2]};
      polygon.push_back(corner);
    }
    if (polygon.size() < 3) continue;
    for (const HalfSpace& half : surface.clipped ? clipped_ : free_)
      clip(polygon, half, spare_);
    // A cut triangle is convex, so it is divided into a fan of triangles, which are split until they are small enough.
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
      split(surface, mesh, {polygon[0], polygon[i], polygon[i + 1]}, 12);
  }
}

void Painter::split(const Surface& surface, const Mesh& mesh, std::vector<Corner> triangle, int depth) {
  std::size_t longest = 0;
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point a = page(triangle[i]), b = page(triangle[(i + 1) % 3]);
    if (!usable(a) || !usable(b)) return;
    const double size = std::hypot(b.x - a.x, b.y - a.y);
    if (size > most) {
      most = size;
      longest = i;
    }
  }
  if (most <= kSide || depth == 0 || areas_ >= kMostAreas) {
    area(surface, mesh, triangle);
    return;
  }
  const Corner &a = triangle[longest], &b = triangle[(longest + 1) % 3], &c = triangle[(longest + 2) % 3];
  const Corner half = middle(a, b, 0.5);
  split(surface, mesh, {a, half, c}, depth - 1);
  split(surface, mesh, {half, b, c}, depth - 1);
}

void Painter::area(const Surface& surface, const Mesh& mesh, const std::vector<Corner>& polygon) {
  Corner centre;
  outline_.clear();
  double least = 1e300, most = -1e300;
  const double share = 1.0 / static_cast<double>(polygon.size());
  for (const Corner& corner : polygon) {
    centre.at = {centre.at.x + share * corner.at.x, centre.at.y + share * corner.at.y,
                 centre.at.z + share * corner.at.z};
    centre.value += share * corner.value;
    centre.normal = {centre.normal.x + corner.normal.x, centre.normal.y + corner.normal.y,
                     centre.normal.z + corner.normal.z};
    outline_.push_back(page(corner));
    const double away = -projection_.eye(corner.at).z;
    least = std::min(least, away);
    most = std::max(most, away);
  }
  if (mesh.normals.size() != mesh.positions.size()) {
    const Point3 &o = polygon[0].at, &p = polygon[1].at, &q = polygon[2].at;
    const Point3 u{p.x - o.x, p.y - o.y, p.z - o.z}, v{q.x - o.x, q.y - o.y, q.z - o.z};
    centre.normal = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  }
  Color color = surface.color;
  if (surface.map && mesh.values.size() == mesh.positions.size() && std::isfinite(centre.value)) {
    const ColorLaw law = colorLaw(*surface.map, surface.low, surface.high);
    const Color mapped = colorAt(*surface.map, centre.value * law.scale + law.offset);
    color = {mapped.r, mapped.g, mapped.b, color.a};
  }
  const Point3 eye = projection_.eye(centre.at), towards = projection_.towardsEye(eye);
  Point3 normal = projection_.eyeNormal(centre.normal);
  if (normal == Point3{}) normal = towards;
  Painted painted;
  painted.color = lit(color, normal, towards, light_);
  painted.depth = -eye.z;
  outset(outline_, painted.color.a >= 1 ? kOverlap : 0);
  if (outline_.empty()) return;
  painted.first = painting_.points.size();
  painted.count = outline_.size();
  painting_.points.insert(painting_.points.end(), outline_.begin(), outline_.end());
  painting_.items.push_back(painted);
  ++areas_;
  // Contour lines are nearer than the neighbouring polygons, which would otherwise cover half of them.
  if (mesh.values.size() == mesh.positions.size()) contours(surface, polygon, painted.depth - (most - least));
}

void Painter::contours(const Surface& surface, const std::vector<Corner>& polygon, double depth) {
  for (const float value : contours_) {
    std::array<Point, 2> ends;
    std::size_t found = 0;
    for (std::size_t i = 0; i < polygon.size() && found < 2; ++i) {
      const Corner &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
      if ((a.value < value) != (b.value < value))
        ends[found++] = page(middle(a, b, (value - a.value) / (b.value - a.value)));
    }
    if (found < 2 || !usable(ends[0]) || !usable(ends[1])) continue;
    Painted line{Painted::Kind::Line, painting_.points.size(), 2, surface.contourColor, surface.contourWidth};
    line.begins = line.ends = surface.contourColor.a >= 1;
    line.depth = depth;
    painting_.points.insert(painting_.points.end(), ends.begin(), ends.end());
    painting_.items.push_back(line);
  }
}

void Painter::tube(const Tube& tube) {
  if (!(tube.width > 0) || !std::isfinite(tube.width) || !(tube.color.a > 0)) return;
  ProjectedLines projected;
  appendProjectedLine(projection_, tube, tube.clipped ? clipped_ : free_, kTolerance, projected);
  for (std::size_t run = 0, begin = 0; run < projected.ends.size(); begin = projected.ends[run++]) {
    const std::size_t end = projected.ends[run];
    // A long straight line is cut, too.
    for (std::size_t first = begin, last = begin; first + 1 < end; first = last) {
      const ProjectedPoint& from = projected.linePoints[first];
      do {
        ++last;
      } while (last + 1 < end && projected.linePoints[last].along - from.along < kPieceLength &&
               std::abs(projected.linePoints[last].alpha - from.alpha) < 0.06F);
      piece(tube, projected, first, last, begin, end);
    }
  }
}

// Appends the piece from bead `first` to bead `last` of the line begin .. end. A straight piece that is too long is
// divided into parts.
void Painter::piece(const Tube& tube, const ProjectedLines& projected, std::size_t first, std::size_t last,
                    std::size_t begin, std::size_t end) {
  const auto& linePoints = projected.linePoints;
  const int parts =
      last - first > 1
          ? 1
          : std::clamp(static_cast<int>((linePoints[last].along - linePoints[first].along) / kPieceLength), 1, 200);
  for (int part = 0; part < parts; ++part) {
    Painted line{Painted::Kind::Line, painting_.points.size(), 0, tube.color, tube.width, tube.dash, tube.width};
    double depth = 0;
    const auto push = [&](const ProjectedPoint& bead) {
      painting_.points.push_back(bead.at);
      depth += -bead.eye.z;
      ++line.count;
    };
    // A straight line on the page is straight in space, but equal steps on the page are not equal steps in space.
    const auto between = [&](double s) {
      const ProjectedPoint &a = linePoints[first], &b = linePoints[last];
      const double t = projection_.perspective() ? s * a.eye.z / (b.eye.z + s * (a.eye.z - b.eye.z)) : s;
      ProjectedPoint bead = a;
      bead.at = {a.at.x + s * (b.at.x - a.at.x), a.at.y + s * (b.at.y - a.at.y)};
      bead.eye.z = a.eye.z + t * (b.eye.z - a.eye.z);
      bead.along = a.along + s * (b.along - a.along);
      return bead;
    };
    if (parts == 1) {
      for (std::size_t i = first; i <= last; ++i)
        push(linePoints[i]);
      line.along = linePoints[first].along;
    } else {
      const ProjectedPoint from = between(static_cast<double>(part) / parts);
      push(from);
      push(between(static_cast<double>(part + 1) / parts));
      line.along = from.along;
    }
    line.begins = first == begin && part == 0 && !linePoints[first].cut;
    line.ends = last + 1 == end && part + 1 == parts && !linePoints[last].cut;
    line.color.a *= (linePoints[first].alpha + linePoints[last].alpha) / 2;
    depth /= static_cast<double>(line.count);
    line.depth = depth - kTowardsEye * tube.width / 2 / projection_.pointsPerUnit(depth);
    if (!tube.lit || tube.dash != Dash::Solid) {
      layer(line);
      continue;
    }
    // The light along the middle is a narrower, lighter line in the same place.
    const Point3 towards{0, 0, 1};
    const Color bright = lit({line.color.r, line.color.g, line.color.b, 1}, towards, towards, light_);
    const float alpha = line.color.a;
    line.color = {0.8F * line.color.r, 0.8F * line.color.g, 0.8F * line.color.b, alpha};
    layer(line);
    line.color = {bright.r, bright.g, bright.b, alpha};
    line.width = 0.55F * tube.width;
    layer(line);
  }
}

// Appends a line, preceded by dots that make the ends of the whole line round.
void Painter::layer(const Painted& line) {
  const bool round = line.color.a >= 1 && line.dash == Dash::Solid && line.width > 1.5F;
  const auto dot = [&](std::size_t point) {
    Painted one = line;
    one.first = point;
    one.count = 1;
    painting_.items.push_back(one);
  };
  if (round && line.begins) dot(line.first);
  if (round && line.ends) dot(line.first + line.count - 1);
  painting_.items.push_back(line);
}

}  // namespace

Painting paint(const Scene3& scene, const Rect& bounds) {
  const auto projection = Projection3::of(scene);
  const auto seen = intersection(scene.plot, bounds);
  return projection && seen ? Painter(scene, *projection, *seen).take() : Painting{};
}

}  // namespace sepx::render
