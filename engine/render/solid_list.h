// SPDX-License-Identifier: Apache-2.0
// The drawing instructions for the GPU of one three-dimensional picture: the eye, the styles of its surfaces, their
// triangles in drawing order, and tubes and markers as records in pixels with depth. They are made on the CPU, so that
// tests can inspect them. shaders/graphics/solid.glsl reads the same records. No Vulkan here. Frame thread only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/render/draw_list.h"
#include "engine/render/mesh_edges.h"
#include "engine/render/projection3.h"

namespace sepx::render {

/// 12 words: rows of data -> eye, rows of normals -> eye, scale and shift of the clip coordinates, depth law, four clip
/// planes (-> distance inside).
struct EyeRecord {
  float toEye[3][4];
  float normals[3][4];
  float scale[4];
  float depth[4];  ///< z = depth[0] d + depth[1], w = depth[2] d + depth[3] at the distance d
  float clips[4][4];
};
static_assert(sizeof(EyeRecord) == 12 * 16);

struct StyleRecord {
  std::uint32_t color, contourColor;
  /// 1 colour map, 2..8 its row, 16 flat, 32 clipped, 64 contour values are uneven; bits 8-19 number of contour lines,
  /// 20-31 half their width in sixteenths of a pixel.
  std::uint32_t flags;
  std::uint32_t firstContour;  ///< of uneven ones; index in floats from the beginning of the buffer
  float lawScale, lawOffset;
  float contourStart, contourStep;  ///< of even ones
};
static_assert(sizeof(StyleRecord) == 32);

/// A SegmentRecord with depth at both ends and the slope of the axis towards the eye.
struct TubeRecord {
  SegmentRecord segment;
  float z0, z1, slope;
  std::uint32_t kind;  ///< 1 lit, 2 it has a core, which hides what is behind it
};
static_assert(sizeof(TubeRecord) == 80);

struct SurfaceVertex {
  float position[3], value;
  float normal[3];
  std::uint32_t surface;
};
static_assert(sizeof(SurfaceVertex) == 32);

/// The objects drawn between two depths: translucent triangles, then pieces of tubes and markers.
struct Slab {
  std::uint32_t firstSheet = 0, sheets = 0;  ///< indices
  std::uint32_t firstSoft = 0, soft = 0, firstMarker = 0, markers = 0;
};

class SolidList {
 public:
  static constexpr std::size_t kMostTriangles = std::size_t{1} << 21;  ///< of one picture
  static constexpr std::size_t kMostVertices = std::size_t{1} << 23;   // indices that every device supports
  static constexpr std::size_t kMostTubes = 300'000;                   // pieces

  EyeRecord eye{};                    ///< the camera
  Point3 light;                       ///< towards the light, a unit vector
  bool perspective = true;            ///< else orthographic
  std::vector<StyleRecord> styles;    ///< one per surface; vertices refer to them
  std::vector<float> contours;        ///< of all surfaces
  std::vector<std::uint32_t> opaque;  ///< indices, nearest first
  std::vector<std::uint32_t> sheets;  ///< indices of translucent surfaces, farthest first
  std::vector<TubeRecord> tubes;      ///< with a core, farthest first
  /// Tubes without a core, and outlines of surfaces, farthest first. If there are sheets, all tubes are also here,
  /// because the parts outside their cores are drawn between the sheets.
  std::vector<TubeRecord> soft;
  std::vector<ShapeRecord> markers;  ///< farthest first; reserved[0] is the depth
  std::vector<Slab> slabs;           ///< farthest first; empty without sheets

  /// `box`: the part of the target that the picture fills. `placement`: the position of the scene on the target.
  void make(const Scene3& scene, const Placement& placement, const ClipBox& box, EdgeCache& edges);
  void clear();

 private:
  struct View;
  void surfaces(const View& view, const Scene3& scene);
  void addContours(StyleRecord& style, const Surface& surface, double scale);
  void triangles(const View& view, const Scene3& scene);
  void tube(const View& view, const Tube& tube);
  void run(const View& view, TubeRecord record, float alpha, double period, std::size_t first, std::size_t end);
  void marker(const View& view, const Marker3& marker);
  void rimPiece(const View& view, const Tube& line);
  void sortTubes(std::vector<TubeRecord>& list);
  void makeSlabs(const View& view);

  ProjectedLines projected_;
  std::vector<float> depths_;
  std::vector<float> sheetDepths_;  // of each triangle of `sheets`
  std::vector<std::uint64_t> order_, spare_;
  std::vector<TubeRecord> sorted_;
};

/// The vertices of all surfaces of a scene are stored one after the other, and the triangles of SolidList are indices
/// into them. surfaceVertices() returns their number, writeSurfaceVertices() writes them.
std::size_t surfaceVertices(const Scene3& scene);
void writeSurfaceVertices(const Scene3& scene, SurfaceVertex* to);

}  // namespace sepx::render
