// SPDX-License-Identifier: Apache-2.0
// The gestures of the space page. Camera and selection are replaced (not undoable); points and planes are committed in
// groups.
#include "ui/exhibits/flow/space/space_input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWheel = 1.15;  // zoom of a notch
constexpr double kOutermost = 1e9;
constexpr double kKeyTurn = 12;  // points of a drag that an arrow key turns by
constexpr const char* kSliceGroup = "flow.space.slice";

std::string moveLabel(const FlowState& flow, std::size_t index) {
  const std::string& name = flow.points[index].name;
  return name.empty() ? std::string(tr("move point")) : std::string(tr("move point")) + " " + name;
}

/// To a short number: two digits below what a point of the page spans.
double shortened(double value, double perPoint) {
  if (!(perPoint > 0) || !std::isfinite(value)) return value;
  const double power = std::pow(10.0, std::clamp(1 - std::floor(std::log10(perPoint)), -300.0, 300.0));
  const double rounded = std::round(value * power) / power;
  return std::isfinite(rounded) ? rounded + 0.0 : value;
}

double stepOf(const SpaceFrame& frame, std::size_t axis) {
  return makeTicks(frame.space.box.low[axis], frame.space.box.high[axis], 10).step;
}

markov::Place3 placeOf3(const render::Point3& at) {
  return {at.x, at.y, at.z};
}

}  // namespace

Cursor SpaceInput::handle(const InputEvent& event, const SpaceFrame& frame, ExhibitContext& context) {
  dispatch(event, frame, context);
  hot_ = held_ ? held_ : at_ ? under(*at_, frame) : std::nullopt;
  return cursor(frame);
}

std::optional<SpaceHandle> SpaceInput::under(render::Point at, const SpaceFrame& frame) const {
  const bool inset = frame.layout.inset && frame.layout.slider && at.x >= frame.layout.inset->min.x &&
                     at.x <= frame.layout.slider->max.x && at.y >= frame.layout.inset->min.y - kReach &&
                     at.y <= frame.layout.inset->max.y + kReach;
  if (inset && at.x >= frame.layout.slider->min.x)
    return SpaceHandle{SpaceHandle::Kind::Slice, frame.space.section.axis, at, {}, 0};
  const std::vector<SpaceHandle> all = inset ? insetHandles(frame) : spaceHandles(frame);
  std::vector<Handle> handles;
  for (std::size_t i = 0; i < all.size(); ++i)
    handles.push_back({static_cast<int>(i), all[i].at});
  const std::optional<int> found = pick(handles, at);
  if (!found) return std::nullopt;
  return all[static_cast<std::size_t>(*found)];
}

Cursor SpaceInput::cursor(const SpaceFrame& frame) const {
  if (grip_ == Grip::Point || grip_ == Grip::Axis || grip_ == Grip::Inset) return Cursor::Move;
  if (grip_ == Grip::Orbit || grip_ == Grip::Pan) return dragging_ ? Cursor::Move : Cursor::Arrow;
  if (grip_ != Grip::None || hot_) return Cursor::Hand;
  if (!at_) return Cursor::Arrow;
  if (gizmoAt(frame, *at_)) return Cursor::Hand;
  if (const auto legend = spaceLegendBox(frame); legend && legend->contains(*at_)) return Cursor::Hand;
  return frame.layout.inset && frame.layout.inset->contains(*at_) ? Cursor::Cross : Cursor::Arrow;
}

void SpaceInput::moved(render::Point at, Modifiers modifiers, const SpaceFrame& frame, ExhibitContext& context) {
  const render::Point before = std::exchange(at_, at).value_or(at);
  left_ = false;
  if (grip_ == Grip::None || grip_ == Grip::Held || !drag_) return;
  if (!dragging_ && !drag_->beyond(at, kPointerTolerance)) return;
  const render::Point from = dragging_ ? before : clicks_.at();
  dragging_ = true;
  if (grip_ == Grip::Orbit) {
    context.editor.replace(
        withCamera(context.editor.document(), turned(frame.space.camera, at.x - from.x, at.y - from.y)));
  } else if (grip_ == Grip::Pan) {
    context.editor.replace(withCamera(context.editor.document(), frame.view.panned(at.x - from.x, at.y - from.y)));
  } else if (grip_ == Grip::Legend) {
    dragLegend(at, frame, context);
  } else {
    drag(at, modifiers.shift, frame, context);
  }
}

