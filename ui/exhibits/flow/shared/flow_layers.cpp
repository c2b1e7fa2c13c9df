// SPDX-License-Identifier: Apache-2.0
// The layers that show data: loss, basins, arrows, exact sets, cloud, paths, limits, handles. Pure functions of a
// frame. The positions in the items are always finite.
#include "ui/exhibits/flow/shared/flow_layers.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_axes.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/color_text.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;

constexpr std::size_t kMostMarkers = 5000;

}  // namespace

std::vector<render::Point> asPoints(const std::vector<markov::PlanePoint>& points) {
  std::vector<render::Point> result;
  result.reserve(points.size());
  for (const markov::PlanePoint& point : points)
    result.push_back({point.e, point.w});
  return result;
}

markov::CriticalSets criticalSetsOf(const FlowState& state) {
  const render::Rect& v = state.view;
  return markov::criticalSets(state.chain, v.min.x, v.max.x, v.min.y, v.max.y, 512);
}

render::LabelMap labelMapOf(const dynamics::BasinWindow& window,
                            std::shared_ptr<const std::vector<std::uint8_t>> labels, std::vector<render::Color> palette,
                            std::vector<std::uint8_t> hatch) {
  return {{{window.xMin, window.yMin}, {window.xMax, window.yMax}},
          window.width,
          window.height,
          std::move(labels),
          std::move(palette),
          std::move(hatch)};
}

std::vector<render::Color> basinPalette(const Theme& theme) {
  std::vector<render::Color> palette{render::Color{0, 0, 0, 0}};
  for (const LimitKind kind : {LimitKind::GlobalMin, LimitKind::LocalMin, LimitKind::Saddle, LimitKind::LocalMax})
    palette.push_back(faded(kindColor(theme, kind), theme.basinOpacity));
  const render::Color attractors[] = {theme.globalMin, theme.localMin, theme.attractor, theme.saddle, theme.localMax};
  for (const render::Color color : attractors)
    palette.push_back(faded(color, theme.basinOpacity));
  return palette;
}

// By label. The basin of the local minima is hatched; among the attractors, successive hatches differ.
std::vector<std::uint8_t> basinHatch() {
  return {0, 0, 1, 3, 3, 0, 1, 2, 3, 1};
}

render::Color kindColor(const Theme& theme, LimitKind kind) {
  switch (kind) {
    case LimitKind::GlobalMin:
      return theme.globalMin;
    case LimitKind::LocalMin:
      return theme.localMin;
    case LimitKind::Saddle:
      return theme.saddle;
    case LimitKind::LocalMax:
      return theme.localMax;
    case LimitKind::Attractor:
      return theme.attractor;
    default:
      return theme.undecided;
  }
}

render::Shape kindShape(LimitKind kind) {
  switch (kind) {
    case LimitKind::GlobalMin:
      return render::Shape::Circle;
    case LimitKind::LocalMin:
      return render::Shape::Square;
    case LimitKind::Saddle:
      return render::Shape::Diamond;
    case LimitKind::LocalMax:
      return render::Shape::Triangle;
    case LimitKind::Attractor:
      return render::Shape::Circle;
    default:
      return render::Shape::Cross;
  }
}

std::vector<render::Item> lossItems(const FlowFrame& frame) {
  const LossPicture* const loss = frame.results.loss();
  if (!loss) return {};
  render::Heatmap heat;
  heat.extent = loss->extent;
  heat.width = loss->width;
  heat.height = loss->height;
  heat.values = loss->values;
  heat.map = lossMap(frame);
  heat.opacity = lossOpacity(frame.theme);
  return {heat};
}

std::vector<render::Item> basinItems(const FlowFrame& frame) {
  const BasinPicture& basin = frame.results.basin();
  const BasinMapPointer& map = basin.exact ? basin.exact : basin.fine ? basin.fine : basin.integrated;
  if (!map) return {};
  std::vector<render::Color> palette = basinPalette(frame.theme);
  if (frame.state.showLoss && frame.state.color == PlaneColor::Basin)  // the plane is coloured by the basins alone
    for (render::Color& color : palette)
      color.a = std::min(1.0f, 2.2f * color.a);
  return {labelMapOf(map->window, {map, &map->labels}, std::move(palette), basinHatch())};
}

