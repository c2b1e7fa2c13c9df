// SPDX-License-Identifier: Apache-2.0
// Opaque objects are hidden by the depth test. Translucent triangles are drawn from the farthest to the nearest, sorted
// by the depth of their centres.
#include "engine/render/solid_list.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/render/color_map.h"
#include "engine/render/tessellate.h"

namespace sepx::render {
namespace {

constexpr double kTolerance = 0.08;  // pixels that thinning may move a tube by
constexpr double kTowardsEye = 1.5;  // half widths by which a tube is nearer than its axis
constexpr float kFirm = 0.9F;        // opacity at or above which a tube hides what is behind it

// Sorts by the upper half of the bits, ascending: three passes of 11 bits.
void radixSort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
  spare.resize(keys.size());
  for (const int shift : {32, 43, 54}) {
    std::array<std::uint32_t, 2048> counts{};
    for (const std::uint64_t key : keys)
      ++counts[key >> shift & 2047U];
    std::uint32_t at = 0;
    for (std::uint32_t& count : counts)
      at += std::exchange(count, at);
    for (const std::uint64_t key : keys)
      spare[counts[key >> shift & 2047U]++] = key;
    keys.swap(spare);
  }
}

// Converts a float to an integer that has the same order.
std::uint32_t ordered(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

float unordered(std::uint32_t key) {
  return std::bit_cast<float>(key & 0x80000000U ? key & 0x7fffffffU : ~key);
}

std::uint64_t keyed(std::uint32_t key, std::size_t index) {
  return static_cast<std::uint64_t>(key) << 32 | static_cast<std::uint32_t>(index);
}

bool inRange(const Mesh& mesh, std::size_t triangle) {
  const std::size_t n = mesh.positions.size();
  const std::uint32_t* corner = mesh.triangles.data() + 3 * triangle;
  return corner[0] < n && corner[1] < n && corner[2] < n;
}

Point sharedNormal(Point before, Point at, Point after) {
  const double lengthA = std::hypot(at.x - before.x, at.y - before.y),
               lengthB = std::hypot(after.x - at.x, after.y - at.y);
  if (!(lengthA > 0) || !(lengthB > 0)) return {};
  const Point sum{(at.x - before.x) / lengthA + (after.x - at.x) / lengthB,
                  (at.y - before.y) / lengthA + (after.y - at.y) / lengthB};
  const double size = std::hypot(sum.x, sum.y);
  return size > 0.05 ? Point{sum.x / size, sum.y / size} : Point{};
}

}  // namespace

struct SolidList::View {
  Projection3 projection;
  std::vector<HalfSpace> free, clipped;  // half-spaces that lines are cut by
  double scale = 1;                      // pixels per point
  Point shift;                           // position of the page's origin on the picture, pixels
  double width = 0, height = 0;          // pixels

  Point pixel(Point page) const { return {shift.x + page.x * scale, shift.y + page.y * scale}; }
  /// Depth of the front of an object of this radius (points).
  float depth(double away, double radius) const {
    const double nearer = away - radius / projection.pointsPerUnit(away);
    return static_cast<float>(std::clamp(projection.depthValue(std::max(nearer, projection.nearest())), 0.0, 1.0));
  }
};

void SolidList::clear() {
  styles.clear();
  contours.clear();
  opaque.clear();
  sheets.clear();
  tubes.clear();
  soft.clear();
  slabs.clear();
  sheetDepths_.clear();
  markers.clear();
}

namespace {

EyeRecord eyeRecord(const Projection3& projection, const Scene3& scene, double scale, Point shift, double width,
                    double height) {
  EyeRecord eye{};
  const auto number = [](double x) { return static_cast<float>(x); };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      eye.toEye[i][k] = number(projection.rows()[i][k]);
    // Only directions matter: scaled to a range that suits floats.
    double most = 0;
    for (const auto& row : projection.normalRows())
      most = std::max({most, std::abs(row[0]), std::abs(row[1]), std::abs(row[2])});
    for (std::size_t k = 0; k < 3; ++k)
      eye.normals[i][k] = most > 0 ? number(projection.normalRows()[i][k] / most) : 0;
  }
  const Point centre{shift.x + projection.centre().x * scale, shift.y + projection.centre().y * scale};
  eye.scale[0] = number(2 * projection.perUnit() * scale / width);
  eye.scale[1] = number(2 * projection.perUnit() * scale / height);
  eye.scale[2] = number(2 * centre.x / width - 1);
  eye.scale[3] = number(2 * centre.y / height - 1);
  const double range = projection.farthest() - projection.nearest();
  if (projection.perspective()) {
    eye.depth[0] = number(projection.farthest() / range);
    eye.depth[1] = number(-projection.farthest() * projection.nearest() / range);
    eye.depth[2] = 1;
  } else {
    eye.depth[0] = number(1 / range);
    eye.depth[1] = number(-projection.nearest() / range);
    eye.depth[3] = 1;
  }
  const std::vector<HalfSpace> clips = clipsOf(scene);
  for (std::size_t i = 0; i < 4; ++i) {
    const HalfSpace half = i < clips.size() ? clips[i] : HalfSpace{{0, 0, 0}, 1};
    const double parts[] = {half.n.x, half.n.y, half.n.z, half.d};
    // Scaled so that each value is a distance in data units. Planes that are not used do not affect its slope.
    const double size = std::sqrt(half.n.x * half.n.x + half.n.y * half.n.y + half.n.z * half.n.z);
    for (std::size_t k = 0; k < 4; ++k)
      eye.clips[i][k] = i < clips.size() ? number(parts[k] / size) : (k == 3 ? 1e30F : 0.0F);
  }
  return eye;
}

}  // namespace

