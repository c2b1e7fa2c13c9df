// SPDX-License-Identifier: Apache-2.0
// Converts layers to records. The order of the items is kept, and successive items of one kind share a command.
#include "engine/render/draw_list.h"

#include <algorithm>
#include <cmath>

#include "engine/core/utf8.h"
#include "engine/render/color_map.h"
#include "engine/render/projection3.h"

namespace sepx::render {
namespace {

constexpr double kTolerance = 0.08;  // pixels that thinning may move a line by
constexpr std::size_t kMostSegments = DrawList::kMostWords * 16 / sizeof(SegmentRecord);

std::uint32_t unorm8(float x) {
  return static_cast<std::uint32_t>(std::lround((x > 0 ? std::min(x, 1.0F) : 0.0F) * 255));
}

double length(double x, double y) {
  return std::sqrt(x * x + y * y);
}  // much faster than hypot; nothing here overflows

// Width of a stroke or edge, rounded to whole pixels.
double snappedWidth(double pixels) {
  return std::max(1.0, std::round(pixels));
}

// Whether a run is a grid line, frame or zero line: it has few points, and all its segments are along the axes. Such
// runs are snapped to the pixel grid.
bool alongAxes(const Runs& runs, std::size_t first, std::size_t end) {
  if (end - first < 2 || end - first > 8) return false;
  for (std::size_t i = first + 1; i < end; ++i) {
    const Point a = runs.points[i - 1].at, b = runs.points[i].at;
    if (a.x != b.x && a.y != b.y) return false;
  }
  return true;
}

bool isBox(const std::vector<Point>& pixels) {
  if (pixels.size() != 4) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    const Point a = pixels[i], b = pixels[(i + 1) % 4];
    if (a.x != b.x && a.y != b.y) return false;
  }
  return true;
}

// Normal of the plane shared by two segments of a line: the bisector of their directions; zero where the line reverses.
Point sharedNormal(Point before, Point at, Point after) {
  const double lengthA = length(at.x - before.x, at.y - before.y), lengthB = length(after.x - at.x, after.y - at.y);
  if (!(lengthA > 0) || !(lengthB > 0)) return {};
  const Point sum{(at.x - before.x) / lengthA + (after.x - at.x) / lengthB,
                  (at.y - before.y) / lengthA + (after.y - at.y) / lengthB};
  const double size = length(sum.x, sum.y);
  return size > 0.05 ? Point{sum.x / size, sum.y / size} : Point{};
}

}  // namespace

/// Everything that is needed to place an item on the target.
struct DrawList::Target {
  const Scene& scene;
  const Placement& placement;
  Rect bounds;   // page
  ClipBox clip;  // pixels
  Point pixel(Point page) const {
    return {placement.x + page.x * placement.scale, placement.y + page.y * placement.scale};
  }
};

std::uint32_t packColor(const Color& color) {
  return unorm8(color.r) | unorm8(color.g) << 8 | unorm8(color.b) << 16 | unorm8(color.a) << 24;
}

Placement placeScene(Point origin, double scale, std::uint32_t width, std::uint32_t height) {
  Placement placement;
  placement.x = std::round(origin.x * scale);
  placement.y = std::round(origin.y * scale);
  placement.scale = scale;
  placement.width = width;
  placement.height = height;
  return placement;
}

void DrawList::clear() {
  segments.clear();
  shapes.clear();
  glyphs.clear();
  fills.clear();
  images.clear();
  solids.clear();
  commands.clear();
}

std::size_t DrawList::vertices() const {
  return 4 * (segments.size() + shapes.size() + glyphs.size() + images.size()) + fills.size();
}

std::size_t DrawList::words() const {
  return (segments.size() * sizeof(SegmentRecord) + shapes.size() * sizeof(ShapeRecord) +
          glyphs.size() * sizeof(GlyphRecord) + fills.size() * sizeof(FillVertex)) /
         16;
}