void SpaceInput::dragLegend(render::Point at, const SpaceFrame& frame, ExhibitContext& context) {
  const render::Point shares = spaceLegendShares(frame, {at.x - legendGrip_.x, at.y - legendGrip_.y});
  context.editor.replace(withSpaceLegendAt(context.editor.document(), shares.x, shares.y));
}

void SpaceInput::take(Grip grip, const SpaceHandle& handle, render::Point at, ExhibitContext& context) {
  grip_ = grip;
  held_ = handle;
  heldAt_ = placeOf3(handle.data);
  drag_.emplace(handle.at, at);
  context.editor.seal();
}

void SpaceInput::pressed(const PointerPressed& event, render::Point at, bool twice, const SpaceFrame& frame,
                         ExhibitContext& context) {
  heldOf_ = frame.flow.points.size();
  if (!frame.page.area.contains(at)) return;
  if (event.button != Button::Left) {
    grip_ = Grip::Pan;
    drag_.emplace(at, at);
    return;
  }
  if (pressedGizmo(at, frame, context)) return;
  const std::optional<SpaceHandle> handle = under(at, frame);
  const std::optional<render::Rect> legend = spaceLegendBox(frame);
  if (!handle && legend && legend->contains(at)) {
    grip_ = Grip::Legend;
    legendGrip_ = {at.x - legend->min.x, at.y - legend->min.y};
    drag_.emplace(at, at);
    return;
  }
  const bool inset = frame.layout.inset && frame.layout.inset->contains(at);
  if (!handle && inset) {
    pressedInset(at, twice, frame, context);
    return;
  }
  if (!handle) {
    if (twice) context.editor.replace(withoutCamera(context.editor.document()));
    grip_ = event.modifiers.shift ? Grip::Pan : Grip::Orbit;
    drag_.emplace(at, at);
    return;
  }
  const bool slider = handle->kind == SpaceHandle::Kind::Slice && frame.layout.slider &&
                      at.x >= frame.layout.slider->min.x && at.y >= frame.layout.slider->min.y - kReach;
  const Grip grip = handle->kind == SpaceHandle::Kind::Point  ? (inset ? Grip::Inset : Grip::Point)
                    : handle->kind == SpaceHandle::Kind::Axis ? Grip::Axis
                    : handle->kind == SpaceHandle::Kind::Clip ? Grip::Clip
                    : slider                                  ? Grip::Slider
                                                              : Grip::Slice;
  take(grip, *handle, at, context);
  if (grip == Grip::Axis) heldAt_ = placeOf(frame.flow.points[static_cast<std::size_t>(frame.flow.selected)]);
  if (grip == Grip::Slider) {
    dragging_ = true;
    drag(at, event.modifiers.shift, frame, context);
  }
  if (handle->kind == SpaceHandle::Kind::Point && handle->index != frame.flow.selected)
    context.editor.replace(withSelected(context.editor.document(), handle->index));
}

bool SpaceInput::pressedGizmo(render::Point at, const SpaceFrame& frame, ExhibitContext& context) {
  const auto end = gizmoAt(frame, at);
  if (!end) return false;
  context.editor.replace(withCamera(context.editor.document(), alongAxis(frame.space.camera, end->first, end->second)));
  grip_ = Grip::Held;
  return true;
}

/// Twice on the section: a point there.
void SpaceInput::pressedInset(render::Point at, bool twice, const SpaceFrame& frame, ExhibitContext& context) {
  grip_ = Grip::Held;
  if (!twice) return;
  const Camera camera = insetCamera(frame);
  const render::Point data = tidied(camera, toData(camera, at));
  const markov::Place3 place = frame.space.section.place(data.x, data.y);
  const Document& now = context.editor.document();
  commitStep(context, withNewPoint(now, place[0], place[1], place[2]), tr("add point") + (" " + nextPointName(now)));
}

void SpaceInput::movePoint(std::size_t index, const markov::Place3& to, const SpaceFrame& frame,
                           ExhibitContext& context, const std::string& group) {
  const auto inside = [](double value) { return std::clamp(value, -kOutermost, kOutermost); };
  heldAt_ = {inside(to[0]), inside(to[1]), inside(to[2])};
  context.editor.commit(withPoint(context.editor.document(), index, heldAt_[0], heldAt_[1], heldAt_[2]),
                        moveLabel(frame.flow, index), group);
  changed_ = true;
}

