// SPDX-License-Identifier: Apache-2.0
// The gestures of the plane. Camera and selection are replaced (not undoable); points are committed in groups.
#include "ui/exhibits/flow/shared/flow_input.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "ui/canvas/axes.h"
#include "ui/exhibits/flow/shared/flow_import.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string moveLabel(const FlowState& state, int index) {
  const std::string& name = state.points[static_cast<std::size_t>(index)].name;
  return name.empty() ? std::string(tr("move point")) : std::string(tr("move point")) + " " + name;
}

std::string dragGroup(int index) {
  return "flow.drag." + std::to_string(index);
}

}  // namespace

std::optional<int> FlowInput::handleAt(render::Point at, const FlowState& state, const FlowLayout& layout) {
  if (!layout.plot.contains(at)) return std::nullopt;
  std::vector<Handle> handles;
  const Camera camera{state.view, layout.plot};
  for (std::size_t i = 0; i < state.points.size(); ++i)
    handles.push_back({static_cast<int>(i), toPage(camera, {state.points[i].e, state.points[i].w})});
  return pick(handles, at);
}

std::optional<render::Point> FlowInput::pointer(const FlowLayout& layout) const {
  if (!at_ || !layout.plot.contains(*at_)) return std::nullopt;
  if (layout.squareBox && layout.squareBox->contains(*at_)) return std::nullopt;
  return at_;
}

Cursor FlowInput::cursor(const FlowState& state, const FlowLayout& layout) const {
  if (held_ && (held_->point >= 0 || held_->moved)) return Cursor::Move;
  if (!at_ || !layout.plot.contains(*at_)) return Cursor::Arrow;
  return handleAt(*at_, state, layout) ? Cursor::Hand : Cursor::Cross;
}

bool FlowInput::isDoubleClick(const PointerPressed& press, double seconds) {
  const render::Point at{press.x, press.y};
  const bool near = std::hypot(at.x - pressedAt_.x, at.y - pressedAt_.y) <= kPointerTolerance;
  const bool twice = pressedSeconds_ >= 0 && isSecondClick(press, seconds - pressedSeconds_) && near;
  pressedAt_ = at;
  pressedSeconds_ = twice ? -1 : seconds;
  return twice;
}

void FlowInput::handle(const InputEvent& event, const FlowState& state, const FlowLayout& layout,
                       ExhibitContext& context) {
  constexpr double kWheel = 1.2;  // zoom factor per notch of the wheel
  const Now now{state, layout, context};
  if (const auto* move = std::get_if<PointerMoved>(&event)) {
    moved({move->x, move->y}, move->modifiers.shift, now);
  } else if (const auto* press = std::get_if<PointerPressed>(&event)) {
    at_ = render::Point{press->x, press->y};
    if (!press->down && held_ && press->button == held_->button) released(now);
    if (!press->down || held_) return;
    const bool twice = isDoubleClick(*press, context.seconds) && press->button == Button::Left;
    pressed(*press, twice, now);
  } else if (const auto* scroll = std::get_if<Scrolled>(&event)) {
    if (!at_ || !layout.plot.contains(*at_) || scroll->dy == 0) return;
    const Camera camera = zoomed(now.camera(), *at_, std::pow(kWheel, std::clamp(scroll->dy, -20.0, 20.0)));
    context.editor.replace(withView(context.editor.document(), state, camera.window));
  } else if (const auto* typed = std::get_if<KeyPressed>(&event)) {
    key(*typed, now);
  } else if (std::holds_alternative<PointerLeft>(event)) {
    if (held_)
      held_->left = true;
    else
      at_.reset();
  } else if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused && held_) {
    held_->under.reset();
    released(now);
  }
}

void FlowInput::moved(render::Point at, bool snap, const Now& now) {
  const render::Point before = std::exchange(at_, at).value_or(at);
  if (!held_) return;
  held_->left = false;
  if (!held_->moved && !held_->drag.beyond(at, kPointerTolerance)) return;
  // A pan begins where the button was pressed, so the first move includes the tolerance of a click.
  const render::Point from = std::exchange(held_->moved, true) ? before : pressedAt_;
  if (held_->point >= 0) return movePoint(at, snap, now);
  const Camera camera = panned(now.camera(), at.x - from.x, at.y - from.y);
  now.editor().replace(withView(now.editor().document(), now.state, camera.window));
}

