// SPDX-License-Identifier: Apache-2.0
// Input events that every host and every script produces: independent of the window system, in window pixels, origin
// top left. Only workbench/imgui_input passes them on to ImGui, at most one change per key or button and frame, because
// ImGui 1.86 loses presses that begin and end between two frames.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace sepx::ui {

enum class Key : std::uint8_t {
  None,
  Space,
  Enter,
  Escape,
  Tab,
  Backspace,
  Delete,
  Insert,
  Home,
  End,
  PageUp,
  PageDown,
  Left,
  Right,
  Up,
  Down,
  A,
  B,
  C,
  D,
  E,
  F,
  G,
  H,
  I,
  J,
  K,
  L,
  M,
  N,
  O,
  P,
  Q,
  R,
  S,
  T,
  U,
  V,
  W,
  X,
  Y,
  Z,
  Num0,
  Num1,
  Num2,
  Num3,
  Num4,
  Num5,
  Num6,
  Num7,
  Num8,
  Num9,
  Plus,
  Minus,
  Period,
  Comma,
  Slash,
  Question,
  F1,
  F2,
  F3,
  F4,
  F5,
  F6,
  F7,
  F8,
  F9,
  F10,
  F11,
  F12,
  Count
};

struct Modifiers {
  bool ctrl = false, shift = false, alt = false, super = false;
  bool operator==(const Modifiers&) const = default;
};

enum class Button : std::uint8_t { Left, Right, Middle };

struct PointerMoved {
  double x, y;
  Modifiers modifiers = {};
};
struct PointerLeft {};
struct PointerPressed {
  Button button;
  bool down;
  double x, y;
  Modifiers modifiers;
  /// Click count that the window system reports for a press (`down`). 1: a single click, 2: the second press of a
  /// double click. 0: not reported, so that the time between two presses decides (isSecondClick()).
  int clicks = 0;
};

/// Whether a press is the second one of a double click. `seconds` is the host time since the previous press: a host
/// knows when the buttons went down, while the time of a frame is later by up to the duration of a frame. The caller
/// must check that both presses are at the same position.
inline bool isSecondClick(const PointerPressed& press, double seconds) {
  constexpr double kDoubleClick = 0.4;  // seconds
  return press.clicks == 0 ? seconds <= kDoubleClick : press.clicks == 2;
}

struct Scrolled {
  double dx, dy;
  Modifiers modifiers;
};  ///< notches; dy > 0 is away from the user
struct KeyPressed {
  Key key;
  bool down;
  Modifiers modifiers;
};
struct TextTyped {
  std::string utf8;
};
struct FocusChanged {
  bool focused;
};

using InputEvent =
    std::variant<PointerMoved, PointerLeft, PointerPressed, Scrolled, KeyPressed, TextTyped, FocusChanged>;

}  // namespace sepx::ui