void SolidList::make(const Scene3& scene, const Placement& placement, const ClipBox& box, EdgeCache& edges) {
  clear();
  const auto projection = Projection3::of(scene);
  if (!projection || box.width == 0 || box.height == 0) return;
  View view{*projection,
            {},
            {},
            placement.scale,
            {placement.x - box.x, placement.y - box.y},
            static_cast<double>(box.width),
            static_cast<double>(box.height)};
  light = lightOf(scene);
  perspective = projection->perspective();
  eye = eyeRecord(*projection, scene, view.scale, view.shift, view.width, view.height);
  float widest = 0;  // half of it may reach into the picture
  for (const Tube& one : scene.tubes)
    widest = std::max(widest, one.width < 1e4F ? one.width : 0.0F);
  for (const Marker3& one : scene.markers)
    widest = std::max(widest, one.size < 1e4F ? one.size : 0.0F);
  const Rect seen{{-view.shift.x / view.scale, -view.shift.y / view.scale},
                  {(view.width - view.shift.x) / view.scale, (view.height - view.shift.y) / view.scale}};
  for (const HalfSpace& side : projection->frustum(grown(seen, 2.0 + widest)))
    view.free.push_back(side);
  view.clipped = view.free;
  for (const HalfSpace& half : clipsOf(scene))
    view.clipped.push_back(half);
  surfaces(view, scene);
  for (const Tube& one : scene.tubes)
    tube(view, one);
  for (const Surface& one : scene.surfaces) {
    if (one.mesh && one.color.a > 0)
      forOutline(one, edges.of(*one.mesh), *projection, light, [&](const Tube& edge) { rimPiece(view, edge); });
  }
  if (!sheets.empty()) soft.insert(soft.end(), tubes.begin(), tubes.end());
  sortTubes(tubes);
  sortTubes(soft);
  for (const Marker3& one : scene.markers)
    marker(view, one);
  std::stable_sort(markers.begin(), markers.end(),
                   [](const ShapeRecord& a, const ShapeRecord& b) { return a.reserved[0] > b.reserved[0]; });
  if (!sheets.empty()) makeSlabs(view);
}

void SolidList::surfaces(const View& view, const Scene3& scene) {
  for (const Surface& surface : scene.surfaces) {
    StyleRecord style{};
    style.color = packColor(surface.color);
    style.contourColor = packColor(surface.contourColor);
    const bool values = surface.mesh && surface.mesh->values.size() == surface.mesh->positions.size();
    const bool flat = !surface.mesh || surface.mesh->normals.size() != surface.mesh->positions.size();
    style.flags = (surface.map && values ? 1U | static_cast<std::uint32_t>(*surface.map) << 1 : 0U) |
                  (flat ? 16U : 0U) | (surface.clipped ? 32U : 0U);
    const ColorLaw law = colorLaw(surface.map.value_or(ColorMap::Gray), surface.low, surface.high);
    style.lawScale = static_cast<float>(law.scale);
    style.lawOffset = static_cast<float>(law.offset);
    addContours(style, surface, view.scale);
    styles.push_back(style);
  }
  triangles(view, scene);
}

