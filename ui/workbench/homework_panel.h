// SPDX-License-Identifier: Apache-2.0
// What of the lesson strip is typed: the name that begins a homework, and answers that are numbers. Frame thread,
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
  /// The name, or whose homework it is and with which values. Nothing where the lesson is no homework.
  void drawName(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);
  /// The field of a question of the present step that asks for a number.
  void drawNumber(LessonPlayer& player, std::size_t question, const Theme& theme, ControlMap& controls);
  /// What drawName() needs, points.
  static float height(const LessonPlayer& player);

 private:
  std::array<char, kLongestName + 1> name_{};
  std::string refused_;  ///< why the name was
  std::map<QuestionPlace, std::array<char, 32>> numbers_;
  std::string of_;  ///< the lesson that they are of
};

}  // namespace sepx::ui
