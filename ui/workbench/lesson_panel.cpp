// SPDX-License-Identifier: Apache-2.0
// Draws the lesson strip with ImGui.
#include "ui/workbench/lesson_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/lesson_layout.h"

namespace sepx::ui {
namespace {

constexpr float kDot = 4;        // radius
constexpr double kUnseen = 0.5;  // seconds: a shorter wait shows no status
constexpr float kBar = 300;      // points: longest progress bar

constexpr ImGuiWindowFlags kStrip = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoScrollWithMouse;

/// Status text of a wait: its progress, that the next step waits for it too, or that it failed.
std::string statusWords(const LessonPlayer& player) {
  const std::string words = player.waiting()->words();
  if (player.failed()) return trFormat("The wait failed. {}", words);
  return player.continuesToNext() ? words + ". " + tr("The next step needs this and starts afterwards.") : words;
}

/// Controls below a narrow text: dots and buttons in one row. In a column that is too narrow for one row, the dots and
/// the button that starts again have a row above.
struct ButtonRows {
  float pair = 0, again = 0;  // widths; 0: there is no such button
  float above = 0;            // height of the first row; 0: there is one row
};

ButtonRows buttonRows(const LessonPlayer& player, float width, bool column, const Theme& theme) {
  constexpr float kLeastDot = 10;  // points from dot to dot
  ButtonRows rows;
  rows.pair = 2 * std::max({buttonWidth(tr("Back")), buttonWidth(tr("Next")), buttonWidth(tr("Finish"))}) + theme.space;
  rows.again = player.hasNext() ? 0 : buttonWidth(tr("Start again")) + theme.space;
  const float dots = kLeastDot * static_cast<float>(player.lesson()->steps.size()) + 2 * theme.space;
  if (column && rows.pair + rows.again + dots > width)
    rows.above = rows.again > 0 ? ImGui::GetFrameHeight() + theme.space : 3 * theme.space;
  return rows;
}

/// A button in the accent colour, for the most likely next action.
bool mainButton(const char* words, ImVec2 size, const Theme& theme) {
  ImGui::PushStyleColor(ImGuiCol_Button, toImVec4(theme.accent));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, toImVec4(theme.accent));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, toImVec4(theme.accentMuted));
  ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(theme.textOnAccent));
  const bool pressed = ImGui::Button(words, size);
  ImGui::PopStyleColor(4);
  return pressed;
}

}  // namespace

float LessonPanel::width(const LessonPlayer& player, render::Point window, bool stage, bool follows) {
  follows_ = follows;
  const float width = player.lesson() ? lessonColumnWidth(window, stage) : 0;
  column_ = stage && width > 0;
  return width;
}

float LessonPanel::height(const LessonPlayer& player, render::Point window, const Theme& theme, bool stage) {
  const Lesson* lesson = player.lesson();
  if (!lesson) {
    lesson_.clear();
    return 0;
  }
  const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
  if (lesson->name != lesson_ || window != window_ || scale != scale_ || heights_.size() != lesson->steps.size()) {
    lesson_ = lesson->name;
    window_ = window;
    scale_ = scale;
    heights_ = lessonHeights(*lesson, window, theme, stage);
  }
  return heights_[player.step()] + HomeworkPanel::height(player);
}

std::optional<std::string> LessonPanel::draw(LessonPlayer& player, const render::Rect& strip, const Theme& theme,
                                             ControlMap& controls, bool stage) {
  const Lesson* lesson = player.lesson();
  pressedCommand_.clear();
  if (!lesson || strip.height() <= 0) return std::nullopt;
  const ImVec2 min(static_cast<float>(strip.min.x), static_cast<float>(strip.min.y));
  const ImVec2 size(static_cast<float>(strip.width()), static_cast<float>(strip.height()));
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("lesson", nullptr, kStrip);
  player.setHovered(
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem));
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(min, ImVec2(min.x + size.x, min.y + size.y));
  const bool beside = min.x > 0;  // the lesson is beside the picture
  const ImVec2 edge = beside ? ImVec2(min.x + 1, min.y + size.y) : ImVec2(min.x + size.x, min.y + 1);
  list->AddRectFilled(min, edge, toImU32(theme.border));
  list->PopClipRect();
  if (column_) {
    drawColumn(player, size, theme, controls);
    ImGui::End();
    return std::nullopt;
  }
  const float pad = 1.5f * theme.space;
  const float inner = std::max(1.0f, size.y - 2 * pad);
  const bool narrow = lessonColumns(*lesson, player.step(), size.x, theme, stage).narrow;
  const float above = narrow ? buttonRows(player, size.x - 2 * pad, beside, theme).above : 0;
  const float row = narrow ? lessonRowHeight(theme) + above : 0;
  drawText(player, ImVec2(size.x, std::max(1.0f, inner - row)), theme, controls, stage);
  if (stage) {
    // The dots are in the row of the title, which leaves room for them.
    ImGui::SetCursorPos(ImVec2(size.x / 2, pad));
    drawDots(player, size.x / 2 - pad, theme, controls);
  } else if (narrow) {
    ImGui::SetCursorPos(ImVec2(pad, size.y - pad - row + theme.space));
    drawRow(player, size.x - 2 * pad, theme, controls);
  } else {
    ImGui::SetCursorPos(ImVec2(size.x - kLessonSide - pad, pad));
    drawSide(player, ImVec2(kLessonSide, inner), theme, controls);
  }
  ImGui::End();
  if (pressedCommand_.empty()) return std::nullopt;
  return pressedCommand_;
}

