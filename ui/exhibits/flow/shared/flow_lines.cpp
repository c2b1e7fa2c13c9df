// SPDX-License-Identifier: Apache-2.0
// Lines with their casing, and names beside places. Pure.
#include "ui/exhibits/flow/shared/flow_lines.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/camera.h"
#include "ui/canvas/shapes.h"

namespace sepx::ui {

namespace {

constexpr float kCasing = 2.5f;      // a dark (or light) edge around lines
constexpr double kTolerance = 0.06;  // points of the page: less than a pixel at every scale that is printed

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
