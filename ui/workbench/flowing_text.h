// SPDX-License-Identifier: Apache-2.0
// Words with formulas among them, set in lines of a width: "the loss depends on $S = e^2 u$ alone", and a lesson's
// prose in its styles, where `$S$` in code quotes is a formula. Frame thread, inside an ImGui window.
#pragma once

#include <string_view>
#include <vector>

#include <imgui/imgui.h>

#include "ui/canvas/theme.h"
#include "ui/document/lesson.h"
#include "ui/properties/formula_font.h"
#include "ui/properties/type_style.h"

namespace sepx::ui {

struct MixedStyle {
  ImFont* font;
  float size;  ///< of the type, points
  ImU32 color;
};

/// A face of the interface at the size at which ImGui has its glyphs: any other is blurred.
MixedStyle mixedStyle(TextStyle face, render::Color color);

/// The size of a formula whose letters are as high as those of the text around it, points: an interface font's size is
/// the height of its lines, the other's is its em.
double formulaSizeIn(const ImFont& font, float size, const FormulaFont& face);

/// Draws it at ImGui's cursor, which moves below. Answers false when glyphs of a formula are still to come.
bool drawMixed(std::string_view text, float width, const MixedStyle& style);

/// Height that `blocks` take in lines of `width` points.
float proseHeight(const std::vector<Block>& blocks, float width, const Theme& theme);
/// Draws them at ImGui's cursor, which moves below.
void drawProse(const std::vector<Block>& blocks, float width, const Theme& theme);

}  // namespace sepx::ui
