// SPDX-License-Identifier: Apache-2.0
// Sets text with formulas in lines of a given width: "the loss depends on $S = e^2 u$ alone". Also sets the prose of a
// lesson in its styles, where `$S$` in code quotes is a formula. Frame thread, inside an ImGui window.
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

/// A face of the interface at the size for which ImGui has its glyphs; any other size would be blurred.
MixedStyle mixedStyle(TextStyle face, render::Color color);

/// The size, in points, at which the letters of a formula are as high as those of the text around it. It differs from
/// the size of the text, because the size of an interface font is its line height and that of a formula font is its em.
double formulaSizeIn(const ImFont& font, float size, const FormulaFont& face);

/// Draws the text at ImGui's cursor, which moves below it. Returns false while glyphs of a formula are not yet in the
/// atlas.
bool drawMixed(std::string_view text, float width, const MixedStyle& style);

/// Height of `blocks` in lines of `width` points.
float proseHeight(const std::vector<Block>& blocks, float width, const Theme& theme);
/// Draws `blocks` at ImGui's cursor, which moves below them.
void drawProse(const std::vector<Block>& blocks, float width, const Theme& theme);

}  // namespace sepx::ui