void SpaceInput::drag(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context) {
  if (grip_ == Grip::Point || grip_ == Grip::Axis || grip_ == Grip::Inset)
    dragPoint(at, snap, frame, context);
  else
    dragPlane(at, snap, frame, context);
}

void SpaceInput::dragPoint(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context) {
  const auto index = static_cast<std::size_t>(grip_ == Grip::Axis ? frame.flow.selected : held_->index);
  if (index >= frame.flow.points.size()) return;
  const markov::Place3 from = placeOf(frame.flow.points[index]);
  const render::Point page = drag_->at(at);
  std::array<bool, 3> moves{true, true, true};
  markov::Place3 to = from;
  if (grip_ == Grip::Inset) {
    const Camera camera = insetCamera(frame);
    const render::Point data = tidied(camera, toData(camera, page));
    const markov::SectionPlane& plane = frame.space.section;
    to[plane.x()] = data.x;
    to[plane.y()] = data.y;
    moves[plane.across()] = false;
  } else if (grip_ == Grip::Axis) {
    const auto axis = static_cast<std::size_t>(held_->index);
    const auto there = frame.view.onAxis(page, held_->data, held_->index);
    if (!there) return;
    // The arrow's end is what is held: the point follows by as much. Its own place is that of the press.
    to[axis] = numberAt(before_, pointKey(index, kSpaceAxes[axis]), 0);
    to[axis] += placeOf3(*there)[axis] - placeOf3(held_->data)[axis];
    moves = {axis == 0, axis == 1, axis == 2};
  } else {
    to = placeOf3(frame.view.atDepth(page, held_->depth));
    // In a view along an axis the coordinate along it stays to the last digit.
    if (const auto along = lookedAlong(frame.space.camera)) moves[static_cast<std::size_t>(*along)] = false;
  }
  const double perPoint = 1 / frame.view.scaleAt(std::max(held_->depth, 1e-3));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double half = 0.5 * (frame.space.box.high[axis] - frame.space.box.low[axis]), step = stepOf(frame, axis);
    if (!moves[axis])
      to[axis] = from[axis];
    else
      to[axis] = snap ? std::round(to[axis] / step) * step + 0.0 : shortened(to[axis], half * perPoint);
  }
  movePoint(index, to, frame, context, "flow.drag." + std::to_string(index));
}

void SpaceInput::dragPlane(render::Point at, bool snap, const SpaceFrame& frame, ExhibitContext& context) {
  const auto axis = static_cast<std::size_t>(held_->index);
  const double low = frame.space.box.low[axis], high = frame.space.box.high[axis];
  double value = 0;
  if (grip_ == Grip::Slider) {
    value = sliderValue(frame, at.y);
  } else {
    const auto there = frame.view.onAxis(drag_->at(at), held_->data, held_->index);
    if (!there) return;
    value = placeOf3(*there)[axis];
  }
  const double step = stepOf(frame, axis);
  value = snap ? std::round(value / step) * step + 0.0 : shortened(value, (high - low) / 400);
  value = std::clamp(value, low, high);
  if (grip_ == Grip::Clip)
    context.editor.commit(withClip(context.editor.document(), axis, value), tr("move a clip plane"), "flow.space.clip");
  else
    context.editor.commit(withSlice(context.editor.document(), held_->index, value), tr("move the slice plane"),
                          kSliceGroup);
  changed_ = true;
}

void SpaceInput::released(const SpaceFrame& frame, ExhibitContext& context) {
  if (grip_ == Grip::None) return;
  const bool click = grip_ == Grip::Orbit && !dragging_;
  if (grip_ == Grip::Legend && !dragging_)
    context.editor.replace(withSpaceLegendOpen(context.editor.document(), !frame.layout.rows));
  if (std::exchange(left_, false)) at_.reset();
  if (click && frame.flow.selected >= 0) context.editor.replace(withSelected(context.editor.document(), -1));
  if (changed_) context.editor.seal();
  if (dragging_) clicks_.forget();  // a drag is not half of a double click
  letGo();
}

void SpaceInput::letGo() {
  grip_ = Grip::None;
  held_.reset();
  drag_.reset();
  before_ = {};
  dragging_ = changed_ = false;
}

