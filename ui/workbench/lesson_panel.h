// SPDX-License-Identifier: Apache-2.0
// The strip at the bottom of the window that shows the lesson's present step: title, prose, questions, Back and Next,
// and a dot a step. The strip is as high as the longest step needs, so that the picture above keeps its size. Frame
// thread.
#pragma once

#include <string>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/lesson_player.h"

namespace sepx::ui {

class LessonPanel {
 public:
  /// Height of the strip in a window of this size, points; 0 without a lesson.
  float height(const LessonPlayer& player, render::Point window, const Theme& theme, bool stage);
  void draw(LessonPlayer& player, const render::Rect& strip, const Theme& theme, ControlMap& controls, bool stage);

 private:
  void drawText(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls, bool stage);
  void drawSide(LessonPlayer& player, float height, const Theme& theme, ControlMap& controls);
  void drawQuestion(LessonPlayer& player, std::size_t index, float width, const Theme& theme, ControlMap& controls);
  void drawDots(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls);

  // What the last height was computed for.
  std::string lesson_;
  render::Point window_;
  float height_ = 0;
};

}  // namespace sepx::ui
