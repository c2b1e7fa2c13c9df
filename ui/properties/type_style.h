// SPDX-License-Identifier: Apache-2.0
// Text styles of the panels. The fonts of all styles are in ImGui's atlas, in this order (ui/workbench/imgui_context).
// Frame thread.
#pragma once

#include <string>

#include <imgui/imgui.h>

namespace sepx::ui {

/// Index into io.Fonts->Fonts.
enum class TextStyle { Body, Small, Title, Lesson, Strong, LessonStrong, LessonSlanted, Display };

/// The font of a style, or the last font if the atlas has fewer.
ImFont* textFont(TextStyle style);
/// Draws a text at ImGui's cursor in the given style.
void textIn(TextStyle style, const std::string& text);

}  // namespace sepx::ui