void LessonPanel::drawButtons(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  const float half = (width - theme.space) / 2;
  ImGui::BeginDisabled(!player.hasPrevious());
  if (ImGui::Button(tr("Back"), ImVec2(half, 0))) player.previous();
  controls.reportLastItem("lesson.previous");
  ImGui::EndDisabled();
  ImGui::SameLine(0, theme.space);
  if (player.hasNext()) {
    ImGui::BeginDisabled(player.continuesToNext() || player.failed());
    if (mainButton(tr("Next"), ImVec2(half, 0), theme)) player.next();
    ImGui::EndDisabled();
    controls.reportLastItem("lesson.next");
    return;
  }
  if (mainButton(tr("Finish"), ImVec2(half, 0), theme)) pressedCommand_ = "lesson.close";
  controls.reportLastItem("lesson.close");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tr("Close the lesson and explore on your own"));
}

void LessonPanel::drawSide(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls) {
  ImGui::BeginChild("side", room);
  ImGui::PushFont(textFont(TextStyle::Small));
  const std::string where = trFormat("Step {} of {}", player.step() + 1, player.lesson()->steps.size());
  ImGui::SetCursorPosX(room.x - ImGui::CalcTextSize(where.c_str()).x);
  ImGui::TextDisabled("%s", where.c_str());
  ImGui::PopFont();
  drawDots(player, room.x, theme, controls);
  if (player.mayContinue()) {
    drawContinue(room.x, controls);
  } else if (player.replacedUserState()) {
    ImGui::PushFont(textFont(TextStyle::Small));
    panelText(replacedStateWords(), room.x);
    ImGui::PopFont();
  }
  drawStatus(player, room.x, theme, controls);
  // The buttons are at the bottom of the window, so that they stay under the pointer from step to step however high the
  // strip is.
  const float line = ImGui::GetFrameHeight();
  const float rows = player.hasNext() ? line : 2 * line + ImGui::GetStyle().ItemSpacing.y;
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY() + theme.space, room.y - rows));
  if (!player.hasNext() && player.homework().begun()) {
    if (ImGui::Button(tr("Save the answers…"), ImVec2(room.x, 0))) pressedCommand_ = "lesson.save-answers";
    controls.reportLastItem("lesson.save-answers");
  } else if (!player.hasNext()) {
    if (ImGui::Button(tr("Start again"), ImVec2(room.x, 0))) pressedCommand_ = "lesson.restart";
    controls.reportLastItem("lesson.restart");
  }
  drawButtons(player, room.x, theme, controls);
  ImGui::EndChild();
}

/// Drawn in place of replacedStateWords().
void LessonPanel::drawContinue(float width, ControlMap& controls) {
  if (ImGui::Button(tr("Continue the lesson"), ImVec2(width, 0))) pressedCommand_ = "lesson.continue";
  controls.reportLastItem("lesson.continue");
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s", tr("Restore the picture as the lesson left it; undo brings yours back"));
}

/// Dots and buttons under the text of a narrow strip or column.
void LessonPanel::drawRow(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  const ButtonRows rows = buttonRows(player, width, ImGui::GetWindowPos().x > 0, theme);
  const ImVec2 at = ImGui::GetCursorPos();
  const bool apart = rows.above > 0;
  const float line = apart ? rows.above - theme.space : ImGui::GetFrameHeight();  // height of the row of dots
  const float dots = std::max(20.0f, width - (apart ? 0 : rows.pair) - rows.again - 2 * theme.space);
  ImGui::SetCursorPos(ImVec2(at.x, at.y + line / 2 - theme.space));
  drawDots(player, std::min(dots, kLessonDot * static_cast<float>(player.lesson()->steps.size())), theme, controls);
  if (rows.again > 0) {
    ImGui::SetCursorPos(ImVec2(at.x + width - rows.again + (apart ? theme.space : -rows.pair), at.y));
    if (ImGui::Button(tr("Start again"))) pressedCommand_ = "lesson.restart";
    controls.reportLastItem("lesson.restart");
  }
  const float pair = apart ? width : rows.pair;
  ImGui::SetCursorPos(ImVec2(at.x + width - pair, at.y + rows.above));
  drawButtons(player, pair, theme, controls);
}

