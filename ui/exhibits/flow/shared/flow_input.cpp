// SPDX-License-Identifier: Apache-2.0
// The gestures of the Flow picture. Camera and selection are replaced (not undoable); points and (p,q) are committed in
// groups.
#include "ui/exhibits/flow/shared/flow_input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/axes.h"
#include "ui/exhibits/flow/shared/flow_take.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWheel = 1.2;  // zoom of a notch

std::string moveLabel(const FlowState& state, int index) {
  const std::string& name = state.points[static_cast<std::size_t>(index)].name;
  return name.empty() ? std::string(tr("move point")) : std::string(tr("move point")) + " " + name;
}

constexpr const char* kSquareGroup = "flow.pq";
constexpr const char* kScaleGroup = "flow.limits";

/// On the colour bar, or as near as a hand comes to it.
bool onBar(render::Point at, const FlowLayout& layout) {
  constexpr double kAround = 8;
  if (!layout.colorBar || !layout.limits) return false;
  const render::Rect& bar = *layout.colorBar;
  return at.x >= bar.min.x - kAround / 2 && at.x <= bar.max.x + kAround && at.y >= bar.min.y - kAround &&
         at.y <= bar.max.y + kAround;
}

std::string dragGroup(int index) {
  return "flow.drag." + std::to_string(index);
}

bool nearDot(render::Point at, const FlowState& state, const FlowLayout& layout) {
  const render::Point dot = squareToPage(*layout.square, state.chain.p, state.chain.q);
  return std::hypot(at.x - dot.x, at.y - dot.y) <= kReach;
}

}  // namespace

std::optional<int> FlowInput::handleAt(render::Point at, const FlowState& state, const FlowLayout& layout) const {
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
  if (grip_ == Grip::Handle || (grip_ == Grip::Pan && dragging_)) return Cursor::Move;
  if (grip_ == Grip::Square) return Cursor::Hand;
  if (grip_ == Grip::Scale || (grip_ == Grip::None && at_ && onBar(*at_, layout))) return Cursor::Hand;
  if (!at_) return Cursor::Arrow;
  if (layout.squareBox && layout.squareBox->contains(*at_)) return Cursor::Hand;
  if (grip_ == Grip::Legend) return dragging_ ? Cursor::Move : Cursor::Hand;
  const std::optional<int> handle = handleAt(*at_, state, layout);
  if (!handle && layout.legendBox && layout.legendBox->contains(*at_)) return Cursor::Hand;
  if (!layout.plot.contains(*at_)) return Cursor::Arrow;
  return handle ? Cursor::Hand : Cursor::Cross;
}

void FlowInput::moved(render::Point at, Modifiers modifiers, const FlowState& state, const FlowLayout& layout,
                      ExhibitContext& context) {
  const std::optional<render::Point> before = at_;
  at_ = at;
  left_ = false;
  if (grip_ == Grip::None || !drag_) return;
  if (!dragging_ && !drag_->beyond(at, kPointerTolerance)) return;
  // A pan begins where the button went down: the first move makes up for the tolerance of a click.
  const bool first = !dragging_;
  dragging_ = true;
  if (grip_ == Grip::Handle && copies_) {
    copyHeld(state, context);
  } else if (grip_ == Grip::Handle) {
    dragHandle(at, modifiers.shift, state, layout, context);
  } else if (grip_ == Grip::Square) {
    dragSquare(at, modifiers.shift, layout, context);
  } else if (grip_ == Grip::Scale) {
    dragScale(at, layout, context);
  } else if (grip_ == Grip::Legend) {
    dragLegend(at, layout, context);
  } else {
    const render::Point from = first ? clicks_.at() : before.value_or(at);
    const Camera camera = panned({state.view, layout.plot}, at.x - from.x, at.y - from.y);
    context.editor.replace(withView(context.editor.document(), state, camera.window));
  }
}

void FlowInput::copyHeld(const FlowState& state, ExhibitContext& context) {
  const auto index = static_cast<std::size_t>(heldIndex_);
  copies_ = false;
  heldIndex_ = static_cast<int>(state.points.size());
  heldOf_ = state.points.size() + 1;
  const Document& now = context.editor.document();
  context.editor.commit(withDuplicate(now, index), tr("duplicate point") + (" " + nextPointName(now)),
                        dragGroup(heldIndex_));
  changed_ = true;
}

void FlowInput::dragHandle(render::Point at, bool snap, const FlowState& state, const FlowLayout& layout,
                           ExhibitContext& context) {
  const Camera camera{state.view, layout.plot};
  render::Point data = tidied(camera, toData(camera, drag_->at(at)));
  if (snap) {
    const auto [x, y] = alikeTicks(state.view, layout.plot, context.theme.smallSize);
    data = snapped(data, x.step, y.step);
  }
  const auto index = static_cast<std::size_t>(heldIndex_);
  heldAt_ = {bounded(data.x), bounded(data.y)};
  context.editor.commit(withPoint(context.editor.document(), index, heldAt_.x, heldAt_.y), moveLabel(state, heldIndex_),
                        dragGroup(heldIndex_));
  changed_ = true;
}

