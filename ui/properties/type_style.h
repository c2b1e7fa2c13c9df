// SPDX-License-Identifier: Apache-2.0
// The styles of type in panels. Fonts of all styles are in ImGui's atlas, in this order (ui/workbench/imgui_context).
// Frame thread.
#pragma once

#include <string>

#include <imgui/imgui.h>

namespace sepx::ui {

/// Index into io.Fonts->Fonts.
enum class TextStyle { Body, Small, Title, Lesson, Strong, LessonStrong, LessonSlanted, Display };

/// The last font that there is where the atlas has fewer.
ImFont* textFont(TextStyle style);
/// A text at ImGui's cursor in a style of its own.
void textIn(TextStyle style, const std::string& text);

}  // namespace sepx::ui
