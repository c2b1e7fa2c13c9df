// SPDX-License-Identifier: Apache-2.0
// Boxes with rounded corners, text widths, clipping (Liang-Barsky) and thinning of lines. Pure.
#include "ui/canvas/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "ui/canvas/symbol_labels.h"

namespace sepx::ui {

std::vector<render::Point> roundedRect(const render::Rect& box, double radius) {
  constexpr int kSteps = 5;  // per quarter circle; enough for a radius of a few points
  const double r = std::min({radius, box.width() / 2, box.height() / 2});
  const render::Point centres[4] = {{box.max.x - r, box.min.y + r},
                                    {box.max.x - r, box.max.y - r},
                                    {box.min.x + r, box.max.y - r},
                                    {box.min.x + r, box.min.y + r}};
  std::vector<render::Point> outline;
  for (int corner = 0; corner < 4; ++corner) {
    for (int i = 0; i <= kSteps; ++i) {
      const double angle = (corner - 1 + static_cast<double>(i) / kSteps) * std::numbers::pi / 2;
      outline.push_back({centres[corner].x + r * std::cos(angle), centres[corner].y + r * std::sin(angle)});
    }
  }
  return outline;
}

void addBox(std::vector<render::Item>& items, const render::Rect& box, double radius, render::Color fill,
            render::Color border) {
  std::vector<render::Point> outline = roundedRect(box, radius);
  items.push_back(render::Fill{outline, fill, render::Space::Page});
  outline.push_back(outline.front());
  items.push_back(render::Polyline{std::move(outline), {border, 1.0f, render::Dash::Solid}, {}, render::Space::Page});
}

render::Label textAt(render::Point at, std::string text, float size, render::Color color, render::AlignX alignX,
                     render::AlignY alignY) {
  render::Label label;
  label.at = at;
  label.text = std::move(text);
  label.size = size;
  label.color = color;
  label.alignX = alignX;
  label.alignY = alignY;
  return label;
}

render::Color faded(render::Color color, float alpha) {
  color.a *= alpha;
  return color;
}

double textWidth(std::string_view utf8, double size) {
  return typesetWidth(utf8, size);
}

namespace {

struct Segment {
  double begin, end;  ///< begin and end of the part inside the box, as fractions of the segment's length
};

/// The part of the segment a..b inside the box.
std::optional<Segment> insidePart(render::Point a, render::Point b, const render::Rect& box) {
  double begin = 0, end = 1;
  const auto cut = [&](double from, double delta, double min, double max) {
    if (delta == 0) return from >= min && from <= max;
    const double first = (min - from) / delta, second = (max - from) / delta;
    begin = std::max(begin, std::min(first, second));
    end = std::min(end, std::max(first, second));
    return begin <= end;
  };
  if (!cut(a.x, b.x - a.x, box.min.x, box.max.x) || !cut(a.y, b.y - a.y, box.min.y, box.max.y)) return std::nullopt;
  return Segment{begin, end};
}

bool finite(render::Point p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

}  // namespace

std::vector<ClippedLine> clipLine(const std::vector<render::Point>& points, const std::vector<double>& values,
                                  const render::Rect& box) {
  std::vector<ClippedLine> pieces;
  bool open = false;
  const auto valueAt = [&](std::size_t i) { return i < values.size() ? values[i] : 0.0; };
  const auto append = [&](std::size_t i, double share) {
    const render::Point a = points[i], b = points[i + 1];
    // A cut point lies on the border. Clamping corrects the rounding error for a point that is very far away.
    const render::Point cut{std::clamp(a.x + (b.x - a.x) * share, box.min.x, box.max.x),
                            std::clamp(a.y + (b.y - a.y) * share, box.min.y, box.max.y)};
    pieces.back().points.push_back(share == 1 ? b : share == 0 ? a : cut);
    pieces.back().values.push_back(share == 1 ? valueAt(i + 1) : valueAt(i) + (valueAt(i + 1) - valueAt(i)) * share);
  };
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const bool usable = finite(points[i]) && finite(points[i + 1]);
    const std::optional<Segment> part = usable ? insidePart(points[i], points[i + 1], box) : std::nullopt;
    if (!part) {
      open = false;
      continue;
    }
    if (!open || part->begin > 0) {
      pieces.emplace_back();
      append(i, part->begin);
    }
    append(i, part->end);
    open = part->end == 1;
  }
  return pieces;
}

namespace {

constexpr double kFadeStep = 0.06;

/// The cone of directions for which all points since the last kept one are within the tolerance.
struct DirectionCone {
  double ux = 0, uy = 0;                    ///< unit vector towards the first of these points beyond the tolerance
  double low = -HUGE_VAL, high = HUGE_VAL;  ///< range of slopes relative to that direction
  double reach = 0;                         ///< distance of the farthest point

  bool takes(double dx, double dy, double tolerance) {
    const double distance = std::hypot(dx, dy);
    if (distance < reach - tolerance) return false;  // the line turns back
    if (distance <= tolerance) return true;
    if (ux == 0 && uy == 0) {
      ux = dx / distance;
      uy = dy / distance;
    }
    const double along = dx * ux + dy * uy, across = dy * ux - dx * uy;
    if (along <= tolerance) return false;
    const double from = (across - tolerance) / along, to = (across + tolerance) / along, slope = across / along;
    if (slope < low || slope > high) return false;
    low = std::max(low, from);
    high = std::min(high, to);
    reach = std::max(reach, distance);
    return true;
  }
};

}  // namespace

// Simplification with a cone: starting at the last kept point, each following point narrows a cone of directions. A
// point that falls outside the cone, or at which the line turns back, causes the point before it to be kept. Linear in
// the number of points.
std::vector<std::size_t> simplifiedPoints(const std::vector<render::Point>& page, const std::vector<double>& fade,
                                          double tolerance) {
  std::vector<std::size_t> kept;
  if (page.empty()) return kept;
  kept.push_back(0);
  DirectionCone cone;
  for (std::size_t i = 1; i < page.size(); ++i) {
    const std::size_t from = kept.back();
    const bool even = fade.empty() || std::abs(fade[i] - fade[from]) <= kFadeStep;
    if (even && cone.takes(page[i].x - page[from].x, page[i].y - page[from].y, tolerance)) continue;
    const std::size_t keep = i - 1 > from ? i - 1 : i;
    kept.push_back(keep);
    cone = {};
    if (keep < i) cone.takes(page[i].x - page[keep].x, page[i].y - page[keep].y, tolerance);
  }
  if (kept.back() != page.size() - 1) kept.push_back(page.size() - 1);
  return kept;
}

}  // namespace sepx::ui