void FlowInput::dragSquare(render::Point at, bool snap, const FlowLayout& layout, ExhibitContext& context) {
  if (!layout.square) return;
  const render::Point chain = pageToSquare(*layout.square, at);
  const double step = snap ? 0.05 : 0.005;  // so that the numbers stay short; finer ones can be typed
  const auto value = [step](double raw) {
    // Rounded in decimals: 0.35 is the double that prints as 0.35.
    return std::clamp(std::round(std::round(raw / step) * step * 1000) / 1000, step, 1 - step);
  };
  context.editor.commit(context.editor.document().with("flow.p", value(chain.x)).with("flow.q", value(chain.y)),
                        tr("move p and q"), kSquareGroup);
  changed_ = true;
}

void FlowInput::pressed(const PointerPressed& event, render::Point at, bool twice, const FlowState& state,
                        const FlowLayout& layout, ExhibitContext& context) {
  if (event.button == Button::Right || event.button == Button::Middle) {
    if (!layout.plot.contains(at)) return;
    if (event.button == Button::Right) under_ = handleAt(at, state, layout);
    grip_ = Grip::Pan;
    drag_.emplace(at, at);
    return;
  }
  // A handle can be taken wherever it is, but for the place of the dot itself.
  const std::optional<int> handle = handleAt(at, state, layout);
  if (layout.squareBox && layout.squareBox->contains(at) && (!handle || nearDot(at, state, layout))) {
    grip_ = Grip::Square;
    drag_.emplace(at, at);
    context.editor.seal();
    dragSquare(at, event.modifiers.shift, layout, context);
    dragging_ = true;
    return;
  }
  if (!handle && layout.legendBox && layout.legendBox->contains(at)) {
    grip_ = Grip::Legend;
    legendGrip_ = {at.x - layout.legendBox->min.x, at.y - layout.legendBox->min.y};
    drag_.emplace(at, at);
    return;
  }
  if (onBar(at, layout)) {
    pressedScale(at, twice, layout, context);
    return;
  }
  if (!handle) {
    pressedEmpty(at, twice, state, layout, context);
    return;
  }
  grip_ = Grip::Handle;
  heldIndex_ = *handle;
  const FlowPoint& point = state.points[static_cast<std::size_t>(*handle)];
  heldOf_ = state.points.size();
  copies_ = event.modifiers.ctrl && heldOf_ < kMostPoints;
  heldAt_ = {point.e, point.w};
  drag_.emplace(toPage({state.view, layout.plot}, heldAt_), at);
  context.editor.seal();
  if (state.selected != *handle) context.editor.replace(withSelected(context.editor.document(), *handle));
}

void FlowInput::pressedScale(render::Point at, bool twice, const FlowLayout& layout, ExhibitContext& context) {
  context.editor.seal();
  if (twice) {
    context.editor.commit(withoutLimits(context.editor.document()), tr("colour scale from the data"));
    context.editor.seal();
    return;
  }
  grip_ = Grip::Scale;
  heldScale_ = ColorScale(*layout.limits, layout.byPowers);
  heldUpper_ = at.y < layout.colorBar->min.y + layout.colorBar->height() / 2;
  drag_.emplace(at, at);
}

void FlowInput::dragScale(render::Point at, const FlowLayout& layout, ExhibitContext& context) {
  constexpr double kLeast = 0.05, kMost = 1.5;  // of the scale as it was
  if (!layout.colorBar) return;
  const double moved = (clicks_.at().y - at.y) / layout.colorBar->height();  // upwards
  ColorLimits limits = heldScale_;
  const auto shortened = [this](double value) {  // to a thousandth of the scale, or of the value
    const double step = roundStep((heldScale_.logarithmic ? value : heldScale_.high - heldScale_.low) / 2000);
    return std::round(std::round(value / step) * step * 1e12) / 1e12;
  };
  if (heldUpper_)
    limits.high = shortened(heldScale_.valueAt(std::clamp(1 + moved, kLeast, kMost)));
  else
    limits.low = shortened(heldScale_.valueAt(std::clamp(moved, 1 - kMost, 1 - kLeast)));
  if (!sound(limits)) return;
  context.editor.commit(withLimits(context.editor.document(), limits), tr("move the colour scale"), kScaleGroup);
  changed_ = true;
}

void FlowInput::dragLegend(render::Point at, const FlowLayout& layout, ExhibitContext& context) {
  if (!layout.legendBox) return;
  const render::Rect &box = *layout.legendBox, &plot = layout.plot;
  const Document& now = context.editor.document();
  if (at.x < plot.min.x) {
    context.editor.replace(withLegendBeside(now));
    return;
  }
  const auto share = [](double from, double room) {
    return room > 0 ? std::round(1000 * std::clamp(from / room, 0.0, 1.0)) / 1000 : 0.0;
  };
  const double x = at.x - std::min(legendGrip_.x, box.width()) - plot.min.x - kBoxInset,
               y = at.y - std::min(legendGrip_.y, box.height()) - plot.min.y - kBoxInset;
  context.editor.replace(withLegendAt(now, share(x, plot.width() - 2 * kBoxInset - box.width()),
                                      share(y, plot.height() - 2 * kBoxInset - box.height())));
}

