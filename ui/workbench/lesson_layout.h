// SPDX-License-Identifier: Apache-2.0
// How much room the steps of a lesson need in a strip of a width: what is measured here is what lesson_panel.cpp draws.
// Frame thread, with the fonts of the present ImGui frame.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

inline constexpr float kLessonSide = 200;  ///< points: Back, Next and dots beside the text
inline constexpr float kLessonDot = 20;    ///< points from dot to dot, where there is room

/// Where the prose and the questions of a step go.
struct LessonColumns {
  float title = 0, prose = 0, questions = 0;  ///< widths of the text
  bool beside = false;                        ///< questions at the right of the prose
  bool narrow = false;                        ///< dots and buttons in a row below, not at the right
};

LessonColumns lessonColumns(const Lesson& lesson, std::size_t step, float windowWidth, const Theme& theme, bool stage);
/// What is said in a strip that has room for `most` points: the first step begins with what stands before it; a stage
/// shows the paragraphs that fit.
std::vector<Block> lessonProse(const Lesson& lesson, std::size_t step, const LessonColumns& columns, const Theme& theme,
                               bool stage, float most);
/// Width of the column that a lesson has in a window in front of a room, points: at least two thirds are the picture's.
/// A low window of somebody who works has one too, as a strip would leave no height to the picture. 0: the window has
/// no room for one, and the lesson is a strip.
float lessonColumnWidth(render::Point window, bool stage);
/// What a room reads of a step in a column of this height: whole sentences in at most five lines of `width`, or the
/// words of the first one that fit; nothing where the question leaves no room. `answered`: what is said after an answer
/// stands there too.
std::vector<Block> columnProse(const Lesson& lesson, std::size_t step, bool answered, float width, float height,
                               const Theme& theme);
/// The sentence under a step that put the person's own picture aside.
std::string asideWords();
/// The sentence behind a choice that is wrong.
std::string tryAgainWords();
/// Where the lines of a step wait for work, its strip keeps room for how far that is and for what a person may decide.
bool hasStatus(const LessonStep& step);
/// Height of these words and buttons, which stand in `width`.
float statusHeight(const Theme& theme, float width);
/// Of a width from which on the two buttons of a wait that failed stand in one row.
bool decidesInRow(float width);
/// Height of the row of dots and buttons of a narrow strip, and of the buttons beside a wide one.
float lessonRowHeight(const Theme& theme);

/// Height of the strip for each step, points, in a window of this size.
std::vector<float> lessonHeights(const Lesson& lesson, render::Point window, const Theme& theme, bool stage);
/// Gives needs that differ by at most `slack` from the largest of their group that value.
std::vector<float> sharedHeights(const std::vector<float>& needs, float slack);

}  // namespace sepx::ui
