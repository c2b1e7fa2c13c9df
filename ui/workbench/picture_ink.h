// SPDX-License-Identifier: Apache-2.0
// Draws the picture of one file in ImGui, such as the small picture of a guide page. The picture is stored in ImGui's
// font atlas, as formulas are (formula_ink.h); the atlas is rebuilt when another picture is requested. One per ImGui
// context (ImguiContext owns it). Frame thread.
#pragma once

#include <string>

#include <imgui/imgui.h>

#include "engine/gpu/frame_target.h"

namespace sepx::ui {

class PictureInk {
 public:
  /// The one of the current ImGui context; null where the context has none.
  static PictureInk* current();

  /// Draws a PNG file `width` points wide at ImGui's cursor, which then moves below it. Returns false and draws nothing
  /// while the atlas does not contain the picture; the next frame has it. For a file that cannot be read, or is larger
  /// than kMostPixels, it draws nothing and returns true.
  bool draw(const std::string& path, float width);

  // For ImguiContext.
  bool needsAtlasUpdate() const { return wanted_ != held_; }
  void reserve(ImFontAtlas& atlas);
  void fill(ImFontAtlas& atlas);

 private:
  static constexpr std::uint32_t kMostPixels = 1024;  ///< per side: the atlas has room for one such picture

  std::string wanted_, held_;  ///< paths; held_: the file that pixels_ was read from
  gpu::Pixels pixels_;         ///< empty: none
  int rect_ = -1;              ///< index of the custom rectangle in the atlas; -1: none
  ImVec2 uvMin_{}, uvMax_{};
};

}  // namespace sepx::ui