void FlowInput::movePoint(render::Point at, bool snap, const Now& now) {
  const Document& document = now.editor().document();
  held_->changed = true;
  if (std::exchange(held_->copies, false)) {
    const auto index = static_cast<std::size_t>(held_->point);
    held_->point = static_cast<int>(held_->points++);
    now.editor().commit(withDuplicate(document, index), tr("duplicate point") + (" " + nextPointName(document)),
                        dragGroup(held_->point));
    return;
  }
  render::Point data = tidied(now.camera(), toData(now.camera(), held_->drag.at(at)));
  if (snap) {
    const auto [x, y] = equalStepTicks(now.state.view, now.layout.plot, now.context.theme.smallSize);
    data = snapped(data, x.step, y.step);
  }
  held_->at = {bounded(data.x), bounded(data.y)};
  now.editor().commit(withPoint(document, static_cast<std::size_t>(held_->point), held_->at.x, held_->at.y),
                      moveLabel(now.state, held_->point), dragGroup(held_->point));
}

void FlowInput::pressed(const PointerPressed& event, bool twice, const Now& now) {
  const std::optional<int> handle = handleAt(*at_, now.state, now.layout);
  const bool left = event.button == Button::Left, point = left && handle;
  if (twice && !point) return doubleClicked(*at_, now);
  if (!now.layout.plot.contains(*at_)) return;
  Held held{{*at_, *at_}, event.button, now.editor().document()};
  held.points = now.state.points.size();
  if (event.button == Button::Right) held.under = handle;
  if (point) {
    const FlowPoint& taken = now.state.points[static_cast<std::size_t>(*handle)];
    held.point = *handle;
    held.copies = event.modifiers.ctrl && held.points < kMostPoints;
    held.at = {taken.e, taken.w};
    held.drag = HandleDrag(toPage(now.camera(), held.at), *at_);
    now.editor().seal();
    if (now.state.selected != *handle) now.editor().replace(withSelected(now.editor().document(), *handle));
  }
  held_ = std::move(held);
}

/// Double click: adds a point in the plot, or resets the window in the space around the axes.
void FlowInput::doubleClicked(render::Point at, const Now& now) const {
  const Document& document = now.editor().document();
  const FlowLayout& layout = now.layout;
  if (layout.plot.contains(at)) {
    const render::Point data = tidied(now.camera(), toData(now.camera(), at));
    commitStep(now.context, withNewPoint(document, bounded(data.x), bounded(data.y)),
               tr("add point") + (" " + nextPointName(document)));
  } else if (at.x >= 0 && at.y >= 0 && at.x <= layout.width && at.y <= layout.height) {
    now.editor().replace(withoutView(document));
  }
}

void FlowInput::released(const Now& now) {
  const Held let = *std::exchange(held_, std::nullopt);
  if (let.left) at_.reset();
  if (const bool click = let.point < 0 && !let.moved; click && let.under) {
    menu_ = let.under;
    now.editor().replace(withSelected(now.editor().document(), *let.under));
  } else if (click && now.state.selected >= 0) {
    now.editor().replace(withSelected(now.editor().document(), -1));
  }
  if (!let.changed) return;
  now.editor().seal();
  dropped_ = let.point;
}

void FlowInput::follow(const FlowState& state) {
  if (held() < 0) return;
  const auto index = static_cast<std::size_t>(held_->point);
  const bool there = state.points.size() == held_->points && index < held_->points &&
                     state.points[index].e == held_->at.x && state.points[index].w == held_->at.y;
  if (!there) held_.reset();
}

void FlowInput::takeBack(const Now& now) {
  held_->under.reset();
  // Committed in the group of the drag: a group that ends where it began is not an undo step.
  if (held_->changed) {
    const std::string point = "flow.points[" + std::to_string(held_->point) + "]";
    now.editor().commit(now.editor().document().withPartOf(held_->before, point), moveLabel(now.state, held_->point),
                        dragGroup(held_->point));
  }
  released(now);
  dropped_.reset();
}

void FlowInput::key(const KeyPressed& event, const Now& now) {
  if (event.key == Key::Escape && event.down && held_) takeBack(now);
  const std::optional<std::array<int, 3>> way = directionOf(event.key);
  const FlowState& state = now.state;
  if (!way || (*way)[2] != 0 || state.selected < 0 || event.modifiers.ctrl || event.modifiers.alt) return;
  if (!event.down) {
    now.editor().seal();
    dropped_ = state.selected;
    return;
  }
  const auto index = static_cast<std::size_t>(state.selected);
  const render::Point from{state.points[index].e, state.points[index].w};
  const render::Point to = nudged(state.view, from, (*way)[0], (*way)[1], event.modifiers.shift ? 10 : 1);
  now.editor().commit(withPoint(now.editor().document(), index, bounded(to.x), bounded(to.y)),
                      moveLabel(state, state.selected), "flow.nudge." + std::to_string(index));
}

}  // namespace sepx::ui
