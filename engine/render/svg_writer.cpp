// SPDX-License-Identifier: Apache-2.0
// The geometry comes from tessellate.h, so that it is the geometry on the screen. Dashes, text and clipping are left to
// SVG.
#include "engine/render/svg_writer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/core/utf8.h"
#include "engine/render/color_map.h"
#include "engine/render/font.h"
#include "engine/render/image_colors.h"
#include "engine/render/png.h"
#include "engine/render/projection3.h"
#include "engine/render/recipe.h"
#include "engine/render/svg_pictures.h"
#include "engine/render/svg_raster.h"
#include "engine/render/svg_solid.h"
#include "engine/render/svg_text.h"
#include "engine/render/tessellate.h"

namespace sepx::render {
namespace {

using svg::escaped;
using svg::num;
using svg::paint;
using svg::Pictures;

constexpr double kTolerance = 0.02;        // points that thinning may move a line by
constexpr std::size_t kMostPieces = 3000;  // of a solid on a page (HTML), which has more than one picture
constexpr int kFadeLevels = 32;            // a fading line is written in pieces of constant opacity

std::string points(const std::vector<Point>& polygon) {
  std::string path;
  for (const Point& at : polygon)
    path += (path.empty() ? "M" : "L") + num(at.x) + " " + num(at.y);
  return path + "Z";
}

// Lines of slope -1 (rising on the page, `sign` 1) or 1 through a rectangle, `period` apart, where `inside` is true.
template <class Inside>
std::string hatchLines(const Rect& seen, int sign, double period, double first, const Inside& inside) {
  constexpr double kStep = 0.35;  // points between two tests
  const double root = std::sqrt(0.5);
  // v numbers the lines, u runs along them: x = (u + sign v) / sqrt 2, y = (v - sign u) / sqrt 2.
  const auto across = [&](Point at) { return (sign * at.x + at.y) * root; };
  const auto along = [&](Point at) { return (at.x - sign * at.y) * root; };
  const Point corners[] = {seen.min, {seen.max.x, seen.min.y}, seen.max, {seen.min.x, seen.max.y}};
  double leastV = across(corners[0]), mostV = leastV, leastU = along(corners[0]), mostU = leastU;
  for (const Point& corner : corners) {
    leastV = std::min(leastV, across(corner));
    mostV = std::max(mostV, across(corner));
    leastU = std::min(leastU, along(corner));
    mostU = std::max(mostU, along(corner));
  }
  std::string path;
  for (double v = first + period * std::ceil((leastV - first) / period); v <= mostV; v += period) {
    const auto at = [&](double u) { return Point{(u + sign * v) * root, (v - sign * u) * root}; };
    std::optional<double> began;
    double last = leastU;
    for (double u = leastU; u <= mostU + kStep; u += kStep) {
      const bool in = u <= mostU && inside(at(u));
      if (in && !began) began = u;
      if (!in && began) {
        const Point a = at(*began), b = at(last);
        path += "M" + num(a.x) + " " + num(a.y) + "L" + num(b.x) + " " + num(b.y);
        began.reset();
      }
      last = u;
    }
  }
  return path;
}

/// The state that the scenes of one document share.
struct Shared {
  std::string out, definitions;
  Pictures pictures;
  std::set<char32_t> characters[2];  ///< used in the regular and in the bold face
  std::string prefix;                ///< beginning of ids
  std::size_t mostPieces = 0;        ///< a solid of more becomes one raster picture; 0: never
};

class Writer {
 public:
  Writer(const Scene& scene, std::size_t number, Shared& shared)
      : scene_(scene), number_(number), shared_(shared), out_(shared.out) {}
  void write();

