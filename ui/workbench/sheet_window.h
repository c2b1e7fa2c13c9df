// SPDX-License-Identifier: Apache-2.0
// The ImGui window of a sheet that stands over the picture: raised, framed, with round corners, without a title bar. It
// stays where it is put. Frame thread.
#pragma once

#include <optional>

#include <imgui/imgui.h>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// Where a sheet stands in a window of `window` points: in its middle, as high as it, at most `widest` sizes of the
/// text wide. It fills a window that has room for a narrow strip beside it alone: half a control is seen there. Pure.
render::Rect tallSheet(render::Point window, float widest, const Theme& theme);
/// The next ImGui window stands there.
void placeTallSheet(render::Point window, float widest, const Theme& theme);

/// Of fields and boxes on a sheet: 3:1 against its ground.
render::Color edgeOnRaised(const Theme& theme);

struct SheetOptions {
  float border = 1;                 ///< of the frame, points
  std::optional<ImVec2> padding{};  ///< none: that of the style
  ImGuiWindowFlags flags = 0;       ///< beside those of every sheet
};

/// Begins the window, and ends it where the scope ends.
class SheetWindow {
 public:
  SheetWindow(const char* id, const Theme& theme, const SheetOptions& options = {});
  ~SheetWindow();
  SheetWindow(const SheetWindow&) = delete;
  SheetWindow& operator=(const SheetWindow&) = delete;
  /// Something of it is seen.
  explicit operator bool() const { return seen_; }

 private:
  int variables_ = 2;  ///< of the style, to take back after the window
  bool seen_ = false;
};

}  // namespace sepx::ui