/// Drawn while the lines wait for work, and after such a wait has failed.
void LessonPanel::drawStatus(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  if (!player.waiting() || (player.waiting()->passed() < kUnseen && !player.continuesToNext() && !player.failed()))
    return;
  ImGui::PushFont(textFont(TextStyle::Small));
  panelText(statusWords(player), width);
  ImGui::PopFont();
  const float row = waitButtonsFitInRow(width) ? 0 : width;
  if (player.failed()) {
    if (mainButton(tr("Try again"), ImVec2(row, 0), theme)) player.tryAgain();
    controls.reportLastItem("lesson.retry");
    if (waitButtonsFitInRow(width)) ImGui::SameLine(0, theme.space);
  } else if (const auto share = player.waiting()->share()) {
    ImGui::ProgressBar(static_cast<float>(*share), ImVec2(std::min(width, kBar), theme.space / 2), "");
  }
  if (!player.failed() && !player.continuesToNext()) return;
  if (ImGui::Button(tr("Continue without it"), ImVec2(row, 0))) player.continueAnyway();
  controls.reportLastItem("lesson.go-on");
}

void LessonPanel::drawText(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls, bool stage) {
  const Lesson& lesson = *player.lesson();
  const LessonStep& step = lesson.steps[player.step()];
  const LessonColumns columns = lessonColumns(lesson, player.step(), room.x, theme, stage);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  // Children scroll when a window is too low for their text.
  ImGui::BeginChild("prose", ImVec2(columns.prose + bar, room.y));
  ImGui::PushFont(textFont(TextStyle::Title));
  panelText(step.title, columns.title);
  ImGui::PopFont();
  homework_.drawName(player, columns.prose, theme, controls);
  drawProse(lessonProse(lesson, player.step(), columns, theme, stage, heights_[player.step()]), columns.prose, theme);
  if (columns.narrow && player.mayContinue()) {
    drawContinue(0, controls);
  } else if (columns.narrow && player.replacedUserState()) {
    ImGui::PushTextWrapPos(columns.prose);
    ImGui::TextDisabled("%s", replacedStateWords().c_str());
    ImGui::PopTextWrapPos();
  }
  if (stage || columns.narrow) drawStatus(player, columns.prose, theme, controls);
  if (columns.beside) {
    ImGui::EndChild();
    ImGui::SameLine(0, 2 * theme.space);
    ImGui::BeginChild("questions", ImVec2(columns.questions + bar, room.y));
  }
  for (std::size_t i = 0; i < step.questions.size(); ++i) {
    drawQuestion(player, i, columns.questions, theme, controls);
  }
  ImGui::EndChild();
}

/// The column for an audience: titles of lesson and step, at most five lines of prose, the questions, and the dots that
/// show the position in the lesson.
void LessonPanel::drawColumn(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls) {
  const Lesson& lesson = *player.lesson();
  const LessonStep& step = lesson.steps[player.step()];
  const float pad = 2 * theme.space, width = room.x - 2 * pad, dots = 2 * theme.space;
  ImGui::SetCursorPos(ImVec2(pad, pad));
  const float height = room.y - 2 * pad - dots - theme.space;
  ImGui::BeginChild("column", ImVec2(room.x - pad, height), false, ImGuiWindowFlags_NoScrollbar);
  ImGui::PushFont(textFont(TextStyle::Small));
  panelText(lesson.title, width);
  ImGui::PopFont();
  ImGui::Dummy(ImVec2(0, theme.space));
  ImGui::PushFont(textFont(TextStyle::Title));
  panelText(step.title, width);
  ImGui::PopFont();
  ImGui::Dummy(ImVec2(0, theme.space / 2));
  bool answered = false;
  for (std::size_t i = 0; i < step.questions.size(); ++i)
    answered = answered || player.answered(i) || player.chosen(i).has_value();
  drawProse(columnProse(lesson, player.step(), answered, width, height, theme), width, theme);
  drawStatus(player, width, theme, controls);
  for (std::size_t i = 0; i < step.questions.size(); ++i) {
    ImGui::Dummy(ImVec2(0, theme.space));
    drawQuestion(player, i, width, theme, controls);
  }
  ImGui::EndChild();
  ImGui::SetCursorPos(ImVec2(pad, room.y - pad - dots));
  drawDots(player, width, theme, controls);
}