 private:
  void layer(const Layer& layer);
  void define(const std::string& id, const Rect& box);
  void heatmap(const Heatmap& map, const Rect& bounds);
  void labelMap(const LabelMap& map, const Rect& bounds);
  void picture(const gpu::Pixels& pixels, const Rect& page, bool smooth);
  void hatch(const LabelMap& map, std::uint8_t label, const TexelRange& range, const Rect& page, const Rect& bounds);
  void polyline(const Polyline& line, const Rect& bounds);
  void run(const Runs& runs, std::size_t first, std::size_t end, const Stroke& stroke, const std::string& style);
  void fill(const Fill& fill, const Rect& bounds);
  void marker(const Marker& marker, const Rect& bounds);
  void label(const Label& label, const Rect& bounds);
  void solid(const Scene3& scene, const Rect& bounds);
  void pieces(const Scene3& scene, const Painting& painting, const Rect& seen);
  bool rastered(const Scene3& scene, const Painting& painting, const Rect& seen);
  PageMap mapOf(Space space) const { return PageMap::of(scene_, space); }

  const Scene& scene_;
  std::size_t number_, solids_ = 0, boxed_ = 0;
  Shared& shared_;
  std::string& out_;
};

// Defines a clip path with the id `id`.
void Writer::define(const std::string& id, const Rect& box) {
  shared_.definitions +=
      fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", id,
                  num(box.min.x), num(box.min.y), num(box.width()), num(box.height()));
}

void Writer::write() {
  const Rect plot = intersection(scene_.plot, {{0, 0}, {scene_.width, scene_.height}}).value_or(Rect{});
  define(fmt::format("{}plot{}", shared_.prefix, number_), plot);
  out_ += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", num(scene_.width), num(scene_.height),
                      paint("fill", scene_.background));
  for (const Layer& each : scene_.layers)
    layer(each);
}

void Writer::layer(const Layer& layer) {
  const Rect bounds = layerBounds(scene_, layer);
  std::string clip = layer.clip ? fmt::format("{}plot{}", shared_.prefix, number_) : "";
  if (layer.within) {
    clip = fmt::format("{}layer{}-{}", shared_.prefix, number_, boxed_++);
    define(clip, bounds);
  }
  out_ += fmt::format("<g data-layer=\"{}\"{}>\n", escaped(layer.name),
                      clip.empty() ? "" : fmt::format(" clip-path=\"url(#{})\"", clip));
  for (const Item& item : layer.items) {
    if (const auto* heat = std::get_if<Heatmap>(&item)) heatmap(*heat, bounds);
    if (const auto* map = std::get_if<LabelMap>(&item)) labelMap(*map, bounds);
    if (const auto* line = std::get_if<Polyline>(&item)) polyline(*line, bounds);
    if (const auto* area = std::get_if<Fill>(&item)) fill(*area, bounds);
    if (const auto* point = std::get_if<Marker>(&item)) marker(*point, bounds);
    if (const auto* text = std::get_if<Label>(&item)) label(*text, bounds);
    if (const auto* picture = std::get_if<Solid>(&item); picture && picture->scene) solid(*picture->scene, bounds);
  }
  out_ += "</g>\n";
}

// The visible values, and the page rectangle of exactly these.
struct Crop {
  TexelRange range;
  Rect page;
};

std::optional<Crop> crop(const PageMap& map, const Rect& extent, int width, int height, std::size_t have,
                         const Rect& bounds) {
  const auto part = visiblePart(map, extent, width, height, bounds);
  if (!part || have < static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) return std::nullopt;
  // One value more on each side, for viewers that interpolate.
  const auto from = [](double at) { return std::max(0, static_cast<int>(std::floor(at)) - 1); };
  const auto to = [](double at, int most) { return std::min(most, static_cast<int>(std::ceil(at)) + 1); };
  Crop result{{from(part->texels.min.x), from(part->texels.min.y), to(part->texels.max.x, width),
               to(part->texels.max.y, height)},
              {}};
  const double stepX = part->page.width() / part->texels.width(), stepY = part->page.height() / part->texels.height();
  const auto page = [&](int x, int y) {
    return Point{part->page.min.x + (x - part->texels.min.x) * stepX,
                 part->page.min.y + (y - part->texels.min.y) * stepY};
  };
  result.page = {page(result.range.left, result.range.top), page(result.range.right, result.range.bottom)};
  return result;
}

