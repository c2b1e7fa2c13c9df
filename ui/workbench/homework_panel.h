// SPDX-License-Identifier: Apache-2.0
// The text fields of the lesson strip: the name that begins a homework, and answers that are numbers. Frame thread,
// inside an ImGui frame.
#pragma once

#include <array>
#include <map>
#include <string>

#include "ui/canvas/theme.h"
#include "ui/document/homework.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/lesson_player.h"

namespace sepx::ui {

class HomeworkPanel {
 public:
  /// Draws the field for the name or, once the homework has begun, the name and its values. Draws nothing if the lesson
  /// is not homework.
  void drawName(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);
  /// Draws the field for a question of the current step that asks for a number.
  void drawNumber(LessonPlayer& player, std::size_t question, const Theme& theme, ControlMap& controls);
  /// The height that drawName() needs, points.
  static float height(const LessonPlayer& player);

 private:
  std::array<char, kLongestName + 1> name_{};
  std::string refused_;  ///< why the name was refused; empty: it was not
  std::map<QuestionPlace, std::array<char, 32>> numbers_;
  std::string of_;  ///< the lesson that numbers_ belong to
};

}  // namespace sepx::ui