// The shader finds contour lines at even values by a division, others by a search in an ascending list.
void SolidList::addContours(StyleRecord& style, const Surface& surface, double scale) {
  const double halfWidth = surface.contourWidth * scale / 2;
  std::vector<float> values = contoursOf(surface);
  if (values.size() > 4095) values.resize(4095);
  const std::size_t count = values.size();
  if (!(halfWidth > 0) || count == 0) return;
  style.flags |= static_cast<std::uint32_t>(count) << 8;
  style.flags |= static_cast<std::uint32_t>(std::clamp(std::lround(16 * std::min(halfWidth, 255.0)), 1L, 4095L)) << 20;
  const float first = values.front();
  const float step = count > 1 ? (values.back() - first) / static_cast<float>(count - 1) : 1;
  style.contourStart = first;
  style.contourStep = step;
  bool even = std::isfinite(step) && step > 0;
  for (std::size_t i = 0; i < count; ++i)
    even = even && std::abs(values[i] - first - static_cast<float>(i) * step) <= 1e-4F * step;
  if (even) return;
  style.flags |= 64U;
  style.firstContour = static_cast<std::uint32_t>(contours.size());
  contours.insert(contours.end(), values.begin(), values.end());
}

// Collects the opaque and the translucent triangles, sorted by the depth of their centres.
void SolidList::triangles(const View& view, const Scene3& scene) {
  const auto& row = view.projection.rows()[2];
  const float nearest = static_cast<float>(view.projection.nearest()),
              farthest = static_cast<float>(view.projection.farthest());
  std::vector<std::uint32_t> corners;
  for (const bool translucent : {false, true}) {
    order_.clear();
    corners.clear();
    std::size_t first = 0;
    for (const Surface& surface : scene.surfaces) {
      if (!surface.mesh || first + surface.mesh->positions.size() > kMostVertices) continue;
      const Mesh& mesh = *surface.mesh;
      const auto base = static_cast<std::uint32_t>(first);
      first += mesh.positions.size();
      if (!(surface.color.a > 0) || (surface.color.a < 1) != translucent) continue;
      depths_.resize(mesh.positions.size());
      for (std::size_t i = 0; i < depths_.size(); ++i) {
        const auto& at = mesh.positions[i];
        const double depth = -(row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3]);
        const bool good = std::abs(at[0]) < 1e18F && std::abs(at[1]) < 1e18F && std::abs(at[2]) < 1e18F;
        depths_[i] = good ? static_cast<float>(depth) : std::numeric_limits<float>::quiet_NaN();
      }
      for (std::size_t t = 0; t < mesh.triangles.size() / 3 && order_.size() < kMostTriangles; ++t) {
        if (!inRange(mesh, t)) continue;
        const std::uint32_t* corner = mesh.triangles.data() + 3 * t;
        const float a = depths_[corner[0]], b = depths_[corner[1]], c = depths_[corner[2]], sum = a + b + c;
        if (!(std::abs(sum) < 1e30F) || std::max({a, b, c}) < nearest || std::min({a, b, c}) > farthest) continue;
        const std::uint32_t key = ordered(sum);
        order_.push_back(keyed(translucent ? ~key : key, corners.size()));
        corners.insert(corners.end(), {base + corner[0], base + corner[1], base + corner[2]});
      }
    }
    radixSort(order_, spare_);
    std::vector<std::uint32_t>& indices = translucent ? sheets : opaque;
    indices.reserve(corners.size());
    for (const std::uint64_t key : order_) {
      const auto* corner = corners.data() + static_cast<std::uint32_t>(key);
      indices.insert(indices.end(), corner, corner + 3);
      if (translucent) sheetDepths_.push_back(unordered(~static_cast<std::uint32_t>(key >> 32)) / 3);
    }
  }
}