void Writer::heatmap(const Heatmap& map, const Rect& bounds) {
  if (!map.values) return;
  const auto seen = crop(mapOf(map.space), map.extent, map.width, map.height, map.values->size(), bounds);
  if (seen) picture(colored(map, seen->range), seen->page, map.smooth);
}

void Writer::labelMap(const LabelMap& map, const Rect& bounds) {
  if (!map.labels) return;
  const auto seen = crop(mapOf(map.space), map.extent, map.width, map.height, map.labels->size(), bounds);
  if (!seen) return;
  picture(colored(map, seen->range), seen->page, false);
  for (std::size_t i = 0; i < std::min(map.hatch.size(), map.palette.size()) && i < 256; ++i) {
    if (map.hatch[i] >= 1 && map.hatch[i] <= 3)
      hatch(map, static_cast<std::uint8_t>(i), seen->range, seen->page, bounds);
  }
}

void Writer::picture(const gpu::Pixels& pixels, const Rect& page, bool smooth) {
  out_ += shared_.pictures.place(encodePng(pixels), page, smooth);
}

// Writes the hatch of labels.frag as lines, which are cut where the label changes. Lines stay lines in every viewer,
// and the cost of a region is proportional to its outline. The lines are fixed to the page; the constants are those of
// the shader.
void Writer::hatch(const LabelMap& map, std::uint8_t label, const TexelRange& range, const Rect& page,
                   const Rect& bounds) {
  constexpr double kPeriod = 8, kFirst = 4, kLine = 1.1, kDot = 2.4;
  const auto seen = intersection(page, bounds);
  if (!seen) return;
  const double perX = (range.right - range.left) / page.width(), perY = (range.bottom - range.top) / page.height();
  const auto inside = [&](Point at) {
    if (!seen->contains(at)) return false;
    const int x = std::clamp(range.left + static_cast<int>((at.x - page.min.x) * perX), range.left, range.right - 1);
    const int y = std::clamp(range.top + static_cast<int>((at.y - page.min.y) * perY), range.top, range.bottom - 1);
    return (*map.labels)[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) +
                         static_cast<std::size_t>(x)] == label;
  };
  std::string path;
  if (map.hatch[label] == 3) {
    const auto from = [&](double least) { return kFirst + kPeriod * std::ceil((least - kFirst) / kPeriod); };
    for (double y = from(seen->min.y); y <= seen->max.y; y += kPeriod) {
      for (double x = from(seen->min.x); x <= seen->max.x; x += kPeriod) {
        if (inside({x, y})) path += "M" + num(x) + " " + num(y) + "h0";
      }
    }
  } else {
    path = hatchLines(*seen, map.hatch[label] == 1 ? 1 : -1, kPeriod, kFirst, inside);
  }
  if (path.empty()) return;
  const Color ink = hatchInk(map.palette[label]);
  out_ += fmt::format("<path d=\"{}\" fill=\"none\"{} stroke-width=\"{}\" stroke-linecap=\"{}\"/>\n", path,
                      paint("stroke", ink), num(map.hatch[label] == 3 ? kDot : kLine),
                      map.hatch[label] == 3 ? "round" : "butt");
}

void Writer::polyline(const Polyline& line, const Rect& bounds) {
  if (!(line.stroke.width > 0) || !std::isfinite(line.stroke.width)) return;
  Runs runs;
  appendRuns(mapOf(line.space), line, bounds, kTolerance, runs);
  const DashPattern dash = dashPattern(line.stroke);
  std::string style = " stroke-width=\"" + num(line.stroke.width) + "\"";
  if (dash.period > 0) style += " stroke-dasharray=\"" + num(dash.on) + " " + num(dash.period - dash.on) + "\"";
  for (std::size_t i = 0, first = 0; i < runs.ends.size(); first = runs.ends[i++]) {
    std::string place = style;
    if (dash.period > 0)
      place += " stroke-dashoffset=\"" + num(std::fmod(runs.points[first].along, dash.period)) + "\"";
    run(runs, first, runs.ends[i], line.stroke, place);
  }
}

