// SPDX-License-Identifier: Apache-2.0
// The layout of the space page, its handles, and the axes of the box with the gizmo that shows them. Pure.
#include "ui/exhibits/flow/space/space_axes.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/shapes.h"
#include "ui/canvas/symbol_labels.h"

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

/// Adds arrows along the axes at the selected point. An arrow that points at the eye cannot be dragged and is left out.
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
    // of two corners that are equally far, the lower one
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
  layout.plot.max.y -= std::min(0.06 * area.height(), 2.2 * theme.smallSize);  // room for the lowest ticks
  const double unit = theme.textSize, gap = theme.space;
  layout.legend = legend && (page.figure || (area.width() >= 24 * unit && area.height() >= 14 * unit));
  layout.readOut = area.height() >= 12 * unit;
  const double gizmo = page.figure ? 0 : page.compact ? 4.2 * unit : 5 * unit;
  layout.gizmo = {{area.max.x - gap - gizmo, area.min.y + gap}, {area.max.x - gap, area.min.y + gap + gizmo}};
  // Margins of the inset. Left: the axis' letter and ticks; right: the slider; above: the title.
  const double left = 2.6 * theme.smallSize, right = 2.2 * unit, above = 1.9 * theme.smallSize,
               below = 2.8 * theme.smallSize;
  // In a column the text about a point (five rows), or a figure's legend, is between gizmo and section.
  constexpr double kSectionColumn = 44;  // in text sizes: a narrower page with a section has no column
  const double words = area.width() >= kSectionColumn * unit ? (page.figure ? 13 : 8) * theme.smallSize + gap : 0;
  const double room = area.height() - above - below - gizmo - words - 3 * gap;
  const double side = std::min(room, std::clamp(0.30 * std::min(area.width(), 1.6 * area.height()), 0.0, 330.0));
  if (space.slice && (!page.compact || area.width() >= 700) && side >= 8 * unit) {
    const render::Point corner{area.max.x - gap - right - side, area.max.y - gap - below - side};
    layout.inset = render::Rect{corner, {corner.x + side, corner.y + side}};
    layout.slider =
        render::Rect{{layout.inset->max.x + 0.7 * unit, corner.y}, {layout.inset->max.x + 1.7 * unit, corner.y + side}};
  }
  // A wide page has a column at its right: gizmo, text, section. On a narrow page these lie over the picture. A figure
  // that is wider than high has its legend in the column.
  const bool broad = layout.inset || (page.figure && area.width() > 1.3 * area.height());
  // A low page has more room beside the picture than below it.
  constexpr double kLowShare = 0.42;
  const bool low = layout.readOut && !layout.inset && !page.figure && area.width() >= 26 * unit &&
                   area.width() < 55 * unit && area.width() > 1.5 * area.height();
  const bool column =
      low || (area.width() >= (broad ? kSectionColumn : 55) * unit && (layout.inset || !page.figure || legend));
  const double width = layout.inset ? side + left + right + gap : low ? kLowShare * area.width() : 24 * unit;
  layout.notes = area;
  // Beside the picture the rows hide nothing; on a small page they would cover it.
  layout.rows =
      layout.legend &&
      (page.figure || space.legend.open.value_or(!page.compact || (column && !low) || area.height() >= 32 * unit));
  if (column) {
    layout.notesBelow = false;
    layout.notes = {{area.max.x - width, layout.gizmo.max.y},
                    {area.max.x, layout.inset ? layout.inset->min.y - above : area.max.y}};
    if (layout.inset || page.figure || low) layout.plot.max.x = area.max.x - width;
    // The legend is above the picture's upper left corner.
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

namespace {

using Vector = std::array<double, 3>;

constexpr int kTicks = 5;

/// Whether the face of the cube across `axis` at the side `sign` is far, so that the eye sees its inside.
bool isFar(const OrbitView& view, std::size_t axis, double sign) {
  Vector centre{};
  centre[axis] = sign;
  return sign * view.towardsEye(centre)[axis] < 0;
}

/// An edge of the cube along `axis`, at fixed signs of the other two axes.
struct Edge {
  std::size_t axis = 0;
  Vector from{}, to{};
  std::array<bool, 2> far{};  ///< whether each of its two faces is far
  bool outer() const { return far[0] != far[1]; }
  bool hidden() const { return !far[0] && !far[1]; }  ///< in front of everything
};

std::vector<Edge> edgesOf(const OrbitView& view) {
  std::vector<Edge> edges;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
    for (const double sx : {-1.0, 1.0})
      for (const double sy : {-1.0, 1.0}) {
        Edge edge;
        edge.axis = axis;
        edge.from[x] = edge.to[x] = sx;
        edge.from[y] = edge.to[y] = sy;
        edge.from[axis] = -1;
        edge.to[axis] = 1;
        edge.far = {isFar(view, x, sx), isFar(view, y, sy)};
        edges.push_back(edge);
      }
  }
  return edges;
}

render::Tube plainLine(const render::Point3& a, const render::Point3& b, render::Color color, float width) {
  render::Tube tube;
  tube.points = {a, b};
  tube.color = color;
  tube.width = width;
  tube.lit = tube.clipped = false;
  return tube;
}

/// The place of an edge on the page, and its outward direction.
struct AxisChoice {
  render::Point from, to, out;
  double length = 0;
};
std::optional<AxisChoice> placed(const OrbitView& view, const Edge& edge) {
  const auto from = view.toPage(view.toData(edge.from)), to = view.toPage(view.toData(edge.to)),
             middle = view.toPage(view.toData({0, 0, 0}));
  if (!from || !to || !middle) return std::nullopt;
  AxisChoice at{*from, *to, {}, std::hypot(to->x - from->x, to->y - from->y)};
  if (!(at.length > 1)) return at;
  at.out = {-(to->y - from->y) / at.length, (to->x - from->x) / at.length};
  const render::Point half{0.5 * (from->x + to->x) - middle->x, 0.5 * (from->y + to->y) - middle->y};
  if (at.out.x * half.x + at.out.y * half.y < 0) at.out = {-at.out.x, -at.out.y};
  return at;
}

/// The outer edge of an axis that carries its ticks: the lowest one, or for an upright axis the leftmost one.
std::optional<std::pair<Edge, AxisChoice>> tickEdge(const OrbitView& view, std::size_t axis) {
  std::optional<std::pair<Edge, AxisChoice>> best;
  double bestPlace = 0;
  for (const Edge& edge : edgesOf(view)) {
    if (edge.axis != axis || !edge.outer()) continue;
    const auto at = placed(view, edge);
    if (!at || at->length < 40) continue;
    const bool upright = std::abs(at->to.y - at->from.y) > 1.5 * std::abs(at->to.x - at->from.x);
    const double place = upright ? -(at->from.x + at->to.x) : at->from.y + at->to.y;
    if (best && place <= bestPlace) continue;
    best = {edge, *at};
    bestPlace = place;
  }
  return best;
}

render::Label label(render::Point at, const std::string& text, float size, render::Color color, render::Point out) {
  const render::AlignX x = out.x > 0.5    ? render::AlignX::Left
                           : out.x < -0.5 ? render::AlignX::Right
                                          : render::AlignX::Center;
  return textAt(at, text, size, color, x, render::AlignY::Middle);
}

}  // namespace