void SolidList::tube(const View& view, const Tube& tube) {
  double width = tube.width * view.scale;
  if (!(width > 0) || width > 1e4 || !(tube.color.a > 0)) return;
  Color color = tube.color;
  if (width < 1) {  // thinner than a pixel: drawn fainter instead
    color.a *= static_cast<float>(width);
    width = 1;
  }
  projected_.clear();
  appendProjectedLine(view.projection, tube, tube.clipped ? view.clipped : view.free, kTolerance / view.scale,
                      projected_);
  const DashPattern dash = dashPattern({tube.color, tube.width, tube.dash});
  TubeRecord record{};
  SegmentRecord& segment = record.segment;
  segment.color = packColor(color);
  segment.dashOn = static_cast<float>(dash.on * view.scale);
  segment.dashPeriod = static_cast<float>(dash.period * view.scale);
  segment.halfWidth = static_cast<float>(width / 2);
  record.kind = tube.lit ? 1 : 0;
  for (std::size_t i = 0, first = 0; i < projected_.ends.size(); first = projected_.ends[i++])
    run(view, record, color.a, dash.period, first, projected_.ends[i]);
}

// Appends one connected piece of a tube. `record` has the values that all its segments share. A cut end is flat, in a
// plane across the line; other ends are round.
void SolidList::run(const View& view, TubeRecord record, float alpha, double period, std::size_t first,
                    std::size_t end) {
  const auto& linePoints = projected_.linePoints;
  SegmentRecord& segment = record.segment;
  const double radius = kTowardsEye * segment.halfWidth / view.scale;
  const auto put = [](float(&to)[2], Point from) {
    to[0] = static_cast<float>(from.x);
    to[1] = static_cast<float>(from.y);
  };
  const auto at = [&](std::size_t i) { return view.pixel(linePoints[i].at); };
  const auto across = [&](std::size_t i) {
    const Point a = at(i), b = at(i + 1);
    const double size = std::hypot(b.x - a.x, b.y - a.y);
    return size > 0 ? Point{(b.x - a.x) / size, (b.y - a.y) / size} : Point{};
  };
  Point normal = linePoints[first].cut ? across(first) : Point{};
  for (std::size_t i = first; i + 1 < end && tubes.size() + soft.size() < kMostTubes; ++i) {
    const ProjectedPoint &from = linePoints[i], &to = linePoints[i + 1];
    const Point next = i + 2 < end ? sharedNormal(at(i), at(i + 1), at(i + 2)) : to.cut ? across(i) : Point{};
    put(segment.p0, at(i));
    put(segment.p1, at(i + 1));
    put(segment.n0, normal);
    put(segment.n1, next);
    segment.along = period > 0 ? static_cast<float>(std::fmod(from.along, period) * view.scale) : 0.0F;
    segment.alpha0 = from.alpha;
    segment.alpha1 = to.alpha;
    record.z0 = view.depth(-from.eye.z, radius);
    record.z1 = view.depth(-to.eye.z, radius);
    const double rise = (to.eye.z - from.eye.z) * view.projection.pointsPerUnit(-from.eye.z);
    record.slope = static_cast<float>(std::clamp(rise / std::max(1e-6, to.along - from.along), -20.0, 20.0));
    const bool firm = alpha * std::min(from.alpha, to.alpha) >= kFirm;
    record.kind = (record.kind & 1U) | (firm ? 2U : 0U);
    (firm ? tubes : soft).push_back(record);
    normal = next;
  }
}

// Appends one edge of an outline. Its ends are flat, so that neighbouring edges do not cover each other.
void SolidList::rimPiece(const View& view, const Tube& line) {
  projected_.clear();
  appendProjectedLine(view.projection, line, line.clipped ? view.clipped : view.free, kTolerance / view.scale,
                      projected_);
  if (projected_.linePoints.size() != 2 || soft.size() >= kMostTubes) return;
  const Point from = view.pixel(projected_.linePoints[0].at), to = view.pixel(projected_.linePoints[1].at);
  const double size = std::hypot(to.x - from.x, to.y - from.y);
  if (!(size > 0)) return;
  const auto number = [](double x) { return static_cast<float>(x); };
  const float x = number((to.x - from.x) / size), y = number((to.y - from.y) / size);
  TubeRecord record{};
  record.segment = {{number(from.x), number(from.y)},
                    {number(to.x), number(to.y)},
                    {x, y},
                    {x, y},
                    0,
                    1,
                    1,
                    packColor(line.color),
                    number(view.scale / 2),
                    0,
                    0,
                    0};
  record.z0 = view.depth(-projected_.linePoints[0].eye.z, kTowardsEye);
  record.z1 = view.depth(-projected_.linePoints[1].eye.z, kTowardsEye);
  soft.push_back(record);
}