void Writer::run(const Runs& runs, std::size_t first, std::size_t end, const Stroke& stroke, const std::string& style) {
  const auto level = [&](std::size_t i) {  // opacity of the piece from i to i + 1
    const float next = runs.points[std::min(i + 1, end - 1)].alpha;
    return static_cast<int>(std::lround((runs.points[i].alpha + next) / 2 * kFadeLevels));
  };
  const bool fading = std::any_of(runs.points.begin() + static_cast<std::ptrdiff_t>(first),
                                  runs.points.begin() + static_cast<std::ptrdiff_t>(end),
                                  [](const StrokePoint& point) { return point.alpha < 1; });
  // Butt caps where pieces of one line meet, or dashes end; a dot is drawn by its round cap.
  const bool butt = (fading && end - first > 2) || stroke.dash == Dash::Dashed;
  const char* cap = butt ? "" : " stroke-linecap=\"round\"";
  const auto at = [&](std::size_t i) { return num(runs.points[i].at.x) + " " + num(runs.points[i].at.y); };
  for (std::size_t i = first; i < std::max(first + 1, end - 1);) {
    const int here = level(i);
    std::size_t stop = i + 1;
    while (stop < end - 1 && level(stop) == here)
      ++stop;
    if (here > 0) {
      std::string path = "M" + at(i);
      const bool closed =
          i == first && stop == end - 1 && end - first > 3 && runs.points[first].at == runs.points[stop].at;
      for (std::size_t k = i + 1; k <= std::min(stop, end - 1); ++k)
        path += closed && k == stop ? "Z" : "L" + at(k);
      if (end - first == 1) path += "h0";
      out_ += fmt::format("<path d=\"{}\" fill=\"none\"{}{}{}/>\n", path,
                          paint("stroke", stroke.color, here / double{kFadeLevels}), style, cap);
    }
    i = stop;
  }
}

void Writer::fill(const Fill& fill, const Rect& bounds) {
  const std::vector<Point> polygon = clipConvex(mapOf(fill.space), fill.points, grown(bounds, 4));
  if (!polygon.empty()) out_ += "<path d=\"" + points(polygon) + "\"" + paint("fill", fill.color) + "/>\n";
}

// Writes the outlines of shapes.frag, with the middle line of the edge as path.
void Writer::marker(const Marker& marker, const Rect& bounds) {
  const Point at = mapOf(marker.space)(marker.at);
  if (!usable(at) || !(marker.size > 0) || !std::isfinite(marker.size)) return;
  if (!grown(bounds, marker.size + marker.edgeWidth).contains(at)) return;
  const double edge = marker.edgeWidth > 0 ? marker.edgeWidth : 0.0, half = marker.size / 2.0;
  std::string style = marker.shape == Shape::Ring ? " fill=\"none\"" : paint("fill", marker.fill);
  if (edge > 0) style += paint("stroke", marker.edge) + " stroke-width=\"" + num(edge) + "\" stroke-linejoin=\"miter\"";
  const auto polygon = [&](std::vector<Point> corners) {
    for (Point& corner : corners)
      corner = {at.x + corner.x, at.y + corner.y};
    out_ += "<path d=\"" + points(corners) + "\"" + style + "/>\n";
  };
  switch (marker.shape) {
    case Shape::Circle:
    case Shape::Ring:
      out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", num(at.x), num(at.y),
                          num(std::max(0.0, half - edge / 2)), style);
      break;
    case Shape::Square: {
      const double a = 0.85 * half - edge / 2;
      polygon({{-a, -a}, {a, -a}, {a, a}, {-a, a}});
      break;
    }
    case Shape::Diamond: {
      const double a = half - edge * std::sqrt(0.5);
      polygon({{0, -a}, {a, 0}, {0, a}, {-a, 0}});
      break;
    }
    case Shape::Triangle: {
      const double a = half - edge;  // circumradius: twice the inradius
      polygon({{0, -a}, {std::sqrt(0.75) * a, a / 2}, {-std::sqrt(0.75) * a, a / 2}});
      break;
    }
    case Shape::Cross: {
      const double l = half - edge / 2, t = std::max(0.0, 0.36 * half - edge / 2), c = std::sqrt(0.5);
      std::vector<Point> corners{{t, t},   {l, t},   {l, -t}, {t, -t}, {t, -l}, {-t, -l},
                                 {-t, -t}, {-l, -t}, {-l, t}, {-t, t}, {-t, l}, {t, l}};
      for (Point& corner : corners)
        corner = {(corner.x + corner.y) * c, (corner.x - corner.y) * c};
      polygon(corners);
      break;
    }
  }
}

