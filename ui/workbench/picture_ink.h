// SPDX-License-Identifier: Apache-2.0
// One picture of a file in ImGui, such as the small one of a page in the guide. It stands in ImGui's own atlas, as
// formulas do (formula_ink.h): the atlas is made anew when another picture is asked for. One per ImGui context
// (ImguiContext owns it). Frame thread.
#pragma once

#include <string>

#include <imgui/imgui.h>

#include "engine/gpu/frame_target.h"

namespace sepx::ui {

class PictureInk {
 public:
  /// Of the current ImGui context; null where the context has none.
  static PictureInk* current();

  /// Draws a PNG file at ImGui's cursor, which moves below it, `width` points wide. False when it is still to come: the
  /// next frame has it, and its room is left free meanwhile where it is known. A file that cannot be read, or is larger
  /// than kMostPixels, draws nothing.
  bool draw(const std::string& path, float width);

  // For ImguiContext.
  bool wanting() const { return wanted_ != held_; }
  void reserve(ImFontAtlas& atlas);
  void fill(ImFontAtlas& atlas);

 private:
  static constexpr std::uint32_t kMostPixels = 1024;  ///< of a side: the atlas has room for one picture

  std::string wanted_, held_;  ///< paths; held_: what pixels_ are of
  gpu::Pixels pixels_;         ///< empty: none
  int rect_ = -1;              ///< of the atlas
  ImVec2 uvMin_{}, uvMax_{};
};

}  // namespace sepx::ui
