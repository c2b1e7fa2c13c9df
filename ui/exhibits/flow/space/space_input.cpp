// SPDX-License-Identifier: Apache-2.0
// The gestures of the space page. Camera and selection are replaced (not undoable); points and planes are committed in
// groups.
#include "ui/exhibits/flow/space/space_input.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ui/canvas/handles.h"
#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/space/space_axes.h"
#include "ui/exhibits/flow/space/space_inset.h"
#include "ui/exhibits/flow/space/space_overlay.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWheel = 1.15;  // zoom factor per notch
constexpr double kOutermost = 1e9;
constexpr double kKeyTurn = 12;  // an arrow key turns the view like a drag of this many points
constexpr const char* kSliceGroup = "flow.space.slice";
constexpr const char* kClipGroup = "flow.space.clip";

std::string moveLabel(const FlowState& flow, std::size_t index) {
  const std::string& name = flow.points[index].name;
  return name.empty() ? std::string(tr("move point")) : std::string(tr("move point")) + " " + name;
}

/// Rounds to a short number, in steps that are 10 to 100 times smaller than what a point of the page spans.
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

markov::Place3 kept(const markov::Place3& at) {
  const auto inside = [](double value) { return std::clamp(value, -kOutermost, kOutermost); };
  return {inside(at[0]), inside(at[1]), inside(at[2])};
}

bool inInset(const SpaceFrame& frame, render::Point at) {
  return frame.layout.inset && frame.layout.inset->contains(at);
}

void turn(Editor& editor, const OrbitCamera& camera) {
  editor.replace(withCamera(editor.document(), camera));
}

/// A handle while it is dragged.
struct Held {
  enum class DragMode { View, Axis, Inset, Slider, Slice, Clip } way;
  SpaceHandle handle;
  HandleDrag drag;
  std::size_t point, points;  ///< index of the moving point, and how many there were
  markov::Place3 from{}, at{};
  bool dragging = false, changed = false;

  bool movesPoint() const { return way == DragMode::View || way == DragMode::Axis || way == DragMode::Inset; }
  /// Whether the point is still where the drag left it: not deleted, undone or replaced by another session.
  bool there(const FlowState& flow) const {
    return !movesPoint() || (flow.points.size() == points && point < points && placeOf(flow.points[point]) == at);
  }
  std::string group() const {
    return movesPoint() ? "flow.drag." + std::to_string(point) : way == DragMode::Clip ? kClipGroup : kSliceGroup;
  }
};

Held heldOf(const SpaceFrame& frame, const SpaceHandle& handle, render::Point at) {
  using DragMode = Held::DragMode;
  using Kind = SpaceHandle::Kind;
  const bool slider =
      frame.layout.slider && at.x >= frame.layout.slider->min.x && at.y >= frame.layout.slider->min.y - kReach;
  const DragMode way = handle.kind == Kind::Point  ? (inInset(frame, at) ? DragMode::Inset : DragMode::View)
                       : handle.kind == Kind::Axis ? DragMode::Axis
                       : handle.kind == Kind::Clip ? DragMode::Clip
                       : slider                    ? DragMode::Slider
                                                   : DragMode::Slice;
  const int point = handle.kind == Kind::Point ? handle.index : frame.flow.selected;
  Held held{way, handle, {handle.at, at}, static_cast<std::size_t>(std::max(point, 0)), frame.flow.points.size()};
  if (held.movesPoint()) held.from = held.at = placeOf(frame.flow.points[held.point]);
  return held;
}

/// Where the point goes; empty if the pointer is off its axis.
std::optional<markov::Place3> pointTo(const Held& held, const SpaceFrame& frame, render::Point at, bool snap) {
  const render::Point page = held.drag.at(at);
  std::array<bool, 3> moves{true, true, true};
  markov::Place3 to = held.at;
  if (held.way == Held::DragMode::Inset) {
    const Camera camera = insetCamera(frame);
    const render::Point data = tidied(camera, toData(camera, page));
    const markov::SectionPlane& plane = frame.space.section;
    to[plane.x()] = data.x;
    to[plane.y()] = data.y;
    moves[plane.across()] = false;
  } else if (held.way == Held::DragMode::Axis) {
    const auto axis = static_cast<std::size_t>(held.handle.index);
    const auto there = frame.view.onAxis(page, held.handle.data, held.handle.index);
    if (!there) return std::nullopt;
    // The end of the arrow is held; the point moves by the same amount.
    to[axis] = held.from[axis] + placeOf3(*there)[axis] - placeOf3(held.handle.data)[axis];
    moves = {axis == 0, axis == 1, axis == 2};
  } else {
    to = placeOf3(frame.view.atDepth(page, held.handle.depth));
    // In a view along an axis the coordinate along that axis stays exactly the same.
    if (const auto along = viewingAxis(frame.space.camera)) moves[static_cast<std::size_t>(*along)] = false;
  }
  const double perPoint = 1 / frame.view.scaleAt(std::max(held.handle.depth, 1e-3));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double half = 0.5 * (frame.space.box.high[axis] - frame.space.box.low[axis]), step = stepOf(frame, axis);
    if (!moves[axis])
      to[axis] = held.at[axis];
    else
      to[axis] = snap ? std::round(to[axis] / step) * step + 0.0 : shortened(to[axis], half * perPoint);
  }
  return kept(to);
}

