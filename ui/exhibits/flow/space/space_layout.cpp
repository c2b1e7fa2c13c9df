// SPDX-License-Identifier: Apache-2.0
// Where the parts of the space page are, and what can be taken hold of. Pure.
#include <algorithm>
#include <cmath>

#include "ui/exhibits/flow/space/space_scene.h"

namespace sepx::ui {

namespace {

constexpr double kAxisHandle = 46;  // points from the selected point to the end of an arrow

void addPoints(std::vector<SpaceHandle>& handles, const SpaceFrame& frame) {
  for (std::size_t i = 0; i < frame.flow.points.size(); ++i) {
    const markov::Place3 at = placeOf(frame.flow.points[i]);
    if (!frame.space.box.contains(at)) continue;
    SpaceHandle handle{SpaceHandle::Kind::Point, static_cast<int>(i), {}, point3(at), 0};
    const auto page = frame.view.toPage(handle.data, &handle.depth);
    if (!page || !frame.layout.plot.contains(*page)) continue;
    handle.at = *page;
    handles.push_back(handle);
  }
}

/// Arrows along the axes at the selected point; one that points at the eye cannot be dragged and is left out.
void addArrows(std::vector<SpaceHandle>& handles, const SpaceFrame& frame) {
  if (frame.flow.selected < 0 || frame.page.figure) return;
  const auto of = std::find_if(handles.begin(), handles.end(), [&](const SpaceHandle& handle) {
    return handle.kind == SpaceHandle::Kind::Point && handle.index == frame.flow.selected;
  });
  if (of == handles.end()) return;
  const SpaceHandle point = *of;
  const double length = kAxisHandle / frame.view.scaleAt(point.depth);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<double, 3> cube = frame.view.toCube(point.data);
    cube[axis] += length;
    SpaceHandle handle{SpaceHandle::Kind::Axis, static_cast<int>(axis), {}, frame.view.toData(cube), 0};
    const auto page = frame.view.toPage(handle.data, &handle.depth);
    constexpr double kShort = 0.35;
    if (!page || std::hypot(page->x - point.at.x, page->y - point.at.y) < kShort * kAxisHandle) continue;
    handle.at = *page;
    handles.push_back(handle);
  }
}

/// The corner of a plane across an axis that lies furthest to a side of the page.
std::optional<SpaceHandle> cornerOf(const SpaceFrame& frame, std::size_t axis, double at, double side) {
  const markov::Box3& box = frame.space.box;
  if (!(at >= box.low[axis] && at <= box.high[axis])) return std::nullopt;
  std::optional<SpaceHandle> best;
  for (int corner = 0; corner < 4; ++corner) {
    markov::Place3 place{};
    place[axis] = at;
    const std::size_t x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
    place[x] = corner & 1 ? box.high[x] : box.low[x];
    place[y] = corner & 2 ? box.high[y] : box.low[y];
    SpaceHandle handle{SpaceHandle::Kind::Slice, static_cast<int>(axis), {}, point3(place), 0};
    const auto page = frame.view.toPage(handle.data, &handle.depth);
    if (!page) continue;
    handle.at = *page;
    // of two that are as far, the lower one
    if (!best || side * (handle.at.x - best->at.x) + 0.01 * (handle.at.y - best->at.y) > 0) best = handle;
  }
  return best;
}

}  // namespace

markov::Place3 placeOf(const FlowPoint& point) {
  return {point.e, point.w, point.a};
}

SpaceLayout layoutSpace(const PageArea& page, const SpaceState& space, bool legend) {
  const render::Rect& area = page.area;
  const Theme& theme = page.theme;
  SpaceLayout layout;
  layout.plot = area;
  layout.plot.max.y -= std::min(0.06 * area.height(), 2.2 * theme.smallSize);  // the lowest ticks
  const double unit = theme.textSize, gap = theme.space;
  layout.legend = legend && (page.figure || (area.width() >= 24 * unit && area.height() >= 14 * unit));
  layout.readOut = area.height() >= 12 * unit;
  const double gizmo = page.figure ? 0 : page.compact ? 3.4 * unit : 5 * unit;
  layout.gizmo = {{area.max.x - gap - gizmo, area.min.y + gap}, {area.max.x - gap, area.min.y + gap + gizmo}};
  // Left: the axis' letter and ticks; right: the slider; above: the title.
  const double left = 2.6 * theme.smallSize, right = 2.2 * unit, above = 1.9 * theme.smallSize,
               below = 2.8 * theme.smallSize;
  // In a column the words about a point, or a figure's legend, stand between gizmo and section: five rows of words.
  constexpr double kSectionColumn = 44;  // sizes of the text: a narrower page with a section has no column
  const double words = area.width() >= kSectionColumn * unit ? (page.figure ? 13 : 8) * theme.smallSize + gap : 0;
  const double room = area.height() - above - below - gizmo - words - 3 * gap;
  const double side = std::min(room, std::clamp(0.30 * std::min(area.width(), 1.6 * area.height()), 0.0, 330.0));
  if (space.slice && (!page.compact || area.width() >= 700) && side >= 8 * unit) {
    const render::Point corner{area.max.x - gap - right - side, area.max.y - gap - below - side};
    layout.inset = render::Rect{corner, {corner.x + side, corner.y + side}};
    layout.slider =
        render::Rect{{layout.inset->max.x + 0.7 * unit, corner.y}, {layout.inset->max.x + 1.7 * unit, corner.y + side}};
  }
  // A wide page has a column at its right: gizmo, words, section. A narrow one lets them lie over the picture. A figure
  // that is wider than high has its legend there.
  const bool broad = layout.inset || (page.figure && area.width() > 1.3 * area.height());
  const bool column = area.width() >= (broad ? kSectionColumn : 55) * unit && (layout.inset || !page.figure || legend);
  const double width = layout.inset ? side + left + right + gap : 24 * unit;
  layout.notes = area;
  // Beside the picture rows hide nothing; on a small page they would lie over it.
  layout.rows = layout.legend &&
                (page.figure || space.legend.open.value_or(!page.compact || column || area.height() >= 24 * unit));
  if (column) {
    layout.notesBelow = false;
    layout.notes = {{area.max.x - width, layout.gizmo.max.y},
                    {area.max.x, layout.inset ? layout.inset->min.y - above : area.max.y}};
    if (layout.inset || page.figure) layout.plot.max.x = area.max.x - width;
    // The legend stands above the picture's upper left corner.
    if (layout.legend && !page.figure)
      layout.plot.min.y += std::min((layout.inset ? 0.2 : 0.1) * area.height(), 6 * unit);
  } else if (layout.readOut && !layout.inset && !page.figure) {
    layout.plot.max.y -= std::min(0.12 * area.height(), 4 * unit);
  }
  return layout;
}

std::vector<SpaceHandle> spaceHandles(const SpaceFrame& frame) {
  std::vector<SpaceHandle> handles;
  if (frame.space.slice && !frame.page.figure)
    if (const auto handle = cornerOf(frame, frame.space.section.across(), frame.space.section.at, 1))
      handles.push_back(*handle);
  for (std::size_t axis = 0; axis < 3 && !frame.page.figure; ++axis) {
    if (frame.space.clip[axis].keep == SpaceClip::Keep::All) continue;
    if (auto handle = cornerOf(frame, axis, frame.space.clip[axis].at, -1)) {
      handle->kind = SpaceHandle::Kind::Clip;
      handles.push_back(*handle);
    }
  }
  addPoints(handles, frame);
  addArrows(handles, frame);
  return handles;
}

}  // namespace sepx::ui
