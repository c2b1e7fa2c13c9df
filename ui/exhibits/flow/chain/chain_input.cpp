// SPDX-License-Identifier: Apache-2.0
// Pointer and keys on the page of (p,q): the place, both ends of the path, the head and sigma are dragged; each drag is
// one step, Escape takes it back. Frame thread.
#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "ui/exhibits/flow/chain/chain_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kNear = 9;   // points from the middle of a handle
constexpr double kStill = 5;  // points that a double click may move
constexpr const char* kGroup = "flow.chain.drag";
constexpr std::array kDragged{"flow.p",
                              "flow.q",
                              "flow.gauss.sigma",
                              "flow.chain.path.p0",
                              "flow.chain.path.q0",
                              "flow.chain.path.p1",
                              "flow.chain.path.q1"};

}  // namespace

ChainPage::Grip ChainPage::gripAt(const FlowPageFrame& frame, render::Point at) const {
  const ChainView now = view(frame);
  const auto near = [&](const markov::Chain& chain) {
    const render::Point page = toPage(now.layout.squareCamera(), {chain.p, chain.q});
    return std::hypot(page.x - at.x, page.y - at.y) <= kNear;
  };
  if (near(state_.chain)) return Grip::Here;
  if (state_.showPath) {
    if (state_.head > 0 && state_.head < 1 && near(state_.path.at(state_.head))) return Grip::Head;
    if (near(state_.path.at(0))) return Grip::Start;
    if (near(state_.path.at(1))) return Grip::End;
    if (pathPlaceAt(now, at)) return Grip::Along;
  }
  if (now.layout.square.contains(at)) return Grip::Here;
  if (now.layout.curve) {
    render::Rect grown = *now.layout.curve;
    grown.min.y -= kNear;  // the handle stands on the edge
    if (grown.contains(at)) return Grip::Sigma;
  }
  return Grip::None;
}

void ChainPage::drag(const FlowPageFrame& frame, ExhibitContext& context, render::Point at, bool coarse) {
  const ChainView now = view(frame);
  const render::Point data = toData(now.layout.squareCamera(), at);
  const markov::Chain chain = roundedChain(data.x, data.y, coarse);
  const Document& document = context.editor.document();
  const auto commit = [&](Document next, const char* label) {
    if (next == document) return;
    context.editor.commit(std::move(next), tr(label), kGroup);
    changed_ = true;
  };
  switch (grip_) {
    case Grip::None:
      return;
    case Grip::Here:
      return commit(document.with("flow.p", chain.p).with("flow.q", chain.q), N_("move p and q"));
    case Grip::Start:
      return commit(document.with("flow.chain.path.p0", chain.p).with("flow.chain.path.q0", chain.q),
                    N_("move the start of the path"));
    case Grip::End:
      return commit(document.with("flow.chain.path.p1", chain.p).with("flow.chain.path.q1", chain.q),
                    N_("move the end of the path"));
    case Grip::Sigma:
      return commit(document.with("flow.gauss.sigma", sigmaAtPage(now.layout, at.x)), N_("change σ"));
    case Grip::Along:
      if (const std::optional<double> place = pathPlaceAt(now, at))
        context.editor.replace(document.with("flow.chain.path.at", *place));
      return;
    case Grip::Head: {
      const double dp = state_.path.p1 - state_.path.p0, dq = state_.path.q1 - state_.path.q0;
      const double length = dp * dp + dq * dq;
      if (!(length > 0)) return;
      const double place = ((data.x - state_.path.p0) * dp + (data.y - state_.path.q0) * dq) / length;
      context.editor.replace(document.with("flow.chain.path.at", std::round(std::clamp(place, 0.0, 1.0) * 200) / 200));
      return;
    }
  }
}

void ChainPage::showPlane(ExhibitContext& context) {
  if (const Result<void> done = context.editor.set("flow.page", std::string("plane")); !done)
    context.editor.say(done.error().sentence);
  context.editor.seal();
}

