// SPDX-License-Identifier: Apache-2.0
// Input as every host and every script speaks it: neutral events in window pixels, origin top left. One place
// (workbench/imgui_input) writes them into ImGui, at most one change per key or button and frame, because ImGui 1.86
// loses what goes down and up between two frames.
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
  /// What the window system says of a press that goes down: 1: a click of its own, 2: the second press of a double
  /// click. 0: it says nothing, and the time between two presses decides (continuesClick()).
  int clicks = 0;
};

/// Whether a press is the second one of a double click, `seconds` of host time after the press before it. A host knows
/// when the buttons went down; the time of frames is later by what a frame takes. That both are at one place is for
/// the caller to see.
inline bool continuesClick(const PointerPressed& press, double seconds) {
  constexpr double kDoubleClick = 0.4;  // seconds
  return press.clicks == 0 ? seconds <= kDoubleClick : press.clicks == 2;
}

struct Scrolled {
  double dx, dy;
  Modifiers modifiers;
};  ///< notches; dy > 0 away from the person
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