/// Text wrapped at `width` that can be clicked.
bool LessonPanel::drawColumnChoice(const std::string& text, float width) {
  const ImVec2 at = ImGui::GetCursorPos();
  const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
  ImGui::PushTextWrapPos(at.x + width);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  const ImVec2 after = ImGui::GetCursorPos();
  ImGui::SetCursorPos(at);
  const bool pressed = ImGui::InvisibleButton(text.c_str(), ImVec2(width, std::max(1.0f, size.y)));
  ImGui::SetCursorPos(after);
  return pressed;
}

void LessonPanel::drawChoices(LessonPlayer& player, std::size_t index, float width, const Theme& theme,
                              ControlMap& controls) {
  const Question& question = player.lesson()->steps[player.step()].questions[index];
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const Choice& choice = question.choices[i];
    if (i && !column_) {
      // The next choice goes on the same line while there is room.
      const float needed = ImGui::CalcTextSize(("✓ " + choice.text).c_str()).x + 2 * theme.space;
      if (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + theme.space + needed < width) ImGui::SameLine();
    }
    const bool chosen = player.chosen(index) == i;
    // A homework shows only that it was chosen. Otherwise colour and mark both show whether it is correct.
    const bool shownRight = choice.correct || player.homework().begun();
    const char* const sign = player.homework().begun() ? "● " : choice.correct ? "✓ " : "✗ ";
    const std::string text = (chosen ? sign : "") + choice.text + "##" + std::to_string(i);
    const render::Color mark = shownRight ? theme.accent : theme.error;
    if (chosen) {
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, theme.lineWidth);
      ImGui::PushStyleColor(ImGuiCol_Border, toImVec4(mark));
      ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(shownRight ? theme.text : theme.error));
    }
    if (column_ ? drawColumnChoice((chosen ? sign : "○ ") + choice.text, width) : ImGui::Button(text.c_str()))
      player.choose(index, i);
    if (chosen) {
      ImGui::PopStyleColor(2);
      ImGui::PopStyleVar();
    }
    controls.reportLastItem(fmt::format("lesson.questions[{}].choices[{}]", index, i));
  }
}

void LessonPanel::drawQuestion(LessonPlayer& player, std::size_t index, float width, const Theme& theme,
                               ControlMap& controls) {
  const Question& question = player.lesson()->steps[player.step()].questions[index];
  ImGui::PushID(static_cast<int>(index));
  ImGui::PushTextWrapPos(width);
  textIn(TextStyle::Strong, question.text);
  drawChoices(player, index, width, theme, controls);
  const bool homework = player.homework().begun();
  const bool right = player.answered(index);
  if (question.number) {
    homework_.drawNumber(player, index, theme, controls);
  } else if (question.answer) {
    ImGui::AlignTextToFramePadding();
    if (right) {
      ImGui::TextColored(toImVec4(theme.accent), "✓");
      ImGui::SameLine(0, theme.space / 2);
      ImGui::TextUnformatted(tr("Correct."));
    } else if (!follows_) {  // an audience cannot operate the picture
      ImGui::TextDisabled("%s", tr("Try it in the picture."));
      if (!question.solution.empty() && !homework) {
        ImGui::SameLine();
        if (ImGui::Button(tr("Show me"))) player.showSolution(index);
        controls.reportLastItem(fmt::format("lesson.questions[{}].solution", index));
      }
    }
  } else if (!right && !homework && player.chosen(index)) {
    ImGui::TextUnformatted(tryAgainWords().c_str());
  }
  if (right && !homework && !question.because.empty()) ImGui::TextUnformatted(question.because.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopID();
}

void LessonPanel::drawDots(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  const std::size_t count = player.lesson()->steps.size();
  const float pitch = std::clamp(width / static_cast<float>(count), 1.0f, kLessonDot);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float start = at.x + width - pitch * static_cast<float>(count);
  const float middle = at.y + theme.space;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < count; ++i) {
    const ImVec2 centre(start + (static_cast<float>(i) + 0.5f) * pitch, middle);
    ImGui::SetCursorScreenPos(ImVec2(centre.x - pitch / 2, middle - theme.space));
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("dot", ImVec2(pitch, 2 * theme.space)) && player.visited(i)) player.enter(i, true);
    controls.reportLastItem(fmt::format("lesson.steps[{}]", i));
    if (ImGui::IsItemHovered()) {
      ImGui::SetTooltip("%s", player.lesson()->steps[i].title.c_str());
    }
    ImGui::PopID();
    if (i == player.step()) {
      list->AddCircleFilled(centre, kDot * 1.25f, toImU32(theme.accent));
    } else if (player.visited(i)) {
      list->AddCircleFilled(centre, kDot, toImU32(theme.textMuted));
    } else {
      list->AddCircle(centre, kDot, toImU32(theme.textMuted), 0, 1.2f);
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + 2 * theme.space + ImGui::GetStyle().ItemSpacing.y));
}

}  // namespace sepx::ui
