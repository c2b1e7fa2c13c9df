// SPDX-License-Identifier: Apache-2.0
// Draws the text of panels in lines that end between words. ImGui breaks a line after every full stop and comma, even
// inside a number ("3," "000"). Lines are therefore made here, and ImGui only breaks a word that is longer than a line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <imgui/imgui.h>

namespace sepx::ui {

using WidthOf = std::function<float(std::string_view)>;
/// `text` with line breaks in place of spaces, or between characters of scripts without spaces (line_breaks.h), so that
/// no line of several words is wider than `width`. `widthOf` measures a piece of text in the unit of `width`. Pure.
std::string withLineBreaks(std::string_view text, float width, const WidthOf& widthOf);
/// `text`, or its beginning with an ellipsis if it is wider than `width`. UTF-8. Pure.
std::string shortened(std::string_view text, float width, const WidthOf& widthOf);
/// Width of a line in ImGui's present font, points. Frame thread.
float imguiWidth(std::string_view text);

/// The letters that are slanted in symbols. panelLetter() is the private-use character under which ImGui's text fonts
/// contain the slanted form of a letter (ui/workbench/symbol_glyphs.h), because the code points of mathematical italic
/// do not fit in 16 bits; 0 if there is none.
std::u32string_view panelLetters();
char32_t panelLetter(char32_t letter);

/// Whether a line is drawn in pieces, because it contains symbols or is a name from slantedName().
bool isDrawnInPieces(std::string_view text);
/// A line with its symbols typeset (symbols.h) in ImGui's present font and colour: its width, and drawing with the
/// upper left corner at `at` on the screen. Frame thread.
float typesetLineWidth(std::string_view text);
void drawTypesetLine(std::string_view text, ImVec2 at);

/// `text` in lines of at most `width` points with its symbols typeset: its height, and drawing with the upper left
/// corner at `at` on the screen. Frame thread.
float typesetTextHeight(std::string_view text, float width);
void drawTypesetText(std::string_view text, ImVec2 at, float width);
/// Draws the same at ImGui's cursor and moves the cursor below it.
void panelText(std::string_view text, float width);
/// A selectable row of a list, with its symbols typeset. `id`: unique among the rows of the list.
bool typesetSelectable(const std::string& text, const std::string& id, bool chosen, ImVec2 size = {0, 0});

}  // namespace sepx::ui
