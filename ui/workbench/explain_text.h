// SPDX-License-Identifier: Apache-2.0
// Words with formulas among them, set in lines of a width: "the loss depends on $S = e^2 u$ alone". Frame thread,
// inside an ImGui window.
#pragma once

#include <string_view>

#include <imgui/imgui.h>

namespace sepx::ui {

struct MixedStyle {
  ImFont* font;
  float size;  ///< of the type, points
  ImU32 color;
  float leading = 1.35f;
};

/// Height that the text takes in lines of `width` points.
float mixedHeight(std::string_view text, float width, const MixedStyle& style);
/// Draws it at ImGui's cursor, which moves below. Answers false when glyphs of a formula are still to come.
bool drawMixed(std::string_view text, float width, const MixedStyle& style);

}  // namespace sepx::ui