/// Where the slice or clip plane goes.
std::optional<double> planeTo(const Held& held, const SpaceFrame& frame, render::Point at, bool snap) {
  const auto axis = static_cast<std::size_t>(held.handle.index);
  const double low = frame.space.box.low[axis], high = frame.space.box.high[axis], step = stepOf(frame, axis);
  double value = 0;
  if (held.way == Held::DragMode::Slider) {
    value = sliderValue(frame, at.y);
  } else {
    const auto there = frame.view.onAxis(held.drag.at(at), held.handle.data, held.handle.index);
    if (!there) return std::nullopt;
    value = placeOf3(*there)[axis];
  }
  return std::clamp(snap ? std::round(value / step) * step + 0.0 : shortened(value, (high - low) / 400), low, high);
}

void dragHandle(Editor& editor, Held& held, const SpaceFrame& frame, render::Point at, bool snap) {
  const Document& now = editor.document();
  if (held.movesPoint()) {
    const auto to = pointTo(held, frame, at, snap);
    if (!to) return;
    held.at = *to;
    editor.commit(withPoint(now, held.point, held.at[0], held.at[1], held.at[2]), moveLabel(frame.flow, held.point),
                  held.group());
  } else if (const auto to = planeTo(held, frame, at, snap); !to) {
    return;
  } else if (held.way == Held::DragMode::Clip) {
    const auto axis = static_cast<std::size_t>(held.handle.index);
    editor.commit(withClip(now, axis, *to), tr("move a clip plane"), held.group());
  } else {
    editor.commit(withSlice(now, held.handle.index, *to), tr("move the slice plane"), held.group());
  }
  held.changed = true;
}

/// Drags a handle. The press selects its point.
PictureGrip handleGrip(const SpaceNow& now, const SpaceHandle& handle, render::Point from) {
  const auto held = std::make_shared<Held>(heldOf(now(), handle, from));
  const auto drag = [now, held](Editor& editor, render::Point at, bool snap) {
    const SpaceFrame frame = now();
    if (!held->there(frame.flow)) return;
    if (held->handle.kind == SpaceHandle::Kind::Point && held->handle.index != frame.flow.selected)
      editor.replace(withSelected(editor.document(), held->handle.index));
    held->dragging = held->dragging || held->way == Held::DragMode::Slider || held->drag.beyond(at, kPointerTolerance);
    if (held->dragging) dragHandle(editor, *held, frame, at, snap);
  };
  const auto takeBack = [now, held](Editor& editor, const Document& before) {
    if (!held->changed || !held->there(now().flow)) return;
    const std::string path = held->movesPoint() ? "flow.points[" + std::to_string(held->point) + "]" : held->group();
    editor.commit(editor.document().withPartOf(before, path),
                  held->movesPoint() ? tr("move point") : tr("move the slice plane"), held->group());
  };
  return {.drag = drag,
          .cursor = Cursor::Hand,
          .dragCursor = held->movesPoint() ? Cursor::Move : Cursor::Hand,
          .atOnce = true,
          .takeBack = takeBack};
}

/// Drags the legend. A click folds or unfolds it.
PictureGrip legendGrip(const SpaceNow& now, const render::Rect& box, render::Point from) {
  const auto moved = std::make_shared<bool>(false);
  const render::Point held{from.x - box.min.x, from.y - box.min.y};
  const auto drag = [now, moved, held](Editor& editor, render::Point at, bool) {
    *moved = true;
    const render::Point shares = spaceLegendShares(now(), {at.x - held.x, at.y - held.y});
    editor.replace(withSpaceLegendAt(editor.document(), shares.x, shares.y));
  };
  const auto drop = [now, moved](ExhibitContext& context, render::Point) {
    if (!*moved) context.editor.replace(withSpaceLegendOpen(context.editor.document(), !now().layout.rows));
  };
  const auto takeBack = [](Editor& editor, const Document& before) {
    editor.replace(editor.document().withPartOf(before, "flow.space.legend"));
  };
  return {.drag = drag, .cursor = Cursor::Hand, .still = kPointerTolerance, .drop = drop, .takeBack = takeBack};
}

