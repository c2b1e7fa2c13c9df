// SPDX-License-Identifier: Apache-2.0
// See plane_ground.h.
#include "ui/exhibits/flow/shared/plane_ground.h"

#include <algorithm>
#include <cmath>

#include "engine/markov/attention_basin.h"
#include "ui/exhibits/flow/shared/flow_axes.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kMostGroundHandles = 2000;  // more would hide the paths

render::Point middleOf(const render::Rect& box) {
  return {box.min.x + box.width() / 2, box.min.y + box.height() / 2};
}

/// Adds a handle with its ring and its name, as on the plane. `third`: its colour is that of the limit in (e, w, a).
void addHandle(std::vector<render::Item>& items, const FlowFrame& frame, const FlowPoint& point, bool start,
               bool others, bool third) {
  const render::Point at{point.e, point.w};
  if (!nearWindow(frame, at)) return;
  const Theme& theme = frame.theme;
  const float size = start ? theme.handleSize : 0.7f * theme.handleSize;
  const markov::Chain& chain = frame.state.chain;
  const render::Color fill = kindColor(theme, third ? markov::basinLabel3(chain, point.e, point.w, point.a)
                                                    : markov::basinLabel(chain, point.e, point.w));
  items.emplace_back(render::Marker{at, render::Shape::Circle, size, start ? fill : faded(fill, 0.7f),
                                    theme.plotBackground, start ? 2.0f : 1.0f});
  if (start && !frame.figure)
    items.emplace_back(render::Marker{at, render::Shape::Ring, size + 7, theme.selection, theme.selection, 2});
  if (point.name.empty() || !others) return;
  render::Label label = nameAt(frame, at, point.name, theme.text, 0.8 * size, true);
  label.bold = start;
  items.emplace_back(std::move(label));
}

}  // namespace

std::optional<std::size_t> startPoint(const FlowState& state) {
  if (state.points.empty() || !state.canonical) return std::nullopt;
  return state.selected >= 0 ? static_cast<std::size_t>(state.selected) : 0;
}

void PlaneGround::follow(const Document& document, const FlowState& state) {
  input_.follow(state);
  state_ = state;
  home_ = state.view;
  chosen_ = document.has("flow.view");
  if (!chosen_ && fitted_) state_.view = *fitted_;
}

void PlaneGround::fit(const std::optional<render::Rect>& box) {
  if (input_.held() >= 0) return;
  fitted_ = box;
  if (!chosen_) state_.view = fitted_.value_or(home_);
}

render::Rect PlaneGround::around(render::Point start, const std::vector<render::Point>& places) {
  constexpr double kNear = 3, kNarrowest = 0.4, kPad = 0.12, kSteps = 10;
  render::Rect box{start, start};
  for (const render::Point& at : places) {
    if (!(std::abs(at.x - start.x) <= kNear && std::abs(at.y - start.y) <= kNear)) continue;
    box = {{std::min(box.min.x, at.x), std::min(box.min.y, at.y)},
           {std::max(box.max.x, at.x), std::max(box.max.y, at.y)}};
  }
  const double span = (1 + 2 * kPad) * std::max({box.width(), box.height(), kNarrowest});
  const double step = roundStep(span / kSteps);
  const auto side = [&](double low, double high) {
    const double middle = low + (high - low) / 2;
    return std::pair(std::floor((middle - span / 2) / step) * step, std::ceil((middle + span / 2) / step) * step);
  };
  const auto [left, right] = side(box.min.x, box.max.x);
  const auto [bottom, top] = side(box.min.y, box.max.y);
  return boundedWindow({{left, bottom}, {right, top}}, {{-2, -2}, {2, 2}});
}

FlowLayout PlaneGround::layoutIn(const ViewPlace& place, bool compact) {
  FlowLayout layout;
  const Margins m = axisMargins(place.theme, false);
  const render::Rect& box = place.box;
  layout.width = box.max.x;
  layout.height = box.max.y;
  layout.plot = {{box.min.x + m.left, box.min.y + m.top}, {box.max.x - m.right, box.max.y - m.bottom}};
  layout.plot.max.x = std::max(layout.plot.max.x, layout.plot.min.x + 20);
  layout.plot.max.y = std::max(layout.plot.max.y, layout.plot.min.y + 20);
  layout.compact = compact;
  layout.legend = false;
  return layout;
}

Cursor PlaneGround::input(const FlowLayout& layout, ExhibitContext& context, const InputEvent& event) {
  input_.handle(event, state_, layout, context);
  return input_.cursor(state_, layout);
}

