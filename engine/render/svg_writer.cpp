// SPDX-License-Identifier: Apache-2.0
// Geometry comes from tessellate.h, so that it is the geometry on the screen; what SVG can say itself (dashes, text,
// clips) it says.
#include "engine/render/svg_writer.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "engine/render/color_map.h"
#include "engine/render/font.h"
#include "engine/render/image_colors.h"
#include "engine/render/png.h"
#include "engine/render/tessellate.h"

namespace sepx::render {
namespace {

constexpr double kTolerance = 0.02;  // points that thinning may move a line by
constexpr int kFadeLevels = 32;      // a fading line is written in pieces of one opacity

// Three decimals without trailing zeros, the same in every locale.
std::string num(double value) {
  std::string text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

void appendUtf8(std::string& out, char32_t code) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// Text for elements and attributes: markup escaped, what XML cannot hold replaced.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char32_t code : decodeUtf8(text)) {
    switch (code) {
      case U'&':
        out += "&amp;";
        break;
      case U'<':
        out += "&lt;";
        break;
      case U'>':
        out += "&gt;";
        break;
      case U'"':
        out += "&quot;";
        break;
      case U'\t':
      case U'\n':
        appendUtf8(out, code);
        break;
      default:
        appendUtf8(out, code < 0x20 || code == 0xFFFE || code == 0xFFFF ? U'\uFFFD' : code);
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

// ` fill="#rrggbb" fill-opacity="0.5"`, the opacity only where it matters.
std::string paint(const char* what, const Color& color) {
  const auto part = [](float x) { return static_cast<int>(std::lround(std::clamp(x, 0.0F, 1.0F) * 255)); };
  std::string text = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, part(color.r), part(color.g), part(color.b));
  if (color.a < 1) text += fmt::format(" {}-opacity=\"{}\"", what, num(std::max(0.0F, color.a)));
  return text;
}

std::string points(const std::vector<Point>& polygon) {
  std::string path;
  for (const Point& at : polygon)
    path += (path.empty() ? "M" : "L") + num(at.x) + " " + num(at.y);
  return path + "Z";
}

class Writer {
 public:
  Writer(const Scene& scene, const SvgOptions& options) : scene_(scene), options_(options) {}
  std::string write();

 private:
  void layer(const Layer& layer);
  void heatmap(const Heatmap& map, const Rect& bounds);
  void labelMap(const LabelMap& map, const Rect& bounds);
  void picture(const gpu::Pixels& pixels, const Rect& page, bool smooth);
  void hatch(const LabelMap& map, std::uint8_t label, const TexelRange& range, const Rect& page);
  void polyline(const Polyline& line, const Rect& bounds);
  void run(const Runs& runs, std::size_t first, std::size_t end, const Stroke& stroke, const std::string& style);
  void fill(const Fill& fill, const Rect& bounds);
  void marker(const Marker& marker, const Rect& bounds);
  void label(const Label& label, const Rect& bounds);
  PageMap mapOf(Space space) const { return PageMap::of(scene_, space); }

  const Scene& scene_;
  const SvgOptions& options_;
  std::string out_, definitions_;
  std::set<std::string> patterns_;
};

std::string Writer::write() {
  const Rect plot = intersection(scene_.plot, {{0, 0}, {scene_.width, scene_.height}}).value_or(Rect{});
  definitions_ = fmt::format("<clipPath id=\"plot\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                             num(plot.min.x), num(plot.min.y), num(plot.width()), num(plot.height()));
  for (const Layer& each : scene_.layers)
    layer(each);
  std::string head = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" "
      "height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"{2}, sans-serif\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n",
      num(scene_.width), num(scene_.height), kFontFamily);
  if (!options_.title.empty()) head += "<title>" + escaped(options_.title) + "</title>\n";
  if (!options_.recipe.empty()) {
    head += "<metadata><Separatrix-Recipe xmlns=\"urn:separatrix:recipe\">" + escaped(options_.recipe) +
            "</Separatrix-Recipe></metadata>\n";
  }
  head += "<defs>\n" + definitions_ + "</defs>\n";
  head += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", num(scene_.width), num(scene_.height),
                      paint("fill", scene_.background));
  return head + out_ + "</svg>\n";
}

void Writer::layer(const Layer& layer) {
  const Rect bounds = layerBounds(scene_, layer);
  out_ += fmt::format("<g data-layer=\"{}\"{}>\n", escaped(layer.name), layer.clip ? " clip-path=\"url(#plot)\"" : "");
  for (const Item& item : layer.items) {
    if (const auto* heat = std::get_if<Heatmap>(&item)) heatmap(*heat, bounds);
    if (const auto* map = std::get_if<LabelMap>(&item)) labelMap(*map, bounds);
    if (const auto* line = std::get_if<Polyline>(&item)) polyline(*line, bounds);
    if (const auto* area = std::get_if<Fill>(&item)) fill(*area, bounds);
    if (const auto* point = std::get_if<Marker>(&item)) marker(*point, bounds);
    if (const auto* text = std::get_if<Label>(&item)) label(*text, bounds);
  }
  out_ += "</g>\n";
}

// The values that are seen, and the page rectangle of exactly these.
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
  const auto seen = crop(mapOf(Space::Data), map.extent, map.width, map.height, map.values->size(), bounds);
  if (seen) picture(colored(map, seen->range), seen->page, map.smooth);
}

void Writer::labelMap(const LabelMap& map, const Rect& bounds) {
  if (!map.labels) return;
  const auto seen = crop(mapOf(Space::Data), map.extent, map.width, map.height, map.labels->size(), bounds);
  if (!seen) return;
  picture(colored(map, seen->range), seen->page, false);
  for (std::size_t i = 0; i < std::min(map.hatch.size(), map.palette.size()) && i < 256; ++i) {
    if (map.hatch[i] >= 1 && map.hatch[i] <= 3) hatch(map, static_cast<std::uint8_t>(i), seen->range, seen->page);
  }
}

void Writer::picture(const gpu::Pixels& pixels, const Rect& page, bool smooth) {
  out_ += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\"{} "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      num(page.min.x), num(page.min.y), num(page.width()), num(page.height()),
      smooth ? "" : " image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\"",
      base64(encodePng(pixels)));
}

