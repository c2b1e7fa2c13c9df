// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/halo_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"

namespace sepx::ui {

namespace {

constexpr double kEvery = 26;  // points between two discs
constexpr int kCorners = 28;

}  // namespace

void addHaloPath(std::vector<render::Item>& items, const Camera& camera, const HaloPath& path, const Theme& theme) {
  if (path.x.empty()) return;
  const std::size_t until = std::clamp<std::size_t>(path.until, 1, path.x.size());
  const double unitX = camera.plot.width() / camera.window.width(),
               unitY = camera.plot.height() / camera.window.height();
  render::Point last{-1e9, -1e9};
  for (std::size_t k = 0; k < until; ++k) {
    const render::Point at = toPage(camera, {path.x[k], path.y[k]});
    if (k + 1 < until && std::hypot(at.x - last.x, at.y - last.y) < kEvery) continue;
    last = at;
    if (!(path.radius[k] * unitX > 0.5) || !std::isfinite(at.x) || !std::isfinite(at.y)) continue;
    render::Fill halo;
    halo.color = faded(path.color, path.shade);
    for (int corner = 0; corner < kCorners; ++corner) {
      const double turn = 2 * std::numbers::pi * corner / kCorners;
      halo.points.push_back(
          {at.x + path.radius[k] * unitX * std::cos(turn), at.y + path.radius[k] * unitY * std::sin(turn)});
    }
    items.emplace_back(std::move(halo));
  }
  for (const bool past : {false, true}) {
    render::Polyline line;
    line.stroke = {past ? path.color : faded(path.color, 0.35f), past ? 2.5f : 1.5f, render::Dash::Solid};
    line.space = render::Space::Page;
    for (std::size_t k = 0; k < (past ? until : path.x.size()); ++k)
      line.points.push_back(toPage(camera, {path.x[k], path.y[k]}));
    if (past && path.casing.a > 0) {
      render::Polyline edge = line;
      edge.stroke = {path.casing, line.stroke.width + 2.5f, render::Dash::Solid};
      items.emplace_back(std::move(edge));
    }
    items.emplace_back(std::move(line));
  }
  const render::Point head = toPage(camera, {path.x[until - 1], path.y[until - 1]});
  if (!std::isfinite(head.x) || !std::isfinite(head.y)) return;  // it diverged
  items.emplace_back(
      render::Marker{head, render::Shape::Circle, 11, path.color, theme.text, 1.5f, render::Space::Page});
  if (path.name.empty()) return;
  const double width = textWidth(path.name, theme.smallSize);
  const bool tight = head.x + 14 + width > camera.plot.max.x;  // then higher, so that it covers nothing of the path
  const double x = tight ? std::max(camera.plot.min.x, camera.plot.max.x - width) - 4 : head.x + 14;
  render::Label label = textAt({x, head.y - (tight ? 28 : 12)}, path.name, theme.smallSize, theme.text);
  label.backdrop = faded(theme.surface, 0.92f);
  items.emplace_back(std::move(label));
}

}  // namespace sepx::ui