void ChainPage::pressed(const FlowPageFrame& frame, ExhibitContext& context, const PointerPressed& event) {
  const render::Point at{event.x, event.y};
  if (event.button != Button::Left) return;
  if (!event.down) {
    const bool enter = twice_ && clicks_.near(at, kStill) && grip_ == Grip::Here;
    if (changed_) context.editor.seal();
    grip_ = Grip::None;
    changed_ = twice_ = false;
    if (enter) showPlane(context);
    return;
  }
  if (grip_ != Grip::None) return;
  twice_ = clicks_.pressed(at, context.seconds, kStill);
  grip_ = gripAt(frame, at);
  if (grip_ == Grip::None) return;
  if (playing_) togglePlay(context);
  context.editor.seal();
  before_ = context.editor.document();
  const render::Point dot = toPage(view(frame).layout.squareCamera(), {state_.chain.p, state_.chain.q});
  // A press on a handle holds it where it is; elsewhere the place comes to the pointer.
  const bool held = grip_ == Grip::Start || grip_ == Grip::End || grip_ == Grip::Head ||
                    (grip_ == Grip::Here && std::hypot(dot.x - at.x, dot.y - at.y) <= kNear);
  if (!held) drag(frame, context, at, event.modifiers.shift);
}

void ChainPage::takeBack(ExhibitContext& context) {
  if (grip_ != Grip::None && changed_) {
    // In the group of the drag: a group that comes back to where it began is not a step.
    Document now = context.editor.document();
    for (const char* key : kDragged)
      now = before_.has(key) ? now.with(key, before_.at(key)) : now.has(key) ? now.without(key) : now;
    context.editor.commit(std::move(now), tr("move p and q"), kGroup);
    context.editor.seal();
  }
  grip_ = Grip::None;
  changed_ = false;
}

/// Arrow keys move the place, with Shift in coarse steps; PageUp and PageDown change sigma.
bool ChainPage::nudge(ExhibitContext& context, const KeyPressed& event) {
  const double step = event.modifiers.shift ? 0.05 : 0.005;
  const std::optional<std::array<int, 3>> way = directionOf(event.key);
  if (!way) return false;
  if (event.modifiers.ctrl || event.modifiers.alt) return false;
  if (!event.down) {
    context.editor.seal();
    return true;
  }
  const Document& now = context.editor.document();
  if ((*way)[2] != 0) {
    constexpr double kFactor = 1.1;
    const double sigma = std::clamp(state_.sigma * std::pow(kFactor, (*way)[2]), 0.001, 10.0);
    context.editor.commit(now.with("flow.gauss.sigma", std::round(sigma * 1e4) / 1e4), tr("change σ"),
                          "flow.chain.nudge");
    return true;
  }
  const markov::Chain to = roundedChain(state_.chain.p + step * (*way)[0], state_.chain.q + step * (*way)[1], false);
  context.editor.commit(now.with("flow.p", to.p).with("flow.q", to.q), tr("move p and q"), "flow.chain.nudge");
  return true;
}

Cursor ChainPage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (const auto* move = std::get_if<PointerMoved>(&event)) {
    if (grip_ != Grip::None) drag(frame, context, {move->x, move->y}, move->modifiers.shift);
  } else if (const auto* press = std::get_if<PointerPressed>(&event)) {
    pressed(frame, context, *press);
  } else if (const auto* key = std::get_if<KeyPressed>(&event)) {
    if (key->key == Key::Escape && key->down)
      takeBack(context);
    else
      nudge(context, *key);
  } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    if (!focus->focused && grip_ != Grip::None) {
      if (changed_) context.editor.seal();
      grip_ = Grip::None;
      changed_ = false;
    }
  }
  if (!frame.pointer) return Cursor::Arrow;
  switch (grip_ != Grip::None ? grip_ : gripAt(frame, *frame.pointer)) {
    case Grip::None:
      return Cursor::Arrow;
    case Grip::Sigma:
    case Grip::Along:
      return Cursor::ResizeHorizontal;
    default:
      return Cursor::Hand;
  }
}

std::vector<std::pair<std::string, std::string>> ChainPage::gestures() const {
  return {{tr("Click in the square"), tr("go to that p and q")},
          {tr("Double click in the square"), tr("and show its plane")},
          {tr("Drag an end of the path"), tr("move it")},
          {tr("Drag the marker, or in the plots"), tr("move along the path")},
          {tr("Drag over the curves"), tr("choose σ")},
          {tr("Shift while dragging"), tr("steps of 0.05")},
          {tr("Arrow keys"), tr("move p and q, with Shift in steps of 0.05")},
          {tr("PageUp, PageDown"), tr("change σ")},
          {tr("Escape while dragging"), tr("take the drag back")}};
}

}  // namespace sepx::ui