std::vector<render::Item> disagreementItems(const FlowFrame& frame) {
  const BasinPicture& basin = frame.results.basin();
  if (!basin.differs || basin.disagreements.value_or(0) == 0) return {};
  return {labelMapOf(basin.integrated->window, basin.differs, {render::Color{0, 0, 0, 0}, frame.theme.error}, {0, 0})};
}

std::vector<render::Item> arrowItems(const FlowFrame& frame) {
  constexpr double kSpacing = 38, kLength = 15, kBarb = 4.5;
  const Camera camera = frame.camera();
  const render::Rect& plot = camera.plot;
  const int columns = std::max(1, static_cast<int>(plot.width() / kSpacing));
  const int rows = std::max(1, static_cast<int>(plot.height() / kSpacing));
  std::vector<render::Item> items;
  dynamics::State x(2);
  for (int i = 0; i < rows * columns; ++i) {
    const render::Point at{plot.min.x + (i % columns + 0.5) * plot.width() / columns,
                           plot.min.y + (i / columns + 0.5) * plot.height() / rows};
    const render::Point data = toData(camera, at);
    x << data.x, data.y;
    const dynamics::State f = frame.state.field->evaluate(x, frame.state.parameters);
    // The direction on the page: components in points, y down.
    const double dx = f[0] / camera.window.width() * plot.width(), dy = -f[1] / camera.window.height() * plot.height();
    const double length = std::hypot(dx, dy);
    if (!std::isfinite(length) || length < 1e-12) continue;
    const double ux = dx / length, uy = dy / length;
    const render::Point tip{at.x + ux * kLength / 2, at.y + uy * kLength / 2};
    const render::Point tail{at.x - ux * kLength / 2, at.y - uy * kLength / 2};
    const render::Point left{tip.x - kBarb * (ux + 0.6 * uy), tip.y - kBarb * (uy - 0.6 * ux)};
    const render::Point right{tip.x - kBarb * (ux - 0.6 * uy), tip.y - kBarb * (uy + 0.6 * ux)};
    items.push_back(render::Polyline{{tail, tip, left, tip, right},
                                     {faded(frame.theme.text, 0.45f), 1, render::Dash::Solid},
                                     {},
                                     render::Space::Page});
  }
  return items;
}

namespace {

render::Marker glyph(const FlowFrame& frame, render::Point at, LimitKind kind, float size) {
  return {at, kindShape(kind), size, kindColor(frame.theme, kind), frame.theme.plotBackground, 1.5f};
}

/// p + q = 1: S* = 0, so every point of e = 0 and of w = -1/sqrt 2 is a minimum (Theorems 1 and 8 exclude this case).
std::vector<render::Item> degenerateItems(const FlowFrame& frame) {
  const render::Rect& v = frame.state.view;
  const render::Stroke stroke{frame.theme.globalMin, frame.theme.strongLine, render::Dash::Solid};
  const double w = -1 / std::sqrt(2.0);
  std::vector<render::Item> items;
  addLine(items, {{0, v.min.y}, {0, v.max.y}}, stroke, frame);
  addLine(items, {{v.min.x, w}, {v.max.x, w}}, stroke, frame);
  return items;
}

std::vector<render::Item> fixedPointItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  for (const dynamics::FixedPoint& fixed : frame.state.field->fixedPoints(frame.state.parameters)) {
    const render::Point at{fixed.x[0], fixed.x[1]};
    if (nearWindow(frame, at)) items.push_back(glyph(frame, at, fixed.kind, 11));
  }
  return items;
}

}  // namespace