void DrawList::emit(DrawCommand::Kind kind, std::size_t first, std::size_t end, const ClipBox& clip) {
  if (first == end) return;
  const auto count = static_cast<std::uint32_t>(end - first);
  if (!commands.empty() && kind != DrawCommand::Kind::Image && commands.back().kind == kind &&
      commands.back().clip == clip && commands.back().first + commands.back().count == first) {
    commands.back().count += count;
    return;
  }
  commands.push_back({kind, static_cast<std::uint32_t>(first), count, clip});
}

namespace {

// The pixels of a page rectangle, inside the target.
ClipBox clipBox(const Placement& placement, const Rect& bounds) {
  const auto edge = [](double at, std::uint32_t limit) {
    return std::clamp(std::round(at), 0.0, static_cast<double>(limit));
  };
  const double left = edge(placement.x + bounds.min.x * placement.scale, placement.width);
  const double right = edge(placement.x + bounds.max.x * placement.scale, placement.width);
  const double top = edge(placement.y + bounds.min.y * placement.scale, placement.height);
  const double bottom = edge(placement.y + bounds.max.y * placement.scale, placement.height);
  return {static_cast<std::int32_t>(left), static_cast<std::int32_t>(top), static_cast<std::uint32_t>(right - left),
          static_cast<std::uint32_t>(bottom - top)};
}

}  // namespace

void DrawList::append(const Scene& scene, std::span<const Layer> layers, const Placement& placement,
                      GlyphAtlas& atlas) {
  for (const Layer& layer : layers) {
    const Rect bounds = layerBounds(scene, layer);
    const Target target{scene, placement, bounds, clipBox(placement, bounds)};
    if (target.clip.width == 0 || target.clip.height == 0) continue;
    for (const Item& item : layer.items) {
      if (words() >= kMostWords) return;
      if (const auto* heatmap = std::get_if<Heatmap>(&item)) {
        if (heatmap->values) image(target, heatmap, nullptr);
      } else if (const auto* map = std::get_if<LabelMap>(&item)) {
        if (map->labels) image(target, nullptr, map);
      } else if (const auto* line = std::get_if<Polyline>(&item)) {
        polyline(target, *line);
      } else if (const auto* area = std::get_if<Fill>(&item)) {
        fill(target, *area);
      } else if (const auto* point = std::get_if<Marker>(&item)) {
        marker(target, *point);
      } else if (const auto* text = std::get_if<Label>(&item)) {
        label(target, *text, atlas);
      } else if (const auto* picture = std::get_if<Solid>(&item)) {
        if (picture->scene) solid(target, *picture, atlas);
      }
    }
  }
}

void DrawList::appendPage(const Scene& scene, const Placement& placement, const Color& color) {
  const Rect page{{0, 0}, {scene.width, scene.height}};
  const Target target{scene, placement, page, clipBox(placement, page)};
  std::vector<Point> corners{target.pixel({0, 0}), target.pixel({page.max.x, 0}), target.pixel(page.max),
                             target.pixel({0, page.max.y})};
  polygon(target, corners, color);
}

void DrawList::appendStored(const Scene& scene, const Placement& placement, std::uint32_t index) {
  // The picture consists of whole pixels, so a page that ends inside a pixel covers all of it.
  const auto pixels = [&](double points) { return std::ceil(points * placement.scale) / placement.scale; };
  const ClipBox clip = clipBox(placement, {{0, 0}, {pixels(scene.width), pixels(scene.height)}});
  if (clip.width > 0 && clip.height > 0) commands.push_back({DrawCommand::Kind::Stored, index, 1, clip});
}

