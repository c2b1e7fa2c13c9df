// SPDX-License-Identifier: Apache-2.0
// The ImGui window of a sheet over the picture: raised, framed, with round corners and without a title bar. The user
// cannot move it. Frame thread.
#pragma once

#include <optional>

#include <imgui/imgui.h>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// Rectangle of a sheet in a window of `window` points: in its middle, as high as the window, at most `widest` text
/// sizes wide. The sheet fills the window if only a narrow strip would be left beside it, where controls would be cut
/// off. Pure.
render::Rect tallSheet(render::Point window, float widest, const Theme& theme);
/// Places the next ImGui window there.
void placeTallSheet(render::Point window, float widest, const Theme& theme);

/// Colour of the edges of fields and boxes on a sheet: contrast 3:1 against its background.
render::Color edgeOnRaised(const Theme& theme);

struct SheetOptions {
  float border = 1;                 ///< of the frame, points
  std::optional<ImVec2> padding{};  ///< none: that of the style
  ImGuiWindowFlags flags = 0;       ///< in addition to those of every sheet
};

/// Begins the window, and ends it where the scope ends.
class SheetWindow {
 public:
  SheetWindow(const char* id, const Theme& theme, const SheetOptions& options = {});
  ~SheetWindow();
  SheetWindow(const SheetWindow&) = delete;
  SheetWindow& operator=(const SheetWindow&) = delete;
  /// Whether any part of it is visible.
  explicit operator bool() const { return seen_; }

 private:
  int variables_ = 2;  ///< number of style variables to pop after the window
  bool seen_ = false;
};

}  // namespace sepx::ui
