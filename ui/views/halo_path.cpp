// SPDX-License-Identifier: Apache-2.0
#include "ui/views/halo_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"

namespace sepx::ui {

namespace {

constexpr double kEvery = 26;  // points between two discs
constexpr int kCorners = 28;

/// Where a name at a marker begins: right or left of it, moved up or down as far as needed to overlap no other name.
render::Point namePlace(const render::Rect& plot, render::Point head, const std::string& name, const Theme& theme,
                        std::vector<render::Rect>* taken) {
  const double size = theme.smallSize, width = textWidth(name, size);
  const bool tight = head.x + 14 + width > plot.max.x;  // then higher, so that it does not cover the path
  const render::Point first{tight ? std::max(plot.min.x, plot.max.x - width) - 4 : head.x + 14,
                            head.y - (tight ? 28 : 12)};
  if (!taken) return first;
  const auto boxAt = [&](render::Point at) {
    return render::Rect{{at.x - 4, at.y - 0.75 * size}, {at.x + width + 4, at.y + 0.75 * size}};
  };
  const auto free = [&](const render::Rect& box) {
    const auto meets = [&box](const render::Rect& other) {
      return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
    };
    return box.min.y >= plot.min.y && box.max.y <= plot.max.y && box.min.x >= plot.min.x &&
           std::none_of(taken->begin(), taken->end(), meets);
  };
  render::Point best = first;
  for (const double rows : {0.0, 2.0, -1.0, 3.0, -2.0, 4.0, -3.0}) {  // down the page
    const render::Point right{first.x, first.y + 0.8 * rows * size}, left{head.x - 14 - width, right.y};
    const auto at = free(boxAt(right)) ? right : left;
    if (!free(boxAt(at))) continue;
    best = at;
    break;
  }
  taken->push_back(boxAt(best));
  return best;
}

}  // namespace

void addHaloPath(std::vector<render::Item>& items, const Camera& camera, const HaloPath& path, const Theme& theme,
                 std::vector<render::Rect>* taken) {
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
  if (!std::isfinite(head.x) || !std::isfinite(head.y)) return;  // the run diverged
  items.emplace_back(
      render::Marker{head, render::Shape::Circle, 11, path.color, theme.text, 1.5f, render::Space::Page});
  if (path.name.empty()) return;
  const render::Point at = namePlace(camera.plot, head, path.name, theme, taken);
  render::Label label = textAt(at, path.name, theme.smallSize, theme.text);
  label.backdrop = faded(theme.surface, 0.92f);
  items.emplace_back(std::move(label));
}

}  // namespace sepx::ui