/// Turns or pans the camera. A click that does not pan clears the selection.
PictureGrip cameraGrip(const SpaceNow& now, render::Point from, bool pan, bool other) {
  struct Turn {
    render::Point at;
    bool moved = false;
  };
  const auto last = std::make_shared<Turn>(Turn{from});
  const auto drag = [now, last, pan](Editor& editor, render::Point at, bool) {
    const render::Point before = std::exchange(last->at, at);
    last->moved = true;
    const SpaceFrame frame = now();
    const double x = at.x - before.x, y = at.y - before.y;
    turn(editor, pan ? frame.view.panned(x, y) : turned(frame.space.camera, x, y));
  };
  const auto drop = [now, last, pan](ExhibitContext& context, render::Point) {
    if (!last->moved && !pan && now().flow.selected >= 0)
      context.editor.replace(withSelected(context.editor.document(), -1));
  };
  return {.drag = drag,
          .cursor = Cursor::Arrow,
          .dragCursor = Cursor::Move,
          .still = kPointerTolerance,
          .anyButton = other,
          .drop = drop};
}

}  // namespace

std::optional<SpaceHandle> spaceHandleAt(const SpaceFrame& frame, render::Point at) {
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

PictureGrip spaceGrip(const SpaceNow& now, render::Point at, bool pan, bool other) {
  const SpaceFrame frame = now();
  if (other) return cameraGrip(now, at, true, true);
  if (const auto end = gizmoAt(frame, at)) {
    const auto look = [now, end](Editor& editor, render::Point, bool) {
      turn(editor, alongAxis(now().space.camera, end->first, end->second));
    };
    return {.drag = look, .cursor = Cursor::Hand, .atOnce = true};
  }
  if (const std::optional<SpaceHandle> handle = spaceHandleAt(frame, at)) return handleGrip(now, *handle, at);
  if (const auto legend = spaceLegendBox(frame); legend && legend->contains(at)) return legendGrip(now, *legend, at);
  if (inInset(frame, at)) return {.drag = [](Editor&, render::Point, bool) {}, .cursor = Cursor::Cross};
  return cameraGrip(now, at, pan, false);
}

/// In the section it adds a point; elsewhere it resets the camera.
bool spaceDoubleClick(Editor& editor, const SpaceFrame& frame, render::Point at) {
  const auto legend = spaceLegendBox(frame);
  if (gizmoAt(frame, at) || spaceHandleAt(frame, at) || (legend && legend->contains(at))) return false;
  const Document& now = editor.document();
  if (!inInset(frame, at)) {
    editor.replace(withoutCamera(now));
    return true;
  }
  const Camera camera = insetCamera(frame);
  const render::Point data = tidied(camera, toData(camera, at));
  const markov::Place3 place = frame.space.section.place(data.x, data.y);
  editor.seal();
  editor.commit(withNewPoint(now, place[0], place[1], place[2]), tr("add point") + (" " + nextPointName(now)));
  editor.seal();
  return true;
}

void spaceWheel(Editor& editor, const SpaceFrame& frame, render::Point at, double notches) {
  if (notches == 0) return;
  notches = std::clamp(notches, -20.0, 20.0);
  if (!frame.layout.inset || at.x < frame.layout.inset->min.x || at.y < frame.layout.inset->min.y)
    return turn(editor, nearer(frame.space.camera, std::pow(kWheel, notches)));
  const std::size_t axis = frame.space.section.across();
  const double low = frame.space.box.low[axis], high = frame.space.box.high[axis];
  const double to = shortened(frame.space.section.at + notches * (high - low) / 80, (high - low) / 400);
  editor.commit(withSlice(editor.document(), frame.space.section.axis, std::clamp(to, low, high)),
                tr("move the slice plane"), kSliceGroup);
}

void spaceKey(const KeyPressed& event, const SpaceFrame& frame, Editor& editor) {
  const std::optional<std::array<int, 3>> direction = directionOf(event.key);
  if (!direction || event.modifiers.ctrl || event.modifiers.alt) return;
  const std::array<int, 3>& way = *direction;
  if (frame.flow.selected < 0) {
    // Without a selected point the keys turn the picture; PageUp and PageDown zoom.
    if (!event.down) return;
    OrbitCamera camera = turned(frame.space.camera, kKeyTurn * way[0], -kKeyTurn * way[1]);
    if (way[2] != 0) camera = nearer(frame.space.camera, std::pow(kWheel, way[2]));
    return turn(editor, camera);
  }
  if (!event.down) return editor.seal();
  const auto index = static_cast<std::size_t>(frame.flow.selected);
  markov::Place3 to = placeOf(frame.flow.points[index]);
  const int steps = event.modifiers.shift ? 10 : 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (way[axis] == 0) continue;
    const double step = nudgeStep(frame.space.box.high[axis] - frame.space.box.low[axis]);
    to[axis] = shortened(to[axis] + way[axis] * steps * step, step);
  }
  to = kept(to);
  editor.commit(withPoint(editor.document(), index, to[0], to[1], to[2]), moveLabel(frame.flow, index),
                "flow.nudge." + std::to_string(index));
}

}  // namespace sepx::ui