std::vector<render::Item> criticalItems(const FlowFrame& frame) {
  if (!frame.state.canonical) return fixedPointItems(frame);
  if (frame.state.degenerate()) return degenerateItems(frame);
  const markov::CriticalSets sets = criticalSetsOf(frame.state);
  std::vector<render::Item> items;
  for (const markov::Curve& curve : sets.curves) {
    const render::Dash dash = curve.kind == LimitKind::GlobalMin  ? render::Dash::Solid
                              : curve.kind == LimitKind::LocalMin ? render::Dash::Dashed
                                                                  : render::Dash::Dotted;
    const float width = frame.theme.strongLine + (dash == render::Dash::Dotted ? 1.0f : 0.5f);
    addLine(items, asPoints(curve.points), {kindColor(frame.theme, curve.kind), width, dash}, frame);
  }
  const render::Point saddle{sets.saddle.e, sets.saddle.w};
  if (nearWindow(frame, saddle)) items.push_back(glyph(frame, saddle, LimitKind::Saddle, 12));
  return items;
}

std::vector<render::Item> separatrixItems(const FlowFrame& frame) {
  if (!frame.state.canonical || frame.state.degenerate()) return {};
  std::vector<render::Item> items;
  for (const markov::Curve& curve : criticalSetsOf(frame.state).separatrix)
    addLine(items, asPoints(curve.points), {frame.theme.separatrix, frame.theme.lineWidth, render::Dash::Solid}, frame);
  return items;
}

std::vector<render::Item> cloudItems(const FlowFrame& frame) {
  const std::shared_ptr<const Cloud>& cloud = frame.results.cloud();
  if (!cloud) return {};
  std::vector<render::Item> items;
  const std::size_t step = std::max<std::size_t>(1, (cloud->points.size() + kMostMarkers - 1) / kMostMarkers);
  for (std::size_t i = 0; i < cloud->points.size(); i += step) {
    if (!nearWindow(frame, cloud->points[i])) continue;
    const LimitKind kind = cloud->kinds[i];
    const render::Color color = kindColor(frame.theme, kind);
    items.push_back(render::Marker{cloud->points[i], kindShape(kind), 5.5f, color, frame.theme.plotBackground, 1.25f});
  }
  return items;
}

namespace {

/// Opacity along a path. It increases towards the end; with a moving head, it decreases behind the head instead and is
/// low ahead of it.
std::vector<double> pathFade(const FlowFrame& frame, const PointResult& point) {
  const std::size_t count = point.path.size();
  std::vector<double> fade(count, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1;
    fade[i] = 0.45 + 0.55 * share;
    if (!frame.headTime) continue;
    const auto head = std::upper_bound(point.time.begin(), point.time.end(), *frame.headTime) - point.time.begin();
    const double behind = static_cast<double>(head) - static_cast<double>(i);
    fade[i] = behind < 0 ? 0.4 : std::max(0.4, 1 - behind / (0.35 * static_cast<double>(count)));
  }
  return fade;
}

}  // namespace

std::vector<render::Item> pathItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  for (std::size_t i = 0; i < frame.results.points(); ++i) {
    if (!frame.draws(i) || i >= frame.state.points.size() || !hasPath(frame.state, i)) continue;
    const PointResult& point = frame.results.point(i);
    const bool selected = static_cast<int>(i) == frame.marked();
    const render::Color plain = selected ? frame.theme.selection : frame.theme.text;
    const render::Stroke stroke{ownColor(frame.state.points[i]).value_or(plain),
                                selected ? frame.theme.strongLine + 1 : frame.theme.lineWidth + 0.5f,
                                render::Dash::Solid};
    addLine(items, point.path, stroke, frame, pathFade(frame, point));
  }
  return items;
}

std::vector<render::Item> limitItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  for (std::size_t i = 0; i < frame.results.points(); ++i) {
    if (!frame.draws(i) || !hasPath(frame.state, i)) continue;
    const PointResult& point = frame.results.point(i);
    if (point.limit && nearWindow(frame, *point.limit))
      items.push_back(glyph(frame, *point.limit, point.limitKind, 10));
  }
  return items;
}

std::vector<render::Item> headItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  if (!frame.headTime) return items;
  for (std::size_t i = 0; i < frame.results.points(); ++i) {
    if (!frame.draws(i) || !hasPath(frame.state, i)) continue;
    const PointResult& point = frame.results.point(i);
    if (point.path.empty()) continue;
    const render::Point at = headAt(point, *frame.headTime);
    if (!nearWindow(frame, at)) continue;
    const bool selected = static_cast<int>(i) == frame.marked();
    items.push_back(render::Marker{at, render::Shape::Circle, 9, selected ? frame.theme.selection : frame.theme.text,
                                   frame.theme.plotBackground, 1.5f});
  }
  return items;
}