// Runs of equal labels as one path, painted with a pattern that hangs on the page; the constants are those of
// labels.frag.
void Writer::hatch(const LabelMap& map, std::uint8_t label, const TexelRange& range, const Rect& page) {
  const Color ink = hatchInk(map.palette[label]);
  const std::string color = paint(map.hatch[label] == 3 ? "fill" : "stroke", ink);
  std::string id = fmt::format("hatch{}-", map.hatch[label]);
  std::copy_if(color.begin(), color.end(), std::back_inserter(id),
               [](unsigned char c) { return std::isalnum(c) != 0; });
  if (patterns_.insert(id).second) {
    const char* frame = map.hatch[label] == 1   ? " patternTransform=\"rotate(-45)\""
                        : map.hatch[label] == 2 ? " patternTransform=\"rotate(45)\""
                                                : "";
    const std::string shape = map.hatch[label] == 3 ? "<circle cx=\"4\" cy=\"4\" r=\"1.2\"" + color + "/>"
                                                    : "<path d=\"M0 4H8\" stroke-width=\"1.1\"" + color + "/>";
    definitions_ +=
        fmt::format("<pattern id=\"{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"{}>{}</pattern>\n", id,
                    frame, shape);
  }
  const double stepX = page.width() / (range.right - range.left), stepY = page.height() / (range.bottom - range.top);
  const auto at = [&](int x, int y) {
    return (
        *map.labels)[static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(x)];
  };
  std::string path;
  for (int y = range.top; y < range.bottom; ++y) {
    for (int x = range.left; x < range.right; ++x) {
      if (at(x, y) != label) continue;
      int end = x + 1;
      while (end < range.right && at(end, y) == label)
        ++end;
      path += fmt::format("M{} {}H{}V{}H{}Z", num(page.min.x + (x - range.left) * stepX),
                          num(page.min.y + (y - range.top) * stepY), num(page.min.x + (end - range.left) * stepX),
                          num(page.min.y + (y + 1 - range.top) * stepY), num(page.min.x + (x - range.left) * stepX));
      x = end;
    }
  }
  if (!path.empty()) out_ += fmt::format("<path d=\"{}\" fill=\"url(#{})\"/>\n", path, id);
}

void Writer::polyline(const Polyline& line, const Rect& bounds) {
  if (!(line.stroke.width > 0) || !std::isfinite(line.stroke.width)) return;
  Runs runs;
  appendRuns(mapOf(line.space), line, bounds, kTolerance, runs);
  const DashPattern dash = dashPattern(line.stroke);
  std::string style = paint("stroke", line.stroke.color) + " stroke-width=\"" + num(line.stroke.width) + "\"";
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
      const std::string opacity = here < kFadeLevels ? " opacity=\"" + num(here / double{kFadeLevels}) + "\"" : "";
      out_ += fmt::format("<path d=\"{}\" fill=\"none\"{}{}{}/>\n", path, style, cap, opacity);
    }
    i = stop;
  }
}

void Writer::fill(const Fill& fill, const Rect& bounds) {
  const std::vector<Point> polygon = clipConvex(mapOf(fill.space), fill.points, grown(bounds, 4));
  if (!polygon.empty()) out_ += "<path d=\"" + points(polygon) + "\"" + paint("fill", fill.color) + "/>\n";
}

// The outlines of shapes.frag with the edge's middle line as path.
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
  const double length = label.vertical ? place->box.height() : place->box.width();
  const double along = label.alignX == AlignX::Left ? 0 : label.alignX == AlignX::Center ? length / 2 : length;
  const char* anchor = label.alignX == AlignX::Left     ? ""
                       : label.alignX == AlignX::Center ? " text-anchor=\"middle\""
                                                        : " text-anchor=\"end\"";
  const std::string x = num(place->pen.x + (label.vertical ? 0 : along)),
                    y = num(place->pen.y - (label.vertical ? along : 0));
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}{}>{}</text>\n", x, y, num(label.size),
                      paint("fill", label.color), anchor, label.bold ? " font-weight=\"bold\"" : "",
                      label.vertical ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "", escaped(label.text));
}

}  // namespace

std::string toSvg(const Scene& scene, const SvgOptions& options) {
  return Writer(scene, options).write();
}

}  // namespace sepx::render