void addBox(render::Scene3& scene, const SpaceFrame& frame) {
  const Theme& theme = frame.theme();
  const OrbitView& view = frame.view;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Ticks ticks = makeTicks(frame.space.box.low[axis], frame.space.box.high[axis], kTicks);
    for (std::size_t face = 0; face < 3; ++face) {
      if (face == axis) continue;
      const std::size_t other = 3 - axis - face;
      for (const double sign : {-1.0, 1.0}) {
        if (!isFar(view, face, sign)) continue;
        for (const double tick : ticks.values) {
          Vector from{}, to{};
          from[face] = to[face] = sign;
          from[other] = -1;
          to[other] = 1;
          const double low = frame.space.box.low[axis], high = frame.space.box.high[axis];
          from[axis] = to[axis] = (2 * tick - low - high) / (high - low);
          scene.tubes.push_back(
              plainLine(view.toData(from), view.toData(to), tick == 0 ? theme.axisZero : faded(theme.grid, 1.4f), 1));
        }
      }
    }
  }
  for (const Edge& edge : edgesOf(view))
    scene.tubes.push_back(plainLine(view.toData(edge.from), view.toData(edge.to),
                                    edge.hidden() ? faded(theme.tick, 0.25f) : faded(theme.tick, 0.7f), 1));
}

