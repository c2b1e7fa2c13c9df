// SPDX-License-Identifier: Apache-2.0
// Segments are clipped by the algorithm of Liang and Barsky, convex polygons by that of Sutherland and Hodgman.
// Thinning maintains, from the last kept point on, the cone of directions that pass every dropped point within the
// tolerance.
#include "engine/render/tessellate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/render/font.h"

namespace sepx::render {
namespace {

constexpr float kLargestText = 1000;     // points
constexpr float kAlphaStep = 1.0F / 24;  // a thinned segment never hides a larger change of the fade

// Much faster than hypot, and usable coordinates do not overflow here.
double size(Point a) {
  return std::sqrt(a.x * a.x + a.y * a.y);
}
double cross(Point a, Point b) {
  return a.x * b.y - a.y * b.x;
}

// Writes thinned points into runs; see the head of this file.
class Thinner {
 public:
  Thinner(Runs& runs, double tolerance) : runs_(runs), tolerance_(tolerance) {}

  void push(const StrokePoint& point) {
    if (!open_) {
      runs_.points.push_back(point);
      open_ = true;
      candidate_ = false;
      return;
    }
    if (candidate_ && !extends(point)) {
      runs_.points.push_back(last_);
      candidate_ = false;
    }
    if (!candidate_) {
      coned_ = false;
      reach_ = 0;
    }
    narrow(point);
    last_ = point;
    candidate_ = true;
  }

  void finish() {
    if (!open_) return;
    if (candidate_) runs_.points.push_back(last_);
    runs_.ends.push_back(runs_.points.size());
    open_ = candidate_ = false;
  }

 private:
  Point fromAnchor(const StrokePoint& point) const {
    const Point anchor = runs_.points.back().at;
    return {point.at.x - anchor.x, point.at.y - anchor.y};
  }

  bool extends(const StrokePoint& point) const {
    const Point step = fromAnchor(point);
    if (size(step) < reach_) return false;
    if (std::abs(point.alpha - runs_.points.back().alpha) > kAlphaStep) return false;
    return !coned_ || (cross(right_, step) >= 0 && cross(step, left_) >= 0);
  }

  void narrow(const StrokePoint& point) {
    const Point step = fromAnchor(point);
    const double length = size(step);
    reach_ = std::max(reach_, length);
    if (length <= 2 * tolerance_) return;  // any direction passes within the tolerance
    const double sine = tolerance_ / length, cosine = std::sqrt(1 - sine * sine);
    const Point left{step.x * cosine - step.y * sine, step.y * cosine + step.x * sine};
    const Point right{step.x * cosine + step.y * sine, step.y * cosine - step.x * sine};
    if (!coned_ || cross(left_, left) < 0) left_ = left;
    if (!coned_ || cross(right_, right) > 0) right_ = right;
    coned_ = true;
  }

  Runs& runs_;
  double tolerance_;
  bool open_ = false, candidate_ = false, coned_ = false;
  StrokePoint last_;
  Point left_, right_;
  double reach_ = 0;
};

// Parameters of the part of a + t (b - a), t in [0, 1], inside `bounds`; false when there is none.
bool clipSegment(Point a, Point b, const Rect& bounds, double& from, double& to) {
  from = 0;
  to = 1;
  const double steps[] = {a.x - b.x, b.x - a.x, a.y - b.y, b.y - a.y};
  const double rooms[] = {a.x - bounds.min.x, bounds.max.x - a.x, a.y - bounds.min.y, bounds.max.y - a.y};
  for (int side = 0; side < 4; ++side) {
    if (steps[side] == 0) {
      if (rooms[side] < 0) return false;
    } else if (const double t = rooms[side] / steps[side]; steps[side] < 0) {
      from = std::max(from, t);
    } else {
      to = std::min(to, t);
    }
  }
  return from <= to;
}

// Point at t, computed from the coordinate of smaller magnitude, so that an end at 1e300 does not spoil the digits of
// the other. It is clamped to the bounds because of rounding.
Point between(Point a, Point b, double t, const Rect& bounds) {
  const auto mix = [t](double p, double q) {
    return std::abs(p) <= std::abs(q) ? p + t * (q - p) : q + (1 - t) * (p - q);
  };
  return {std::clamp(mix(a.x, b.x), bounds.min.x, bounds.max.x), std::clamp(mix(a.y, b.y), bounds.min.y, bounds.max.y)};
}

}  // namespace

PageMap PageMap::of(const Scene& scene, Space space) {
  if (space == Space::Page) return {};
  PageMap map;
  map.scaleX = scene.plot.width() / scene.window.width();
  map.scaleY = -scene.plot.height() / scene.window.height();
  map.from = scene.window.min;
  map.to = {scene.plot.min.x, scene.plot.max.y};
  return map;
}

bool usable(Point at) {
  return std::abs(at.x) < 1e100 && std::abs(at.y) < 1e100;
}

Rect grown(const Rect& rect, double by) {
  return {{rect.min.x - by, rect.min.y - by}, {rect.max.x + by, rect.max.y + by}};
}

std::optional<Rect> intersection(const Rect& a, const Rect& b) {
  const Rect part{{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y)},
                  {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y)}};
  // Written so that a NaN bound gives no intersection.
  if (part.min.x < part.max.x && part.min.y < part.max.y && usable(part.min) && usable(part.max)) return part;
  return std::nullopt;
}

Rect layerBounds(const Scene& scene, const Layer& layer) {
  const Rect page{{0, 0}, {scene.width, scene.height}};
  if (layer.within) return intersection(*layer.within, page).value_or(Rect{});
  return layer.clip ? intersection(scene.plot, page).value_or(Rect{}) : page;
}

void Runs::clear() {
  points.clear();
  ends.clear();
}

