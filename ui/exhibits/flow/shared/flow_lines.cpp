// SPDX-License-Identifier: Apache-2.0
// Thinning by sleeves: from the last point that was kept a cone is narrowed by every point that follows; one that falls
// outside, or turns back, keeps the point before it. Linear in the number of points. Pure.
#include "ui/exhibits/flow/shared/flow_lines.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/camera.h"
#include "ui/canvas/shapes.h"

namespace sepx::ui {

namespace {

constexpr float kCasing = 2.5f;      // a dark (or light) edge around lines
constexpr double kTolerance = 0.06;  // points of the page: less than a pixel at every scale that is printed
constexpr double kFadeStep = 0.06;

/// The directions in which the points since the last kept one are all within the tolerance.
struct Sleeve {
  double ux = 0, uy = 0;                    ///< towards the first of them
  double low = -HUGE_VAL, high = HUGE_VAL;  ///< slopes against that direction
  double reach = 0;                         ///< how far the farthest is

  bool takes(double dx, double dy, double tolerance) {
    const double distance = std::hypot(dx, dy);
    if (distance < reach - tolerance) return false;  // turns back
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

render::Rect drawnWindow(const render::Rect& window) {
  const double x = 0.1 * window.width(), y = 0.1 * window.height();
  return {{window.min.x - x, window.min.y - y}, {window.max.x + x, window.max.y + y}};
}

bool nearWindow(const FlowFrame& frame, render::Point at) {
  return std::isfinite(at.x) && std::isfinite(at.y) && drawnWindow(frame.state.view).contains(at);
}

render::Label nameAt(const FlowFrame& frame, render::Point at, const std::string& name, render::Color color,
                     double away, bool above) {
  const float size = frame.theme.smallSize;
  const render::Rect& plot = frame.layout.plot;
  const render::Point page = toPage(frame.camera(), at);
  const double across = textWidth(name, size) + away + 0.5 * size, down = away + size;
  const bool left = page.x + across > plot.max.x && page.x - across > plot.min.x;
  const bool up = above ? page.y - down > plot.min.y || page.y + down > plot.max.y
                        : page.y + down > plot.max.y && page.y - down > plot.min.y;
  render::Label label = textAt(at, name, size, color, left ? render::AlignX::Right : render::AlignX::Left);
  label.space = render::Space::Data;
  label.offset = {left ? -away : away, up ? 2 - away : away - 2};
  label.backdrop = faded(frame.theme.surface, 0.75f);
  return label;
}

std::vector<std::size_t> seenPoints(const std::vector<render::Point>& page, const std::vector<double>& fade,
                                    double tolerance) {
  std::vector<std::size_t> kept;
  if (page.empty()) return kept;
  kept.push_back(0);
  Sleeve sleeve;
  for (std::size_t i = 1; i < page.size(); ++i) {
    const std::size_t from = kept.back();
    const bool even = fade.empty() || std::abs(fade[i] - fade[from]) <= kFadeStep;
    if (even && sleeve.takes(page[i].x - page[from].x, page[i].y - page[from].y, tolerance)) continue;
    const std::size_t keep = i - 1 > from ? i - 1 : i;
    kept.push_back(keep);
    sleeve = {};
    if (keep < i) sleeve.takes(page[i].x - page[keep].x, page[i].y - page[keep].y, tolerance);
  }
  if (kept.back() != page.size() - 1) kept.push_back(page.size() - 1);
  return kept;
}

void addLine(std::vector<render::Item>& items, const std::vector<render::Point>& points, const render::Stroke& stroke,
             const FlowFrame& frame, const std::vector<double>& fade) {
  const Camera camera = frame.camera();
  for (const ClippedLine& piece : clipLine(points, fade, drawnWindow(frame.state.view))) {
    std::vector<render::Point> page(piece.points.size());
    std::transform(piece.points.begin(), piece.points.end(), page.begin(),
                   [&camera](render::Point at) { return toPage(camera, at); });
    std::vector<render::Point> seen;
    std::vector<float> alphas;
    for (const std::size_t i : seenPoints(page, fade.empty() ? fade : piece.values, kTolerance)) {
      seen.push_back(piece.points[i]);
      if (!fade.empty()) alphas.push_back(static_cast<float>(piece.values[i]));
    }
    // Dashes and dots stand on a whole band: without it their gaps take the colours below and they look like a line.
    const render::Color casing = faded(frame.theme.plotBackground, stroke.dash == render::Dash::Solid ? 0.6f : 0.75f);
    items.push_back(render::Polyline{seen, {casing, stroke.width + kCasing, render::Dash::Solid}, alphas});
    items.push_back(render::Polyline{std::move(seen), stroke, std::move(alphas)});
  }
}

}  // namespace sepx::ui