std::vector<render::Item> spaceAxisItems(const SpaceFrame& frame) {
  const Theme& theme = frame.theme();
  std::vector<render::Item> items;
  std::vector<render::Rect> written;  // where labels of two axes meet at a corner, only the first is drawn
  const auto isFree = [&written](const render::Rect& box) {
    return std::none_of(written.begin(), written.end(), [&box](const render::Rect& other) {
      return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
    });
  };
  for (const std::size_t axis : {std::size_t{2}, std::size_t{0}, std::size_t{1}}) {
    const auto edge = tickEdge(frame.view, axis);
    if (!edge) continue;
    const auto& [of, at] = *edge;
    const double low = frame.space.box.low[axis], high = frame.space.box.high[axis];
    const int room = std::clamp(static_cast<int>(at.length / (3.2 * theme.smallSize)), 2, 6);
    const Ticks ticks = makeTicks(low, high, room);
    double widest = 0;
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
      Vector cube = of.from;
      cube[axis] = (2 * ticks.values[i] - low - high) / (high - low);
      const auto page = frame.view.toPage(frame.view.toData(cube));
      if (!page) continue;
      items.emplace_back(pageLine(*page, {page->x + 5 * at.out.x, page->y + 5 * at.out.y}, theme.tick));
      const double gap = 0.75 * theme.smallSize + 2, width = textWidth(ticks.labels[i], theme.smallSize);
      const render::Point place{page->x + gap * at.out.x, page->y + gap * at.out.y};
      render::Label text = label(place, ticks.labels[i], theme.smallSize, theme.tick, at.out);
      const double left = text.alignX == render::AlignX::Left    ? place.x
                          : text.alignX == render::AlignX::Right ? place.x - width
                                                                 : place.x - 0.5 * width;
      const render::Rect box{{left - 2, place.y - 0.6 * theme.smallSize},
                             {left + width + 2, place.y + 0.6 * theme.smallSize}};
      if (!isFree(box)) continue;
      written.push_back(box);
      items.emplace_back(std::move(text));
      widest = std::max(widest, width);
    }
    std::string name = symbolName(kSpaceAxes[axis]);
    if (ticks.offset != 0) name += " − " + tickLabel(ticks.offset, ticks.step);
    const double gap =
        1.5 * theme.smallSize + 2 + std::abs(at.out.x) * widest + std::abs(at.out.y) * 0.6 * theme.textSize;
    render::Label title =
        label({0.5 * (at.from.x + at.to.x) + gap * at.out.x, 0.5 * (at.from.y + at.to.y) + gap * at.out.y}, name,
              theme.textSize + 2, theme.text, at.out);
    title.bold = true;
    items.emplace_back(std::move(title));
  }
  return items;
}

namespace {

/// The ends of the gizmo's axes on the page, the farthest from the eye first.
struct GizmoEnd {
  int axis = 0;
  bool upper = true;
  render::Point at;
  double nearness = 0;
};
std::vector<GizmoEnd> gizmoEnds(const SpaceFrame& frame) {
  const render::Rect& box = frame.layout.gizmo;
  const render::Point centre{0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)};
  const double reach = 0.38 * box.width();
  std::vector<GizmoEnd> ends;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0})
      ends.push_back(
          {static_cast<int>(axis),
           sign > 0,
           {centre.x + sign * reach * frame.view.right()[axis], centre.y - sign * reach * frame.view.up()[axis]},
           sign * frame.view.back()[axis]});
  std::stable_sort(ends.begin(), ends.end(),
                   [](const GizmoEnd& a, const GizmoEnd& b) { return a.nearness < b.nearness; });
  return ends;
}

double gizmoBead(const SpaceFrame& frame) {
  return 0.105 * frame.layout.gizmo.width();
}

}  // namespace

std::vector<render::Item> gizmoItems(const SpaceFrame& frame) {
  const Theme& theme = frame.theme();
  const render::Rect& box = frame.layout.gizmo;
  const render::Point centre{0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)};
  const double bead = gizmoBead(frame);
  std::vector<render::Item> items;
  for (const GizmoEnd& end : gizmoEnds(frame)) {
    const bool hot = frame.page.pointer &&
                     std::hypot(frame.page.pointer->x - end.at.x, frame.page.pointer->y - end.at.y) <= bead + 2;
    const render::Color color = hot                   ? theme.accent
                                : end.nearness < -0.2 ? faded(theme.textMuted, 0.9f)
                                                      : theme.textMuted;
    if (end.upper) items.emplace_back(pageLine(centre, end.at, color, 1.5f));
    const auto size = static_cast<float>(2 * bead * (end.upper ? 1 : 0.72));
    items.emplace_back(render::Marker{end.at, render::Shape::Circle, size, end.upper ? color : theme.plotBackground,
                                      color, 1.5f, render::Space::Page});
    if (!end.upper) continue;
    render::Label letter = textAt(end.at, symbolName(kSpaceAxes[static_cast<std::size_t>(end.axis)]),
                                  static_cast<float>(std::min(1.7 * bead, 1.0 * theme.textSize)), theme.plotBackground,
                                  render::AlignX::Center);
    letter.bold = true;
    items.emplace_back(std::move(letter));
  }
  return items;
}

std::optional<std::pair<int, bool>> gizmoAt(const SpaceFrame& frame, render::Point at) {
  std::optional<std::pair<int, bool>> found;
  for (const GizmoEnd& end : gizmoEnds(frame))  // the nearest to the eye is the last
    if (std::hypot(at.x - end.at.x, at.y - end.at.y) <= gizmoBead(frame) + 2) found = {end.axis, end.upper};
  return found;
}

}  // namespace sepx::ui
