// SPDX-License-Identifier: Apache-2.0
// What the GPU is told about one three-dimensional picture: the eye, how its surfaces look, their triangles in the
// order in which they are drawn, tubes and markers as records in pixels with depth. Made on the CPU, so that tests can
// look at it; shaders/graphics/solid.glsl reads the same records. No Vulkan in here. Frame thread only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/render/draw_list.h"
#include "engine/render/projection3.h"

namespace sepx::render {

/// 13 words: rows of data -> eye, rows of normals -> eye, scale and shift of the clip coordinates, depth law, four clip
/// planes (-> distance inside), light and pixels per point.
struct EyeRecord {
  float toEye[3][4];
  float normals[3][4];
  float scale[4];
  float depth[4];  ///< z = depth[0] d + depth[1], w = depth[2] d + depth[3] at the distance d
  float clips[4][4];
  float light[4];
};
static_assert(sizeof(EyeRecord) == 13 * 16);

struct StyleRecord {
  std::uint32_t color, contourColor;
  std::uint32_t flags;  ///< 1 colour map, 2..8 its row, 16 flat, 32 clipped
  std::uint32_t contours;
  float lawScale, lawOffset;
  float contourHalfWidth;      ///< pixels
  std::uint32_t firstContour;  ///< counted in numbers from the beginning of the buffer
};
static_assert(sizeof(StyleRecord) == 32);

/// A SegmentRecord with depth at both ends, the slope of the axis towards the eye, and whether it is lit.
struct TubeRecord {
  SegmentRecord segment;
  float z0, z1, slope, lit;
};
static_assert(sizeof(TubeRecord) == 80);

struct SurfaceVertex {
  float position[3], value;
  float normal[3];
  std::uint32_t surface;
};
static_assert(sizeof(SurfaceVertex) == 32);

class SolidList {
 public:
  static constexpr std::size_t kMostTriangles = std::size_t{1} << 21;
  static constexpr std::size_t kMostVertices = std::size_t{1} << 23;  // indices that every device takes
  static constexpr std::size_t kMostTubes = 300'000;                  // pieces

  EyeRecord eye{};
  std::vector<StyleRecord> styles;    ///< one a surface, so that vertices know theirs
  std::vector<float> contours;        ///< of all surfaces
  std::vector<std::uint32_t> opaque;  ///< indices, nearest first
  std::vector<std::uint32_t> sheets;  ///< indices of translucent surfaces, farthest first
  std::vector<TubeRecord> tubes;      ///< farthest first; the first `firm` cover what is behind them
  std::vector<TubeRecord> faint;      ///< pieces through which one sees
  std::vector<ShapeRecord> markers;   ///< farthest first; reserved[0] is the depth

  /// `box`: the part of the target that the picture fills; the scene's plot lies on the target as `placement` says.
  void make(const Scene3& scene, const Placement& placement, const ClipBox& box);
  void clear();

 private:
  struct View;
  void surfaces(const View& view, const Scene3& scene);
  void triangles(const View& view, const Scene3& scene);
  void tube(const View& view, const Tube& tube);
  void marker(const View& view, const Marker3& marker);
  void sortTubes(std::vector<TubeRecord>& list);

  Strands strands_;
  std::vector<float> depths_;
  std::vector<std::uint64_t> order_, spare_;
  std::vector<TubeRecord> sorted_;
};

/// All vertices of a scene's surfaces stand one behind the other, and the triangles of SolidList count in them: how
/// many there are, and they themselves.
std::size_t surfaceVertices(const Scene3& scene);
void writeSurfaceVertices(const Scene3& scene, SurfaceVertex* to);

}  // namespace sepx::render
