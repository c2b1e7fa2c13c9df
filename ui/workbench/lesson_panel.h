// SPDX-License-Identifier: Apache-2.0
// The strip at the bottom of the window that shows the current step of the lesson: title, prose and questions, with one
// dot per step and the buttons beside them or, in a narrow window, below them. The strip is as high as its text; steps
// of nearly the same length share a height, so that the picture above keeps its size. On a stage it is a column at the
// right of the picture. Frame thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/homework_panel.h"
#include "ui/workbench/lesson_player.h"

namespace sepx::ui {

class LessonPanel {
 public:
  /// Width of the column in a window of this size, points; 0: it is a strip, or there is no lesson. `follows`: the
  /// window only shows what another one does.
  float width(const LessonPlayer& player, render::Point window, bool stage, bool follows);
  /// Height of the strip in a window of this size, points; 0 without a lesson.
  float height(const LessonPlayer& player, render::Point window, const Theme& theme, bool stage);
  /// Returns the command of the button that was pressed, such as "lesson.close"; empty: none.
  std::optional<std::string> draw(LessonPlayer& player, const render::Rect& strip, const Theme& theme,
                                  ControlMap& controls, bool stage);

 private:
  void drawText(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls, bool stage);
  void drawColumn(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls);
  bool drawColumnChoice(const std::string& text, float width);
  void drawSide(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls);
  void drawRow(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);
  void drawButtons(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);
  void drawQuestion(LessonPlayer& player, std::size_t index, float width, const Theme& theme, ControlMap& controls);
  void drawChoices(LessonPlayer& player, std::size_t index, float width, const Theme& theme, ControlMap& controls);
  void drawStatus(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);
  void drawContinue(float width, ControlMap& controls);
  void drawDots(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);

  // The state for which heights_ was computed.
  std::string lesson_;
  render::Point window_;
  float scale_ = 0;
  bool column_ = false, follows_ = false;
  std::vector<float> heights_;  // per step
  std::string pressedCommand_;  // the command of this frame
  HomeworkPanel homework_;
};

}  // namespace sepx::ui