void DrawList::image(const Target& target, const Heatmap* heatmap, const LabelMap* labelMap) {
  if (images.size() >= kMostImages) return;
  const Rect& extent = heatmap ? heatmap->extent : labelMap->extent;
  const int width = heatmap ? heatmap->width : labelMap->width, height = heatmap ? heatmap->height : labelMap->height;
  const Space space = heatmap ? heatmap->space : labelMap->space;
  const std::size_t have = heatmap ? heatmap->values->size() : labelMap->labels->size();
  if (width <= 0 || height <= 0 || have < static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) return;
  // An image larger than the device supports is thinned by an integer stride.
  const int side = static_cast<int>(target.placement.maxImageSide);
  const int stride = std::max((width + side - 1) / side, (height + side - 1) / side);
  const auto part = visiblePart(PageMap::of(target.scene, space), extent, width, height, target.bounds);
  if (!part) return;
  const Point min = target.pixel(part->page.min), max = target.pixel(part->page.max);
  const Point texels{part->texels.min.x / stride, part->texels.min.y / stride};
  ImageDraw draw{};
  draw.rect[0] = static_cast<float>(min.x);
  draw.rect[1] = static_cast<float>(min.y);
  draw.rect[2] = static_cast<float>(max.x);
  draw.rect[3] = static_cast<float>(max.y);
  draw.texel[0] = static_cast<std::int32_t>(std::floor(texels.x));
  draw.texel[1] = static_cast<std::int32_t>(std::floor(texels.y));
  draw.fraction[0] = static_cast<float>(texels.x - std::floor(texels.x));
  draw.fraction[1] = static_cast<float>(texels.y - std::floor(texels.y));
  draw.step[0] = static_cast<float>(part->texels.width() / stride / (max.x - min.x));
  draw.step[1] = static_cast<float>(part->texels.height() / stride / (max.y - min.y));
  draw.pageOrigin[0] = static_cast<float>(target.placement.x);
  draw.pageOrigin[1] = static_cast<float>(target.placement.y);
  draw.pixelsPerPoint = static_cast<float>(target.placement.scale);
  draw.heatmap = heatmap;
  draw.labelMap = labelMap;
  draw.stride = stride;
  images.push_back(draw);
  emit(DrawCommand::Kind::Image, images.size() - 1, images.size(), target.clip);
}

// Appends the picture, and on top of it the items that are never hidden.
void DrawList::solid(const Target& target, const Solid& solid, GlyphAtlas& atlas) {
  const auto seen = intersection(target.bounds, solid.scene->plot);
  if (!seen) return;
  const ClipBox box = clipBox(target.placement, *seen);
  if (box.width == 0 || box.height == 0) return;
  solids.push_back({solid.scene, target.placement, box});
  commands.push_back({DrawCommand::Kind::Solid, static_cast<std::uint32_t>(solids.size() - 1), 1, box});
  for (const Item& item : itemsInFront(*solid.scene)) {
    if (const auto* point = std::get_if<Marker>(&item)) marker(target, *point);
    if (const auto* text = std::get_if<Label>(&item)) label(target, *text, atlas);
  }
}

void DrawList::polyline(const Target& target, const Polyline& line) {
  const double scale = target.placement.scale;
  double width = line.stroke.width * scale;
  if (!(width > 0) || !std::isfinite(width)) return;
  Color color = line.stroke.color;
  if (width < 1) {  // thinner than a pixel: drawn fainter instead
    color.a *= static_cast<float>(width);
    width = 1;
  }
  runs_.clear();
  appendRuns(PageMap::of(target.scene, line.space), line, target.bounds, kTolerance / scale, runs_);
  const DashPattern dash = dashPattern(line.stroke);
  SegmentRecord record{};
  record.color = packColor(color);
  record.dashOn = static_cast<float>(dash.on * scale);
  record.dashPeriod = static_cast<float>(dash.period * scale);
  const std::size_t begin = segments.size();
  for (std::size_t run = 0, first = 0; run < runs_.ends.size(); first = runs_.ends[run++]) {
    const std::size_t end = runs_.ends[run];
    const bool snap = alongAxes(runs_, first, end);
    const double drawn = snap ? snappedWidth(width) : width;
    record.halfWidth = static_cast<float>(drawn / 2);
    const auto at = [&](std::size_t i) {
      const Point pixel = target.pixel(runs_.points[i].at);
      if (!snap) return pixel;
      return Point{std::round(pixel.x - drawn / 2) + drawn / 2, std::round(pixel.y - drawn / 2) + drawn / 2};
    };
    const bool closed = end - first > 3 && runs_.points[first].at == runs_.points[end - 1].at;
    const std::size_t last = std::max(first + 1, end - 1);  // a single point: one segment of zero length
    Point normal = closed ? sharedNormal(at(end - 2), at(first), at(first + 1)) : Point{};
    for (std::size_t i = first; i < last && segments.size() < kMostSegments; ++i) {
      const std::size_t j = std::min(i + 1, end - 1);
      const Point from = at(i), to = at(j);
      const Point next = j + 1 < end ? sharedNormal(from, to, at(j + 1))
                         : closed    ? sharedNormal(from, to, at(first + 1))
                                     : Point{};
      record.p0[0] = static_cast<float>(from.x);
      record.p0[1] = static_cast<float>(from.y);
      record.p1[0] = static_cast<float>(to.x);
      record.p1[1] = static_cast<float>(to.y);
      record.n0[0] = static_cast<float>(normal.x);
      record.n0[1] = static_cast<float>(normal.y);
      record.n1[0] = static_cast<float>(next.x);
      record.n1[1] = static_cast<float>(next.y);
      record.along = dash.period > 0 ? static_cast<float>(std::fmod(runs_.points[i].along, dash.period) * scale) : 0.0F;
      record.alpha0 = runs_.points[i].alpha;
      record.alpha1 = runs_.points[j].alpha;
      segments.push_back(record);
      normal = next;
    }
  }
  emit(dash.period > 0 ? DrawCommand::Kind::Dashes : DrawCommand::Kind::Segments, begin, segments.size(), target.clip);
}