void Writer::label(const Label& label, const Rect& bounds) {
  const auto place = placeLabel(mapOf(label.space), label);
  if (!place || !intersection(backdropBox(label, place->box), bounds)) return;
  if (label.backdrop) {
    const Rect box = backdropBox(label, place->box);
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}/>\n", num(box.min.x),
                        num(box.min.y), num(box.width()), num(box.height()), num(backdropRadius(label)),
                        paint("fill", *label.backdrop));
  }
  const auto codes = decodeUtf8(label.text);
  shared_.characters[label.bold ? 1 : 0].insert(codes.begin(), codes.end());
  const double length = label.vertical ? place->box.height() : place->box.width();
  const double along = label.alignX == AlignX::Left ? 0 : label.alignX == AlignX::Center ? length / 2 : length;
  const char* anchor = label.alignX == AlignX::Left     ? ""
                       : label.alignX == AlignX::Center ? " text-anchor=\"middle\""
                                                        : " text-anchor=\"end\"";
  const std::string x = num(place->pen.x + (label.vertical ? 0 : along)),
                    y = num(place->pen.y - (label.vertical ? along : 0));
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}{}>{}</text>\n", x, y, num(label.size),
                      paint("fill", label.color), anchor,
                      label.bold ? fmt::format(" font-weight=\"{}\"", svg::boldWeight()) : "",
                      label.vertical ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "", escaped(label.text));
}

void Writer::solid(const Scene3& scene, const Rect& bounds) {
  const auto seen = intersection(scene.plot, bounds);
  if (!seen) return;
  const Painting painting = paint(scene, *seen);
  if (shared_.mostPieces == 0 || painting.items.size() <= shared_.mostPieces || !rastered(scene, painting, *seen)) {
    const std::string id = fmt::format("{}solid{}-{}", shared_.prefix, number_, ++solids_);
    define(id, *seen);
    out_ += "<g clip-path=\"url(#" + id + ")\" shape-rendering=\"crispEdges\">\n";
    pieces(scene, painting, *seen);
    out_ += "</g>\n";
  }
  for (const Item& item : itemsInFront(scene)) {
    if (const auto* point = std::get_if<Marker>(&item)) marker(*point, bounds);
    if (const auto* text = std::get_if<Label>(&item)) label(*text, bounds);
  }
}

void Writer::pieces(const Scene3& scene, const Painting& painting, const Rect& seen) {
  for (const Painted& one : painting.items) {
    if (one.kind != Painted::Kind::Marker) {
      out_ += svg::element(painting, one);
      continue;
    }
    const Marker3& from = scene.markers[one.first];
    const auto at = toPage(scene, from.at);
    if (!at) continue;
    out_ += "<g shape-rendering=\"auto\">";
    marker({*at, from.shape, from.size, from.fill, from.edge, from.edgeWidth, Space::Page}, seen);
    out_ += "</g>\n";
  }
}

