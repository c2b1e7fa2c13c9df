// SPDX-License-Identifier: Apache-2.0
// Text of a panel in lines that end between words. ImGui breaks a line behind every point and comma, also inside of a
// number ("3," "000"), so the lines are made here and ImGui only breaks a word that is longer than a line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <imgui/imgui.h>

namespace sepx::ui {

using WidthOf = std::function<float(std::string_view)>;
/// `text` with line breaks in place of spaces, or between characters of scripts without spaces (line_breaks.h), so that
/// no line of several words is wider than `width`. `widthOf`: of a
/// piece of text, in the unit of `width`. Pure.
std::string inLines(std::string_view text, float width, const WidthOf& widthOf);
/// `text`, or its beginning with an ellipsis where it is wider than `width`. UTF-8. Pure.
std::string shortened(std::string_view text, float width, const WidthOf& widthOf);
/// Of a line in ImGui's present font, points. Frame thread.
float imguiWidth(std::string_view text);

/// The letters that symbols slant, and the private character under which ImGui's fonts of text have the slanted form of
/// one (ui/workbench/symbol_glyphs.h): those of mathematics do not fit in 16 bits. 0: it has none.
std::u32string_view panelLetters();
char32_t panelLetter(char32_t letter);

/// Whether a line is drawn in pieces: it has symbols, or is a name from slantedName().
bool isSetInPieces(std::string_view text);
/// A line with its symbols set (symbols.h) in ImGui's present font and colour, its upper left corner at `at` of the
/// screen; how wide it is. Frame thread.
float setLineWidth(std::string_view text);
void drawSetLine(std::string_view text, ImVec2 at);

/// `text` in lines of at most `width` points, its symbols set, the upper left corner at `at` of the screen; how high it
/// is. Frame thread.
float setTextHeight(std::string_view text, float width);
void drawSetText(std::string_view text, ImVec2 at, float width);
/// The same at ImGui's cursor, which moves below it.
void panelText(std::string_view text, float width);
/// A row of a list to choose from, its symbols set. `id`: among the rows of the list.
bool setSelectable(const std::string& text, const std::string& id, bool chosen, ImVec2 size = {0, 0});

}  // namespace sepx::ui