void SpaceInput::follow(const FlowState& flow) {
  if (grip_ != Grip::Point && grip_ != Grip::Axis && grip_ != Grip::Inset) return;
  const auto index = static_cast<std::size_t>(grip_ == Grip::Axis ? std::max(flow.selected, 0) : held_->index);
  const bool there = flow.points.size() == heldOf_ && index < heldOf_ && placeOf(flow.points[index]) == heldAt_;
  if (!there) letGo();
}

/// Escape: what the grip has changed is as it was, and there is no undo step of it.
void SpaceInput::takeBack(ExhibitContext& context) {
  const Document& now = context.editor.document();
  const auto asBefore = [&](const std::string& path) {
    return before_.has(path) ? now.with(path, before_.at(path)) : now.without(path);
  };
  if (grip_ == Grip::Legend && dragging_ && now.has("flow.space.legend"))
    context.editor.replace(asBefore("flow.space.legend"));
  if (!changed_) {
    letGo();
    return;
  }
  const bool plane = grip_ == Grip::Slice || grip_ == Grip::Slider || grip_ == Grip::Clip;
  const auto index =
      held_->kind == SpaceHandle::Kind::Point ? held_->index : context.editor.document().at("flow.selected").get<int>();
  const std::string path = grip_ == Grip::Clip ? "flow.space.clip"
                           : plane             ? "flow.space.slice"
                                               : "flow.points[" + std::to_string(index) + "]";
  const std::string group = grip_ == Grip::Clip ? "flow.space.clip"
                            : plane             ? kSliceGroup
                                                : "flow.drag." + std::to_string(index);
  context.editor.commit(asBefore(path), plane ? tr("move the slice plane") : tr("move point"), group);
  context.editor.seal();
  letGo();
}

void SpaceInput::scrolled(const Scrolled& event, const SpaceFrame& frame, ExhibitContext& context) {
  if (!at_ || event.dy == 0 || !frame.page.area.contains(*at_)) return;
  const double notches = std::clamp(event.dy, -20.0, 20.0);
  if (frame.layout.inset && frame.layout.slider && at_->x >= frame.layout.inset->min.x &&
      at_->y >= frame.layout.inset->min.y) {
    const std::size_t axis = frame.space.section.across();
    const double low = frame.space.box.low[axis], high = frame.space.box.high[axis];
    const double to = shortened(frame.space.section.at + notches * (high - low) / 80, (high - low) / 400);
    context.editor.commit(withSlice(context.editor.document(), frame.space.section.axis, std::clamp(to, low, high)),
                          tr("move the slice plane"), kSliceGroup);
    return;
  }
  context.editor.replace(withCamera(context.editor.document(), nearer(frame.space.camera, std::pow(kWheel, notches))));
}

void SpaceInput::key(const KeyPressed& event, const SpaceFrame& frame, ExhibitContext& context) {
  if (event.key == Key::Escape && event.down && grip_ != Grip::None) takeBack(context);
  const std::optional<std::array<int, 3>> direction = directionOf(event.key);
  if (!direction) return;
  const std::array<int, 3>& way = *direction;
  if (event.modifiers.ctrl || event.modifiers.alt) return;
  if (frame.flow.selected < 0) {
    // Without a point the keys turn the picture; PageUp and PageDown zoom.
    if (!event.down) return;
    OrbitCamera camera = turned(frame.space.camera, kKeyTurn * way[0], -kKeyTurn * way[1]);
    if (way[2] != 0) camera = nearer(frame.space.camera, std::pow(kWheel, way[2]));
    context.editor.replace(withCamera(context.editor.document(), camera));
    return;
  }
  if (!event.down) {
    context.editor.seal();
    return;
  }
  const auto index = static_cast<std::size_t>(frame.flow.selected);
  markov::Place3 to = placeOf(frame.flow.points[index]);
  const int steps = event.modifiers.shift ? 10 : 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (way[axis] == 0) continue;
    const double step = nudgeStep(frame.space.box.high[axis] - frame.space.box.low[axis]);
    to[axis] = shortened(to[axis] + way[axis] * steps * step, step);
  }
  movePoint(index, to, frame, context, "flow.nudge." + std::to_string(index));
  changed_ = grip_ != Grip::None && changed_;
}

}  // namespace sepx::ui
