// SPDX-License-Identifier: Apache-2.0
// What the GPU is told about one three-dimensional picture: the eye, how its surfaces look, their triangles in the
// order in which they are drawn, tubes and markers as records in pixels with depth. Made on the CPU, so that tests can
// look at it; shaders/graphics/solid.glsl reads the same records. No Vulkan in here. Frame thread only.
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
  std::uint32_t firstContour;  ///< of uneven ones; counted in numbers from the beginning of the buffer
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

/// What is drawn between two depths: translucent triangles, then pieces of tubes and markers.
struct Slab {
  std::uint32_t firstSheet = 0, sheets = 0;  ///< indices
  std::uint32_t firstSoft = 0, soft = 0, firstMarker = 0, markers = 0;
};

class SolidList {
 public:
  static constexpr std::size_t kMostTriangles = std::size_t{1} << 21;  ///< of one picture
  static constexpr std::size_t kMostVertices = std::size_t{1} << 23;   // indices that every device takes
  static constexpr std::size_t kMostTubes = 300'000;                   // pieces

  EyeRecord eye{};                    ///< the camera
  Point3 light;                       ///< towards the light, a unit vector
  bool perspective = true;            ///< else orthographic
  std::vector<StyleRecord> styles;    ///< one a surface, so that vertices know theirs
  std::vector<float> contours;        ///< of all surfaces
  std::vector<std::uint32_t> opaque;  ///< indices, nearest first
  std::vector<std::uint32_t> sheets;  ///< indices of translucent surfaces, farthest first
  std::vector<TubeRecord> tubes;      ///< with a core, farthest first
  /// Without a core, and outlines of surfaces, farthest first; where there are sheets all tubes are here once more:
  /// what their cores leave is drawn between the sheets.
  std::vector<TubeRecord> soft;
  std::vector<ShapeRecord> markers;  ///< farthest first; reserved[0] is the depth
  std::vector<Slab> slabs;           ///< farthest first; empty without sheets

  /// `box`: the part of the target that the picture fills; the scene's plot lies on the target as `placement` says.
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

  Strands strands_;
  std::vector<float> depths_;
  std::vector<float> sheetDepths_;  // of each triangle of `sheets`
  std::vector<std::uint64_t> order_, spare_;
  std::vector<TubeRecord> sorted_;
};

/// All vertices of a scene's surfaces stand one behind the other, and the triangles of SolidList count in them: how
/// many there are, and they themselves.
std::size_t surfaceVertices(const Scene3& scene);
void writeSurfaceVertices(const Scene3& scene, SurfaceVertex* to);

}  // namespace sepx::render
