// SPDX-License-Identifier: Apache-2.0
// Delivers input events to panes.
#include "ui/workbench/input_router.h"

#include <cmath>
#include <utility>

namespace sepx::ui {
namespace {

Cursor cursorOf(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return Cursor::Text;
    case ImGuiMouseCursor_ResizeAll:
      return Cursor::Move;
    case ImGuiMouseCursor_ResizeEW:
      return Cursor::ResizeHorizontal;
    case ImGuiMouseCursor_ResizeNS:
      return Cursor::ResizeVertical;
    case ImGuiMouseCursor_Hand:
      return Cursor::Hand;
    default:
      return Cursor::Arrow;
  }
}

}  // namespace

void InputRouter::followPlaces() {
  const std::size_t places = panes_.places().size();
  if (static_cast<std::size_t>(pointerPane_) > places) pointerPane_ = 0;
  if (static_cast<std::size_t>(gesturePane_) > places) {
    gesturePane_ = 0;
    button_.reset();
  }
  std::vector<render::Rect> now;
  for (const PanePlace& place : panes_.places())
    now.push_back(place.picture);
  if (std::exchange(places_, now) != now && pointerPane_ > 0 && !button_)
    pointer(PointerMoved{at_.x, at_.y, {}}, true);  // the pointer was already over a picture
}

void InputRouter::leave() {
  if (const int left = std::exchange(pointerPane_, 0)) panes_.at(left).push(PointerLeft{});
}

/// Sends an event to the pane of the gesture or, without one, to the pane under the pointer. The pane that the pointer
/// left gets PointerLeft.
void InputRouter::pointer(const InputEvent& event, bool forCanvas) {
  const int target = button_ ? gesturePane_ : forCanvas ? panes_.paneAt(at_) : 0;
  if (pointerPane_ != target) leave();
  pointerPane_ = target;
  if (target > 0) panes_.at(target).push(event);
}

/// Whether a press is the second of a double click whose first press met another view: it was not meant for the present
/// one. Also true for the release of an ignored button.
bool InputRouter::belongsToPreviousView(const PointerPressed& press, const std::string& view) {
  constexpr double kNear = 4;  // points
  if (!press.down) return ignored_ == press.button;
  const std::optional<Pressed> before = std::exchange(last_, Pressed{window_.seconds, {press.x, press.y}, view});
  if (button_ || !before || before->view == view) return false;
  return isSecondClick(press, window_.seconds - before->seconds) &&
         std::hypot(press.x - before->at.x, press.y - before->at.y) < kNear;
}

/// Whether a key belongs to a text field. A key that went down while a text was edited does so until it is released,
/// even if it ended the editing.
bool InputRouter::isForTextField(const KeyPressed& stroke, bool textActive) {
  bool& held = textFieldKeys_[static_cast<std::size_t>(stroke.key)];
  if (!stroke.down) return std::exchange(held, false) || textActive;
  held = held || textActive;
  return held;
}

void InputRouter::press(const PointerPressed& press, bool forCanvas) {
  at_ = {press.x, press.y};
  const int over = panes_.paneAt(at_);
  if (belongsToPreviousView(press, forCanvas && over > 0 ? panes_.at(over).view() : std::string())) {
    ignored_ = press.down ? std::optional(press.button) : std::nullopt;
    return;
  }
  if (!forCanvas || (press.down && !button_ && over == 0)) return;
  // The gesture belongs to the button that began it; another that goes down or up does not end it.
  if (press.down && !button_) {
    button_ = press.button;
    gesturePane_ = over;
    panes_.activate(over);
  }
  if (press.down) ImGui::SetWindowFocus(nullptr);  // a text field gives up the keyboard
  pointer(press, forCanvas);
  if (!press.down && button_ == press.button) button_.reset();
}

void InputRouter::begin(render::Point pressed, render::Point now) {
  if (panes_.paneAt(pressed) == 0) return;
  last_.reset();  // it is the press that showed the panes, and was meant for them
  press(PointerPressed{Button::Left, true, pressed.x, pressed.y, {}}, true);
  if (now.x == pressed.x && now.y == pressed.y) return;
  at_ = now;
  pointer(PointerMoved{now.x, now.y, {}}, true);
}

void InputRouter::pass(InputEvent event, bool forCanvas,
                       const std::function<bool(const KeyPressed&, bool textActive)>& key) {
  if (const auto* pressed = std::get_if<PointerPressed>(&event)) {
    press(*pressed, forCanvas);
  } else if (const auto* moved = std::get_if<PointerMoved>(&event)) {
    at_ = {moved->x, moved->y};
    pointer(event, forCanvas);
  } else if (std::holds_alternative<PointerLeft>(event)) {
    if (!button_) leave();
  } else if (std::holds_alternative<Scrolled>(event)) {
    if (forCanvas) pointer(event, forCanvas);
  } else if (const auto* stroke = std::get_if<KeyPressed>(&event)) {
    const bool ofText = isForTextField(*stroke, ImGui::GetIO().WantTextInput);
    if (!key(*stroke, ofText) && !ofText) panes_.active().push(std::move(event));
  } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    if (!focus->focused) {
      // A menu or another window has the keyboard: the typed value is accepted, as in every field of a form.
      if (ImGui::GetIO().WantTextInput) ImGui::SetWindowFocus(nullptr);
      button_.reset();
      ignored_.reset();
      textFieldKeys_ = {};
    }
    panes_.eachShown([&](Pane& one) { one.push(event); });
  }
}

void InputRouter::route(std::vector<InputEvent> events,
                        const std::function<bool(const KeyPressed&, bool textActive)>& key) {
  // The field takes the typed value when it is drawn next, and its page reads the value one frame later.
  constexpr int kFrames = 2;
  const ImGuiIO& io = ImGui::GetIO();
  if (framesToWait_ > 0 && --framesToWait_ == 0)
    for (InputEvent& event : std::exchange(waiting_, {}))
      pass(std::move(event), true, key);
  for (InputEvent& event : events) {
    const bool forCanvas = button_.has_value() || !io.WantCaptureMouse;
    const auto* const pressed = std::get_if<PointerPressed>(&event);
    // A press or key in the window means that the file dialog was closed without a file.
    if (pressed || std::holds_alternative<KeyPressed>(event)) window_.fileDialogKey.clear();
    if (framesToWait_ == 0 && pressed && pressed->down && forCanvas && !button_ && io.WantTextInput &&
        panes_.paneAt({pressed->x, pressed->y}) > 0) {
      ImGui::SetWindowFocus(nullptr);
      framesToWait_ = kFrames;
    }
    if (framesToWait_ > 0)
      waiting_.push_back(std::move(event));
    else
      pass(std::move(event), forCanvas, key);
  }
  if (framesToWait_ > 0) window_.redraw(framesToWait_);
}

Cursor InputRouter::cursor() {
  if (!button_ && ImGui::GetIO().WantCaptureMouse) return cursorOf(ImGui::GetMouseCursor());
  const int number = button_ ? gesturePane_ : pointerPane_;
  return number > 0 ? panes_.at(number).cursor() : Cursor::Arrow;
}

}  // namespace sepx::ui
