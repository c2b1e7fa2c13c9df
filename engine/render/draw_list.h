// SPDX-License-Identifier: Apache-2.0
// The drawing instructions for the GPU: fixed-size records in pixels, and the order in which they are drawn. They are
// made from layers on the CPU, so that tests can inspect them. shaders/graphics/*.glsl read the same records. No Vulkan
// here. Frame thread only, because glyphs are added to the atlas.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/render/glyph_atlas.h"
#include "engine/render/scene.h"
#include "engine/render/tessellate.h"

namespace sepx::render {

/// RGBA bytes with red in the lowest byte, as unpackUnorm4x8 in the shaders expects.
std::uint32_t packColor(const Color& color);

/// One segment of a polyline: all points within a half-width of the line p0-p1 and between the planes through p0 and p1
/// with normals n0 and n1 (a zero normal: no plane, a round cap). Neighbours share a plane, so no pixel of a
/// translucent line is covered twice.
struct SegmentRecord {
  float p0[2], p1[2];
  float n0[2], n1[2];
  float along;           ///< dash position at p0, within one period
  float alpha0, alpha1;  ///< fade at both ends
  std::uint32_t color;
  float halfWidth;
  float dashOn, dashPeriod;  ///< dashPeriod 0: solid; dashOn 0: dots
  float reserved;
};
static_assert(sizeof(SegmentRecord) == 64);

enum class ShapeKind : std::uint32_t { Circle, Square, Diamond, Triangle, Cross, Ring, Box };

/// A marker, or a rounded box.
struct ShapeRecord {
  float center[2], half[2];
  std::uint32_t fill, edge;
  float edgeWidth;
  std::uint32_t kind;
  float radius;  ///< of the corners of a box
  float reserved[3];
};
static_assert(sizeof(ShapeRecord) == 48);

/// One glyph: a rectangle of whole pixels. `turned`: the columns of the atlas run upwards on the target.
struct GlyphRecord {
  float at[2];  ///< top left corner on the target
  float size[2];
  std::uint32_t atlas;  ///< x | y << 16 of the top left texel
  std::uint32_t color;
  std::uint32_t turned;
  std::uint32_t reserved;
};
static_assert(sizeof(GlyphRecord) == 32);

struct FillVertex {
  float at[2];
  std::uint32_t color;
  float coverage;
};
static_assert(sizeof(FillVertex) == 16);

/// One heat map or label map. The texture cache finds the image of its values.
struct ImageDraw {
  float rect[4];          ///< on the target: left, top, right, bottom
  std::int32_t texel[2];  ///< integer part of the image position at the top left corner
  float fraction[2];      ///< fractional part of it
  float step[2];          ///< texels per pixel
  float pageOrigin[2];    ///< on the target, pixels
  float pixelsPerPoint;
  const Heatmap* heatmap = nullptr;
  const LabelMap* labelMap = nullptr;
  int stride = 1;  ///< every stride-th value becomes a texel (above 1: the image is too large for the device)
};

struct ClipBox {  ///< pixels
  std::int32_t x = 0, y = 0;
  std::uint32_t width = 0, height = 0;
  bool operator==(const ClipBox&) const = default;
};

/// Position and scale of a scene on the target.
struct Placement {
  double x = 0, y = 0;                  ///< position of the page's origin, whole pixels
  double scale = 1;                     ///< pixels per point
  std::uint32_t width = 0, height = 0;  ///< of the target, pixels
  std::uint32_t maxImageSide = 16384;
};

/// One three-dimensional picture. Its visible part is drawn into an image of the size of `box`, which is then drawn
/// there.
struct SolidDraw {
  std::shared_ptr<const Scene3> scene;
  Placement placement;
  ClipBox box;
};

struct DrawCommand {  ///< records that are drawn by one call
  /// Dashes: segments of lines that are not solid. Stored: the renderer's cached picture number `first`.
  enum class Kind { Segments, Dashes, Shapes, Glyphs, Fills, Image, Stored, Solid } kind = Kind::Segments;
  std::uint32_t first = 0, count = 0;  ///< records of this kind
  ClipBox clip;
};

/// Placement of a scene at `origin` (points), with its corner on a whole pixel.
Placement placeScene(Point origin, double scale, std::uint32_t width, std::uint32_t height);

class DrawList {
 public:
  std::vector<SegmentRecord> segments;  ///< of lines
  std::vector<ShapeRecord> shapes;      ///< of markers
  std::vector<GlyphRecord> glyphs;      ///< of texts
  std::vector<FillVertex> fills;        ///< three per triangle
  std::vector<ImageDraw> images;        ///< heat maps and label maps
  std::vector<SolidDraw> solids;        ///< three-dimensional pictures
  std::vector<DrawCommand> commands;    ///< in the order of drawing

  /// Removes everything but keeps the allocated memory.
  void clear();
  /// Appends the layers in order. The items must outlive the use of `images`.
  void append(const Scene& scene, std::span<const Layer> layers, const Placement& placement, GlyphAtlas& atlas);
  /// Appends the cached picture `index` over the whole page.
  void appendStored(const Scene& scene, const Placement& placement, std::uint32_t index);
  /// Appends a rectangle of one colour over the whole page.
  void appendPage(const Scene& scene, const Placement& placement, const Color& color);
  std::size_t vertices() const;
  /// Size of the records in units of 16 bytes. append() stops at kMostWords; every device supports twice that size.
  std::size_t words() const;
  static constexpr std::size_t kMostWords = std::size_t{3} << 20;
  /// Maximum number of heat maps and label maps of one list. append() omits further ones, but no other items.
  static constexpr std::size_t kMostImages = 8192;

 private:
  struct Target;
  void polyline(const Target& target, const Polyline& line);
  void fill(const Target& target, const Fill& fill);
  void polygon(const Target& target, std::vector<Point>& pixels, const Color& color);
  void marker(const Target& target, const Marker& marker);
  void label(const Target& target, const Label& label, GlyphAtlas& atlas);
  void image(const Target& target, const Heatmap* heatmap, const LabelMap* labelMap);
  void solid(const Target& target, const Solid& solid, GlyphAtlas& atlas);
  void emit(DrawCommand::Kind kind, std::size_t first, std::size_t end, const ClipBox& clip);

  Runs runs_;
};

}  // namespace sepx::render