void DrawList::fill(const Target& target, const Fill& fill) {
  std::vector<Point> pixels = clipConvex(PageMap::of(target.scene, fill.space), fill.points, grown(target.bounds, 4));
  for (Point& at : pixels)
    at = target.pixel(at);
  polygon(target, pixels, fill.color);
}

// Appends a fan of triangles with a rim one pixel wide, over which the coverage falls to zero. Boxes are snapped to the
// pixel grid.
void DrawList::polygon(const Target& target, std::vector<Point>& pixels, const Color& color) {
  if (isBox(pixels)) {
    for (Point& at : pixels)
      at = {std::round(at.x), std::round(at.y)};
  }
  pixels.erase(std::unique(pixels.begin(), pixels.end()), pixels.end());
  while (pixels.size() > 1 && pixels.front() == pixels.back())
    pixels.pop_back();
  const std::size_t n = pixels.size();
  if (n < 3) return;
  double area = 0, perimeter = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point a = pixels[i], b = pixels[(i + 1) % n];
    area += (a.x * b.y - a.y * b.x) / 2;
    perimeter += length(b.x - a.x, b.y - a.y);
  }
  if (!(std::abs(area) > 0)) return;
  // The inner offset is limited to about the thickness of the polygon.
  const double in = std::min(0.5, 0.8 * std::abs(area) / perimeter);
  std::vector<Point> inner(n), outer(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Point before = pixels[(i + n - 1) % n], at = pixels[i], after = pixels[(i + 1) % n];
    const double lengthA = length(at.x - before.x, at.y - before.y), lengthB = length(after.x - at.x, after.y - at.y);
    const double turn = area > 0 ? 1 : -1;
    const Point normalA{turn * (at.y - before.y) / lengthA, turn * (before.x - at.x) / lengthA};
    const Point normalB{turn * (after.y - at.y) / lengthB, turn * (at.x - after.x) / lengthB};
    // Offset at distance 1 from both edges, limited at sharp corners.
    const double dot = std::max(0.15, 1 + normalA.x * normalB.x + normalA.y * normalB.y);
    const Point offset{(normalA.x + normalB.x) / dot, (normalA.y + normalB.y) / dot};
    inner[i] = {at.x - in * offset.x, at.y - in * offset.y};
    outer[i] = {at.x + 0.5 * offset.x, at.y + 0.5 * offset.y};
  }
  const std::size_t begin = fills.size();
  const std::uint32_t packed = packColor(color);
  const auto vertex = [&](Point at, float coverage) {
    fills.push_back({{static_cast<float>(at.x), static_cast<float>(at.y)}, packed, coverage});
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    if (i > 0 && i + 1 < n) {
      vertex(inner[0], 1);
      vertex(inner[i], 1);
      vertex(inner[j], 1);
    }
    vertex(inner[i], 1);
    vertex(outer[i], 0);
    vertex(outer[j], 0);
    vertex(inner[i], 1);
    vertex(outer[j], 0);
    vertex(inner[j], 1);
  }
  emit(DrawCommand::Kind::Fills, begin, fills.size(), target.clip);
}