void PlaneGround::update(const FlowLayout& layout, ExhibitContext& context) {
  basins_.refresh(context.jobs);
  const FlowState& state = state_;
  if (!state.canonical || state.degenerate() || !state.showBasin || bare_) {
    basins_.clear();
    return;
  }
  const Request wanted{state.chain.p, state.chain.q, state.view, static_cast<int>(layout.plot.width()),
                       static_cast<int>(layout.plot.height())};
  basins_.request(context.jobs, wanted, tr("basins"), [&pool = context.pool](const Request& request, auto&) {
    const dynamics::BasinWindow window{request.view.min.x, request.view.max.x, request.view.min.y,
                                       request.view.max.y, request.width,      request.height};
    return std::make_shared<const dynamics::BasinMap>(markov::exactBasinMap({request.p, request.q}, window, pool));
  });
}

FlowFrame PlaneGround::flowFrame(const FlowResults& results, const ViewPlace& place, const FlowLayout& layout) const {
  return {state_, results,       place.theme, layout, input_.pointer(layout), std::optional<double>(),
          0.0,    input_.held(), place.figure};
}

View PlaneGround::view(const FlowPageFrame& frame, std::string name, std::uint64_t of, DrawPlane draw,
                       bool clipped) const {
  const render::Rect& window = state_.view;
  PictureContent picture;
  picture.of = Digest().add(of, window, state_.chain.p, state_.chain.q).value();
  picture.draw = [this, &results = frame.shared.results, compact = frame.compact,
                  draw = std::move(draw)](const ViewPlace& place) {
    const FlowLayout layout = layoutIn(place, compact);
    return draw(flowFrame(results, place, layout));
  };
  picture.clipped = clipped;
  return {std::move(name), std::move(picture)};
}

std::vector<View> PlaneGround::below(const FlowPageFrame& frame) const {
  std::vector<View> views;
  if (const BasinMapPointer* const made = basins_.result())
    views.push_back(view(frame, "basins", basins_.revision(), [map = *made](const FlowFrame& plane) {
      return std::vector<render::Item>{
          labelMapOf(map->window, {map, &map->labels}, basinPalette(plane.theme), basinHatch())};
    }));
  views.push_back(view(frame, "grid", 0, gridItems));
  if (state_.showCritical && !bare_) views.push_back(view(frame, "critical", 0, criticalItems));
  if (state_.showSeparatrix && !bare_) views.push_back(view(frame, "separatrix", 0, separatrixItems));
  return views;
}

std::vector<View> PlaneGround::above(const FlowPageFrame& frame, int start) const {
  const std::vector<FlowPoint>& points = state_.points;
  Digest of;
  of.add(start, points.size());
  for (std::size_t i = 0; i < points.size() && i < kMostGroundHandles; ++i)
    of.add(points[i].e, points[i].w, bare_ ? points[i].a : 0.0, points[i].name);
  const auto handles = [this, start](const FlowFrame& plane) {
    std::vector<render::Item> items;
    const std::vector<FlowPoint>& all = state_.points;
    const std::size_t count = std::min(all.size(), kMostGroundHandles);
    for (std::size_t i = 0; i < count; ++i)
      if (static_cast<int>(i) != start) addHandle(items, plane, all[i], false, count <= 12, bare_);
    if (start >= 0) addHandle(items, plane, all[static_cast<std::size_t>(start)], true, true, bare_);
    return items;
  };
  return {view(frame, "axes", 0, axisItems, false), view(frame, "points", of.value(), handles)};
}

void zoomPlane(const FlowState& state, const Camera& camera, const std::optional<render::Point>& pointer,
               ExhibitContext& context, double factor) {
  const Camera next = zoomed(camera, pointer.value_or(middleOf(camera.plot)), factor);
  context.editor.replace(withView(context.editor.document(), state, next.window));
}

FlowPoint placeIn(const Camera& camera, const std::optional<render::Point>& pointer) {
  const render::Point at = tidied(camera, toData(camera, pointer.value_or(middleOf(camera.plot))));
  return {at.x, at.y, ""};
}

std::vector<std::pair<std::string, std::string>> PlaneGround::gestures() {
  return {{tr("drag a point"), tr("move the initial point; Shift snaps")},
          {tr("click a point"), tr("use it as the initial point")},
          {tr("drag the plane"), tr("pan")},
          {tr("wheel"), tr("zoom about the pointer")},
          {tr("double-click"), tr("add a point")},
          {tr("arrow keys"), tr("nudge the selected point")}};
}

}  // namespace sepx::ui
