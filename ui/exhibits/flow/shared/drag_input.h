// SPDX-License-Identifier: Apache-2.0
// Shared by pages with objects that can be dragged: the tolerance of a click and the directions of the arrow keys.
// Frame thread; no ImGui.
#pragma once

#include <array>
#include <optional>

#include "ui/canvas/handles.h"
#include "ui/page/exhibit_context.h"

namespace sepx::ui {

inline constexpr double kPointerTolerance = 3;  ///< points that the pointer may move during a click

/// The step of a key along the directions right, up and towards the reader (PageUp); empty optional for any other key.
inline std::optional<std::array<int, 3>> directionOf(Key key) {
  switch (key) {
    case Key::Left:
      return {{-1, 0, 0}};
    case Key::Right:
      return {{1, 0, 0}};
    case Key::Up:
      return {{0, 1, 0}};
    case Key::Down:
      return {{0, -1, 0}};
    case Key::PageUp:
      return {{0, 0, 1}};
    case Key::PageDown:
      return {{0, 0, -1}};
    default:
      return std::nullopt;
  }
}

}  // namespace sepx::ui