namespace {

/// If the selected point is outside the window, adds an arrow at the edge that points to it.
void addEdgeArrow(const FlowFrame& frame, const FlowPoint& place, std::vector<render::Item>& items) {
  constexpr double kInside = 16, kLength = 9, kHalf = 7;
  const render::Rect& plot = frame.layout.plot;
  const render::Point at = toPage(frame.camera(), {place.e, place.w});
  if (plot.contains(at) || plot.width() < 4 * kInside || plot.height() < 4 * kInside) return;
  const render::Point edge{std::clamp(at.x, plot.min.x + kInside, plot.max.x - kInside),
                           std::clamp(at.y, plot.min.y + kInside, plot.max.y - kInside)};
  const double length = std::hypot(at.x - edge.x, at.y - edge.y);
  if (!std::isfinite(length) || length == 0) return;
  const double ux = (at.x - edge.x) / length, uy = (at.y - edge.y) / length;
  const std::vector<render::Point> arrow{{edge.x + kLength * ux, edge.y + kLength * uy},
                                         {edge.x - kHalf * uy, edge.y + kHalf * ux},
                                         {edge.x + kHalf * uy, edge.y - kHalf * ux}};
  std::vector<render::Point> outline = arrow;
  outline.push_back(arrow.front());
  items.push_back(render::Fill{arrow, frame.theme.accent, render::Space::Page});
  items.push_back(render::Polyline{
      std::move(outline), {frame.theme.plotBackground, 1.5f, render::Dash::Solid}, {}, render::Space::Page});
  if (place.name.empty()) return;
  render::Label label = textAt({edge.x - 12 * ux, edge.y - 12 * uy}, place.name, frame.theme.smallSize,
                               frame.theme.text, render::AlignX::Center);
  label.bold = true;
  label.backdrop = faded(frame.theme.surface, 0.75f);
  items.push_back(std::move(label));
}

/// With many points, handles are smaller, and names are left out because they would hide the points.
constexpr std::size_t kMostNames = 60, kManyHandles = 500, kMostHandles = 5000;

float handleSize(const FlowFrame& frame, std::size_t index) {
  const std::size_t count = frame.state.points.size();
  if (static_cast<int>(index) == frame.held) return frame.theme.handleSize + 2;
  if (count <= kManyHandles || static_cast<int>(index) == frame.marked()) return frame.theme.handleSize;
  return frame.theme.handleSize * (count <= kMostHandles ? 0.55f : 0.4f);
}

}  // namespace

std::optional<render::Color> ownColor(const FlowPoint& point) {
  const std::optional<Rgb> color = point.color.empty() ? std::nullopt : rgbOf(point.color);
  if (!color) return std::nullopt;
  return render::Color{(*color)[0], (*color)[1], (*color)[2], 1};
}

std::vector<render::Item> handleItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
    if (!frame.draws(i)) continue;
    const FlowPoint& place = frame.state.points[i];
    const render::Point at{place.e, place.w};
    const bool selected = static_cast<int>(i) == frame.marked();
    if (selected) addEdgeArrow(frame, place, items);
    if (!nearWindow(frame, at)) continue;
    const float size = handleSize(frame, i);
    const render::Color color = ownColor(place).value_or(kindColor(frame.theme, frame.results.point(i).kind));
    items.push_back(render::Marker{at, render::Shape::Circle, size, color, frame.theme.plotBackground,
                                   size < frame.theme.handleSize ? 1.0f : 2.0f});
    if (selected)
      items.push_back(
          render::Marker{at, render::Shape::Ring, size + 7, frame.theme.selection, frame.theme.selection, 2});
    if (place.name.empty() || (frame.state.points.size() > kMostNames && !selected)) continue;
    render::Label label = nameAt(frame, at, place.name, frame.theme.text, size / 2 + 6, true);
    label.bold = true;
    items.push_back(label);
  }
  return items;
}

}  // namespace sepx::ui