// Writes a solid of many pieces as one raster picture. Returns false if it could not be made.
bool Writer::rastered(const Scene3& scene, const Painting& painting, const Rect& seen) {
  constexpr double kPixels = 1.5;  // per unit
  std::string own;
  std::swap(own, out_);
  pieces(scene, painting, seen);
  std::swap(own, out_);
  const gpu::Extent extent{static_cast<std::uint32_t>(std::ceil(seen.width() * kPixels)),
                           static_cast<std::uint32_t>(std::ceil(seen.height() * kPixels))};
  const auto pixels = rasterized(
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{} {} {} {}\" "
                  "preserveAspectRatio=\"none\" shape-rendering=\"crispEdges\">{}</svg>",
                  extent.width, extent.height, num(seen.min.x), num(seen.min.y), num(seen.width()), num(seen.height()),
                  own),
      extent);
  if (!pixels) return false;
  picture(*pixels, seen, true);
  return true;
}

}  // namespace

namespace {

void writeScenes(std::span<const PlacedScene> scenes, Shared& shared) {
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    if (!scenes[i].scene) continue;
    const Point at = scenes[i].origin;
    const bool moved = at.x != 0 || at.y != 0;
    if (moved) shared.out += fmt::format("<g transform=\"translate({} {})\">\n", num(at.x), num(at.y));
    Writer(*scenes[i].scene, i + 1, shared).write();
    if (moved) shared.out += "</g>\n";
  }
}

std::string backgroundOf(const SvgPage& page) {
  return fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", num(page.width), num(page.height),
                     paint("fill", page.background));
}

}  // namespace

std::string toSvg(std::span<const PlacedScene> scenes, const SvgPage& page, const SvgOptions& options) {
  Shared shared;
  writeScenes(scenes, shared);
  const std::string drawing = shared.pictures.resolve(shared.out, shared.definitions, "", "xlink:href");
  std::string head = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{}pt\" "
      "height=\"{}pt\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" font-family=\"{}\" "
      "stroke-linejoin=\"round\" xml:space=\"preserve\">\n",
      num(page.paperWidth > 0 ? page.paperWidth : page.width),
      num(page.paperHeight > 0 ? page.paperHeight : page.height), num(page.width), num(page.height),
      svg::familyNames());
  if (!options.title.empty()) head += "<title>" + escaped(options.title) + "</title>\n";
  if (!options.recipe.empty()) {
    head += fmt::format("<metadata><{0} xmlns=\"urn:separatrix:recipe\">{1}</{0}></metadata>\n", kRecipeKey,
                        escaped(options.recipe));
  }
  head += "<defs>\n" + svg::fontFaces(shared.characters[0], shared.characters[1]) + shared.definitions + "</defs>\n";
  return head + backgroundOf(page) + drawing + "</svg>\n";
}

SvgElement toSvgElement(std::span<const PlacedScene> scenes, const SvgPage& page, const std::string& prefix,
                        const std::string& label) {
  Shared shared;
  shared.prefix = prefix;
  shared.mostPieces = kMostPieces;
  writeScenes(scenes, shared);
  const std::string drawing = shared.pictures.resolve(shared.out, shared.definitions, prefix, "href");
  SvgElement made;
  made.text = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" font-family=\"{}\" stroke-linejoin=\"round\" "
      "xml:space=\"preserve\">\n<defs>\n{}</defs>\n{}{}</svg>\n",
      num(page.width), num(page.height), escaped(label), svg::familyNames(), shared.definitions, backgroundOf(page),
      drawing);
  for (const int bold : {0, 1})
    made.characters[bold] = std::move(shared.characters[bold]);
  return made;
}

std::string toSvg(const Scene& scene, const SvgOptions& options) {
  const PlacedScene placed{&scene, {}};
  return toSvg({&placed, 1}, {scene.width, scene.height, 0, 0, scene.background}, options);
}

}  // namespace sepx::render
