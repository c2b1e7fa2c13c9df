// SPDX-License-Identifier: Apache-2.0
// Computes how much room the steps of a lesson need in a strip of a given width. lesson_panel.cpp draws what is
// measured here. Frame thread, with the fonts of the current ImGui frame.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

inline constexpr float kLessonSide = 200;  ///< points: width of the dots and buttons beside the text
inline constexpr float kLessonDot = 20;    ///< points from dot to dot, where there is room

/// Where the prose and the questions of a step go.
struct LessonColumns {
  float title = 0, prose = 0, questions = 0;  ///< widths of the text
  bool beside = false;                        ///< questions at the right of the prose
  bool narrow = false;                        ///< dots and buttons in a row below, not at the right
};

LessonColumns lessonColumns(const Lesson& lesson, std::size_t step, float windowWidth, const Theme& theme, bool stage);
/// Prose of a step in a strip with room for `most` points. The first step begins with the introduction of the lesson.
/// On a stage only paragraphs that fit are included.
std::vector<Block> lessonProse(const Lesson& lesson, std::size_t step, const LessonColumns& columns, const Theme& theme,
                               bool stage, float most);
/// Width of the lesson column on a stage, points; the picture keeps at least two thirds. A low working window has a
/// column too, because a strip would leave no height for the picture. 0: the window has no room for a column, and the
/// lesson is a strip.
float lessonColumnWidth(render::Point window, bool stage);
/// Prose of a step in a column of this height: whole sentences in at most five lines of `width`, or the words of the
/// first sentence that fit; empty where the question leaves no room. `answered`: the text after an answer needs room
/// too.
std::vector<Block> columnProse(const Lesson& lesson, std::size_t step, bool answered, float width, float height,
                               const Theme& theme);
/// The sentence shown where a step has replaced the user's own picture.
std::string replacedStateWords();
/// The sentence shown after a wrong choice.
std::string tryAgainWords();
/// Whether the lines of a step wait for work. Its strip then has room for the progress and for the buttons of the wait.
bool hasStatus(const LessonStep& step);
/// Height of that status text and its buttons in `width`.
float statusHeight(const Theme& theme, float width);
/// Whether the two buttons of a failed wait fit in one row of `width`.
bool waitButtonsFitInRow(float width);
/// Height of the row of dots and buttons of a narrow strip.
float lessonRowHeight(const Theme& theme);

/// Height of the strip for each step, points, in a window of this size.
std::vector<float> lessonHeights(const Lesson& lesson, render::Point window, const Theme& theme, bool stage);
/// Replaces heights that differ by at most `slack` from the largest of their group by that largest height.
std::vector<float> sharedHeights(const std::vector<float>& needs, float slack);

}  // namespace sepx::ui