void FlowInput::pressedEmpty(render::Point at, bool twice, const FlowState& state, const FlowLayout& layout,
                             ExhibitContext& context) {
  if (!layout.plot.contains(at)) {
    // The room around the axes: a double click there shows everything again.
    const bool beside = at.x >= 0 && at.y >= 0 && at.x <= layout.width && at.y <= layout.height;
    if (twice && beside) context.editor.replace(withoutView(context.editor.document()));
    return;
  }
  if (twice) {
    const Camera camera{state.view, layout.plot};
    const render::Point data = tidied(camera, toData(camera, at));
    const Document& now = context.editor.document();
    commitStep(context, withNewPoint(now, bounded(data.x), bounded(data.y)),
               tr("add point") + (" " + nextPointName(now)));
    return;
  }
  grip_ = Grip::Pan;
  drag_.emplace(at, at);
}

void FlowInput::released(const FlowState& state, const FlowLayout& layout, ExhibitContext& context) {
  if (grip_ == Grip::None) return;
  const bool click = grip_ == Grip::Pan && !dragging_;
  if (grip_ == Grip::Legend && !dragging_)
    context.editor.replace(withLegendOpen(context.editor.document(), !layout.legendOpen));
  if (std::exchange(left_, false)) at_.reset();
  if (click && under_) {
    menu_ = under_;
    context.editor.replace(withSelected(context.editor.document(), *under_));
  } else if (click && state.selected >= 0) {
    context.editor.replace(withSelected(context.editor.document(), -1));
  }
  if (changed_) context.editor.seal();
  if (changed_ && grip_ == Grip::Handle) dropped_ = heldIndex_;
  letGo();
}

void FlowInput::letGo() {
  grip_ = Grip::None;
  heldIndex_ = -1;
  drag_.reset();
  before_ = {};
  under_.reset();
  dragging_ = changed_ = copies_ = false;
}

void FlowInput::follow(const FlowState& state) {
  if (grip_ != Grip::Handle) return;
  const auto index = static_cast<std::size_t>(heldIndex_);
  const bool there = state.points.size() == heldOf_ && index < heldOf_ && state.points[index].e == heldAt_.x &&
                     state.points[index].w == heldAt_.y;
  if (!there) letGo();
}

void FlowInput::takeBack(const FlowState& state, const FlowLayout& layout, ExhibitContext& context) {
  under_.reset();
  // In the group of the drag: a group that comes back to where it began is not a step.
  const Document& now = context.editor.document();
  if (grip_ == Grip::Handle && changed_) {
    const std::string point = "flow.points[" + std::to_string(heldIndex_) + "]";
    context.editor.commit(now.withPartOf(before_, point), moveLabel(state, heldIndex_), dragGroup(heldIndex_));
  } else if (grip_ == Grip::Square && changed_) {
    context.editor.commit(now.withPartOf(before_, "flow.p").withPartOf(before_, "flow.q"), tr("move p and q"),
                          kSquareGroup);
  } else if (grip_ == Grip::Scale && changed_) {
    context.editor.commit(now.withPartOf(before_, "flow.limits"), tr("move the colour scale"), kScaleGroup);
  } else if (grip_ == Grip::Legend) {
    if (dragging_) context.editor.replace(now.withPartOf(before_, "flow.legend"));
    dragging_ = true;  // and no click
  }
  released(state, layout, context);
  dropped_.reset();
}

void FlowInput::scrolled(const Scrolled& event, const FlowState& state, const FlowLayout& layout,
                         ExhibitContext& context) {
  if (!at_ || !layout.plot.contains(*at_) || event.dy == 0) return;
  const Camera camera = zoomed({state.view, layout.plot}, *at_, std::pow(kWheel, std::clamp(event.dy, -20.0, 20.0)));
  context.editor.replace(withView(context.editor.document(), state, camera.window));
}

void FlowInput::key(const KeyPressed& event, const FlowState& state, const FlowLayout& layout,
                    ExhibitContext& context) {
  if (event.key == Key::Escape && event.down) takeBack(state, layout, context);
  const std::optional<std::array<int, 3>> way = directionOf(event.key);
  if (!way || (*way)[2] != 0 || state.selected < 0 || event.modifiers.ctrl || event.modifiers.alt) return;
  if (!event.down) {
    context.editor.seal();
    dropped_ = state.selected;
    return;
  }
  const auto index = static_cast<std::size_t>(state.selected);
  const render::Point from{state.points[index].e, state.points[index].w};
  const render::Point moved = nudged(state.view, from, (*way)[0], (*way)[1], event.modifiers.shift ? 10 : 1);
  context.editor.commit(withPoint(context.editor.document(), index, bounded(moved.x), bounded(moved.y)),
                        moveLabel(state, state.selected), "flow.nudge." + std::to_string(index));
}

}  // namespace sepx::ui