void DrawList::marker(const Target& target, const Marker& marker) {
  const Point page = PageMap::of(target.scene, marker.space)(marker.at);
  if (!usable(page) || !(marker.size > 0) || !std::isfinite(marker.size)) return;
  if (!grown(target.bounds, marker.size + marker.edgeWidth).contains(page)) return;
  const Point center = target.pixel(page);
  const float half = static_cast<float>(marker.size * target.placement.scale / 2);
  const float edge = marker.edgeWidth > 0 ? static_cast<float>(marker.edgeWidth * target.placement.scale) : 0.0F;
  shapes.push_back({{static_cast<float>(center.x), static_cast<float>(center.y)},
                    {half, half},
                    packColor(marker.fill),
                    packColor(marker.edge),
                    edge,
                    static_cast<std::uint32_t>(marker.shape),
                    0,
                    {}});
  emit(DrawCommand::Kind::Shapes, shapes.size() - 1, shapes.size(), target.clip);
}

void DrawList::label(const Target& target, const Label& label, GlyphAtlas& atlas) {
  const auto place = placeLabel(PageMap::of(target.scene, label.space), label);
  if (!place || !intersection(backdropBox(label, place->box), target.bounds)) return;
  const double scale = target.placement.scale, size = label.size * scale;
  if (label.backdrop) {
    const Rect box = backdropBox(label, place->box);
    const Point min = target.pixel(box.min), max = target.pixel(box.max);
    const double left = std::round(min.x), top = std::round(min.y), right = std::round(max.x),
                 bottom = std::round(max.y);
    shapes.push_back({{static_cast<float>((left + right) / 2), static_cast<float>((top + bottom) / 2)},
                      {static_cast<float>((right - left) / 2), static_cast<float>((bottom - top) / 2)},
                      packColor(*label.backdrop),
                      0,
                      0,
                      static_cast<std::uint32_t>(ShapeKind::Box),
                      static_cast<float>(backdropRadius(label) * scale),
                      {}});
    emit(DrawCommand::Kind::Shapes, shapes.size() - 1, shapes.size(), target.clip);
  }
  const std::size_t begin = glyphs.size();
  const Point pen = target.pixel(place->pen);
  const double baseline = std::round(label.vertical ? pen.x : pen.y);
  double along = label.vertical ? -pen.y : pen.x;  // grows in reading direction
  const std::uint32_t color = packColor(label.color);
  for (const char32_t codePoint : decodeUtf8(label.text)) {
    const double quarters = std::round(along * 4), whole = std::floor(quarters / 4);
    const AtlasGlyph glyph = atlas.glyph(codePoint, size, static_cast<int>(quarters - 4 * whole), label.bold);
    along += atlas.advance(codePoint, label.bold) * size;
    if (glyph.width == 0 || glyph.height == 0) continue;
    const double start = whole + glyph.left, up = baseline - glyph.top;
    GlyphRecord record{};
    record.at[0] = static_cast<float>(label.vertical ? up : start);
    record.at[1] = static_cast<float>(label.vertical ? -start - glyph.width : up);
    record.size[0] = static_cast<float>(label.vertical ? glyph.height : glyph.width);
    record.size[1] = static_cast<float>(label.vertical ? glyph.width : glyph.height);
    record.atlas = static_cast<std::uint32_t>(glyph.x) | static_cast<std::uint32_t>(glyph.y) << 16;
    record.color = color;
    record.turned = label.vertical ? 1 : 0;
    glyphs.push_back(record);
  }
  emit(DrawCommand::Kind::Glyphs, begin, glyphs.size(), target.clip);
}

}  // namespace sepx::render