void appendRuns(const PageMap& map, const Polyline& line, const Rect& bounds, double tolerance, Runs& runs) {
  const Rect room = grown(bounds, line.stroke.width + 2.0);
  Thinner thinner(runs, tolerance);
  bool previousGood = false, drawing = false;
  StrokePoint previous;
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    StrokePoint point{map(line.points[i])};
    const float fade = i < line.fade.size() ? line.fade[i] : 1.0F;
    point.alpha = fade >= 0 ? std::min(fade, 1.0F) : 0.0F;  // NaN: invisible
    if (!usable(point.at)) {
      thinner.finish();
      previousGood = drawing = false;
      continue;
    }
    if (!previousGood) {
      point.along = 0;
      if (room.contains(point.at)) {
        thinner.push(point);
        drawing = true;
      }
    } else {
      const double length = size({point.at.x - previous.at.x, point.at.y - previous.at.y});
      point.along = std::isfinite(previous.along + length) ? previous.along + length : previous.along;
      double from = 0, to = 1;
      if (clipSegment(previous.at, point.at, room, from, to)) {
        const auto at = [&](double t) {
          return StrokePoint{between(previous.at, point.at, t, room),
                             previous.along + t * (point.along - previous.along),
                             static_cast<float>(previous.alpha + t * (point.alpha - previous.alpha))};
        };
        if (from > 0 || !drawing) {
          thinner.finish();
          thinner.push(from > 0 ? at(from) : previous);
        }
        thinner.push(to < 1 ? at(to) : point);
        drawing = to >= 1;
        if (!drawing) thinner.finish();
      } else if (drawing) {
        thinner.finish();
        drawing = false;
      }
    }
    previous = point;
    previousGood = true;
  }
  thinner.finish();
}

DashPattern dashPattern(const Stroke& stroke) {
  const double width = std::max(1.0, static_cast<double>(stroke.width));
  switch (stroke.dash) {
    case Dash::Solid:
      return {};
    case Dash::Dashed:
      return {3 + 2.5 * width, 6 + 4 * width};
    case Dash::Dotted:
      return {0, 1.5 + 2 * width};
  }
  return {};
}

std::vector<Point> clipConvex(const PageMap& map, const std::vector<Point>& points, const Rect& bounds) {
  std::vector<Point> polygon;
  for (const Point& point : points) {
    polygon.push_back(map(point));
    if (!usable(polygon.back())) return {};
  }
  // Signed distance to each of the four sides, positive inside.
  const auto inside = [&](int side, Point at) {
    return side == 0   ? at.x - bounds.min.x
           : side == 1 ? bounds.max.x - at.x
           : side == 2 ? at.y - bounds.min.y
                       : bounds.max.y - at.y;
  };
  std::vector<Point> next;
  for (int side = 0; side < 4; ++side) {
    next.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const double roomA = inside(side, a), roomB = inside(side, b);
      if (roomA >= 0) next.push_back(a);
      if ((roomA < 0) != (roomB < 0)) {
        const double t = roomA / (roomA - roomB);
        next.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      }
    }
    std::swap(polygon, next);
  }
  for (const Point& point : polygon) {
    if (!usable(point)) return {};
  }
  return polygon.size() < 3 ? std::vector<Point>{} : polygon;
}

std::optional<ImagePart> visiblePart(const PageMap& map, const Rect& extent, int width, int height,
                                     const Rect& bounds) {
  if (width <= 0 || height <= 0) return std::nullopt;
  const Point a = map(extent.min), b = map(extent.max);
  const Rect page{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
  if (!usable(page.min) || !usable(page.max)) return std::nullopt;
  const auto seen = intersection(page, bounds);
  if (!seen) return std::nullopt;
  const auto texel = [&](Point at) {
    return Point{(at.x - page.min.x) / page.width() * width, (at.y - page.min.y) / page.height() * height};
  };
  return ImagePart{*seen, {texel(seen->min), texel(seen->max)}};
}

std::optional<LabelPlace> placeLabel(const PageMap& map, const Label& label) {
  const Point mapped = map(label.at);
  const Point at{mapped.x + label.offset.x, mapped.y + label.offset.y};
  if (!usable(at) || !(label.size > 0) || label.size > kLargestText || label.text.empty()) return std::nullopt;
  const TextExtent extent = measure(label.text, label.size, label.bold);
  const double along = label.alignX == AlignX::Left     ? 0
                       : label.alignX == AlignX::Center ? extent.width / 2
                                                        : extent.width;
  double down = 0;  // from the anchor to the baseline, across the text
  switch (label.alignY) {
    case AlignY::Top:
      down = extent.ascent;
      break;
    case AlignY::Middle:
      down = kCapHeight * label.size / 2;  // the visual middle of a number
      break;
    case AlignY::Baseline:
      down = 0;
      break;
    case AlignY::Bottom:
      down = -extent.descent;
      break;
  }
  LabelPlace place;
  if (label.vertical) {
    place.pen = {at.x + down, at.y + along};
    place.box = {{place.pen.x - extent.ascent, place.pen.y - extent.width},
                 {place.pen.x + extent.descent, place.pen.y}};
  } else {
    place.pen = {at.x - along, at.y + down};
    place.box = {{place.pen.x, place.pen.y - extent.ascent},
                 {place.pen.x + extent.width, place.pen.y + extent.descent}};
  }
  return place;
}

Rect backdropBox(const Label& label, const Rect& box) {
  const double along = 0.35 * label.size, across = 0.12 * label.size;
  const double x = label.vertical ? across : along, y = label.vertical ? along : across;
  return {{box.min.x - x, box.min.y - y}, {box.max.x + x, box.max.y + y}};
}

double backdropRadius(const Label& label) {
  return 0.3 * label.size;
}

}  // namespace sepx::render