// Divides the depths between the farthest and the nearest sheet into equal steps. Objects farther than all sheets come
// first.
void SolidList::makeSlabs(const View& view) {
  constexpr int kSlabs = 48;
  const double far = sheetDepths_.front(), near = sheetDepths_.back();
  std::size_t sheet = 0, piece = 0, mark = 0;
  const auto count = [](std::size_t to, std::size_t from) { return static_cast<std::uint32_t>(to - from); };
  for (int i = 0; i <= kSlabs; ++i) {
    Slab slab{count(3 * sheet, 0), 0, count(piece, 0), 0, count(mark, 0), 0};
    const double end = far + (near - far) * i / kSlabs;
    const double z = std::clamp(view.projection.depthValue(std::max(end, view.projection.nearest())), 0.0, 1.0);
    const bool last = i == kSlabs;
    while (i > 0 && sheet < sheetDepths_.size() && (last || sheetDepths_[sheet] >= end))
      ++sheet;
    while (piece < soft.size() && (last || (soft[piece].z0 + soft[piece].z1) / 2 >= z))
      ++piece;
    while (mark < markers.size() && (last || markers[mark].reserved[0] >= z))
      ++mark;
    slab.sheets = count(3 * sheet, slab.firstSheet);
    slab.soft = count(piece, slab.firstSoft);
    slab.markers = count(mark, slab.firstMarker);
    if (slab.sheets + slab.soft + slab.markers > 0) slabs.push_back(slab);
  }
}

void SolidList::sortTubes(std::vector<TubeRecord>& list) {
  order_.clear();
  for (std::size_t i = 0; i < list.size(); ++i)
    order_.push_back(keyed(~ordered(list[i].z0 + list[i].z1), i));
  radixSort(order_, spare_);
  sorted_.clear();
  sorted_.reserve(list.size());
  for (const std::uint64_t key : order_)
    sorted_.push_back(list[static_cast<std::uint32_t>(key)]);
  list.swap(sorted_);
}

void SolidList::marker(const View& view, const Marker3& marker) {
  if (marker.inFront || !(marker.size > 0) || !(marker.size < 1e4F)) return;
  for (const HalfSpace& half : marker.clipped ? view.clipped : view.free) {
    if (!(half(marker.at) >= 0)) return;  // also for NaN
  }
  const Point3 eyePlace = view.projection.eye(marker.at);
  const Point at = view.pixel(view.projection.page(eyePlace));
  const auto half = static_cast<float>(marker.size * view.scale / 2);
  ShapeRecord record{{static_cast<float>(at.x), static_cast<float>(at.y)},
                     {half, half},
                     packColor(marker.fill),
                     packColor(marker.edge),
                     marker.edgeWidth > 0 ? static_cast<float>(marker.edgeWidth * view.scale) : 0.0F,
                     static_cast<std::uint32_t>(marker.shape),
                     0,
                     {}};
  record.reserved[0] = view.depth(-eyePlace.z, marker.size / 2.0);
  markers.push_back(record);
}

namespace {

/// Calls `each` with the mesh and the index of every surface whose vertices are kept.
template <class Each>
void forKept(const Scene3& scene, const Each& each) {
  std::size_t vertices = 0;
  for (std::size_t s = 0; s < scene.surfaces.size(); ++s) {
    const std::shared_ptr<const Mesh>& mesh = scene.surfaces[s].mesh;
    if (!mesh || vertices + mesh->positions.size() > SolidList::kMostVertices) continue;
    vertices += mesh->positions.size();
    each(*mesh, static_cast<std::uint32_t>(s));
  }
}

}  // namespace

std::size_t surfaceVertices(const Scene3& scene) {
  std::size_t count = 0;
  forKept(scene, [&](const Mesh& mesh, std::uint32_t) { count += mesh.positions.size(); });
  return count;
}

void writeSurfaceVertices(const Scene3& scene, SurfaceVertex* to) {
  forKept(scene, [&](const Mesh& mesh, std::uint32_t surface) {
    const bool values = mesh.values.size() == mesh.positions.size();
    const bool normals = mesh.normals.size() == mesh.positions.size();
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      SurfaceVertex vertex{{}, values ? mesh.values[i] : 0.0F, {}, surface};
      std::copy_n(mesh.positions[i].data(), 3, vertex.position);
      if (normals) std::copy_n(mesh.normals[i].data(), 3, vertex.normal);
      *to++ = vertex;
    }
  });
}

}  // namespace sepx::render
