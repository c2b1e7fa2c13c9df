// SPDX-License-Identifier: Apache-2.0
// ImGui of the lesson strip.
#include "ui/workbench/lesson_panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/prose.h"

namespace sepx::ui {
namespace {

constexpr float kLongestLine = 860;  // points: about 100 characters, the most an eye follows
constexpr float kSideWidth = 200;    // Back, Next, dots
constexpr float kMostOfWindow = 0.4f;
constexpr float kLeast = 112;
constexpr float kDot = 4;  // radius

float textWidth(float windowWidth, const Theme& theme, bool stage) {
  const float side = stage ? 0 : kSideWidth;
  return std::max(120.0f, std::min(kLongestLine, windowWidth - side - 5 * theme.space));
}

/// The first step begins with what stands before it.
std::vector<Block> proseOf(const Lesson& lesson, std::size_t step) {
  std::vector<Block> blocks;
  if (step == 0) blocks = lesson.introduction;
  const auto& own = lesson.steps[step].prose;
  blocks.insert(blocks.end(), own.begin(), own.end());
  return blocks;
}

float stepHeight(const Lesson& lesson, std::size_t step, float width, const Theme& theme) {
  float height = theme.titleSize + theme.space + proseHeight(proseOf(lesson, step), width, theme);
  for (const Question& question : lesson.steps[step].questions) {
    height += ImGui::CalcTextSize(question.text.c_str(), nullptr, false, width).y + 1.5f * theme.space;
    height += theme.textSize + 3 * theme.space;
    if (!question.because.empty()) height += 2 * theme.textSize + theme.space;
  }
  return height;
}

}  // namespace

float LessonPanel::height(const LessonPlayer& player, render::Point window, const Theme& theme, bool stage) {
  const Lesson* lesson = player.lesson();
  if (!lesson) {
    lesson_.clear();
    return 0;
  }
  if (lesson->name == lesson_ && window == window_) return height_;
  lesson_ = lesson->name;
  window_ = window;
  const float width = textWidth(static_cast<float>(window.x), theme, stage);
  float tallest = kLeast;
  for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
    tallest = std::max(tallest, stepHeight(*lesson, i, width, theme) + 3 * theme.space + (stage ? 3 * theme.space : 0));
  }
  height_ = std::floor(std::min(tallest, kMostOfWindow * static_cast<float>(window.y)));
  return height_;
}

void LessonPanel::draw(LessonPlayer& player, const render::Rect& strip, const Theme& theme, ControlMap& controls,
                       bool stage) {
  const Lesson* lesson = player.lesson();
  if (!lesson || strip.height() <= 0) return;
  const ImVec2 min(static_cast<float>(strip.min.x), static_cast<float>(strip.min.y));
  const ImVec2 size(static_cast<float>(strip.width()), static_cast<float>(strip.height()));
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("lesson", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::GetWindowDrawList()->AddLine(min, ImVec2(min.x + size.x, min.y), toImU32(theme.border));
  const float width = textWidth(size.x, theme, stage);
  const ImVec2 inner(size.x - 3 * theme.space, size.y - 3 * theme.space);
  const float dotsHeight = stage ? 3 * theme.space : 0;
  ImGui::BeginChild("text", ImVec2(std::max(1.0f, width + 2 * theme.space), std::max(1.0f, inner.y - dotsHeight)));
  drawText(player, width, theme, controls);
  ImGui::EndChild();
  if (stage) {
    drawDots(player, inner.x, theme, controls);
  } else {
    ImGui::SetCursorPos(ImVec2(size.x - kSideWidth - 1.5f * theme.space, 1.5f * theme.space));
    ImGui::BeginChild("side", ImVec2(kSideWidth, std::max(1.0f, inner.y)));
    ImGui::PushFont(textFont(TextStyle::Small));
    const std::string where = fmt::format(fmt::runtime(tr("Step {} of {}")), player.step() + 1, lesson->steps.size());
    ImGui::SetCursorPosX(kSideWidth - ImGui::CalcTextSize(where.c_str()).x);
    ImGui::TextDisabled("%s", where.c_str());
    ImGui::PopFont();
    drawDots(player, kSideWidth, theme, controls);
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), std::min(inner.y - ImGui::GetFrameHeight(), 64.0f)));
    const float half = (kSideWidth - theme.space) / 2;
    ImGui::BeginDisabled(!player.hasPrevious());
    if (ImGui::Button(tr("Back"), ImVec2(half, 0))) player.previous();
    controls.reportLastItem("lesson.previous");
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!player.hasNext());
    ImGui::PushStyleColor(ImGuiCol_Button, toImVec4(theme.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, toImVec4(theme.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, toImVec4(theme.accentMuted));
    ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(theme.textOnAccent));
    if (ImGui::Button(tr("Next"), ImVec2(half, 0))) player.next();
    ImGui::PopStyleColor(4);
    controls.reportLastItem("lesson.next");
    ImGui::EndDisabled();
    ImGui::EndChild();
  }
  ImGui::End();
}

void LessonPanel::drawText(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  const Lesson& lesson = *player.lesson();
  ImGui::PushFont(textFont(TextStyle::Title));
  ImGui::TextUnformatted(lesson.steps[player.step()].title.c_str());
  ImGui::PopFont();
  drawProse(proseOf(lesson, player.step()), width, theme);
  for (std::size_t i = 0; i < lesson.steps[player.step()].questions.size(); ++i) {
    drawQuestion(player, i, width, theme, controls);
  }
}

void LessonPanel::drawQuestion(LessonPlayer& player, std::size_t index, float width, const Theme& theme,
                               ControlMap& controls) {
  const Question& question = player.lesson()->steps[player.step()].questions[index];
  ImGui::PushID(static_cast<int>(index));
  ImGui::PushTextWrapPos(width);
  ImGui::PushFont(textFont(TextStyle::Strong));
  ImGui::TextUnformatted(question.text.c_str());
  ImGui::PopFont();
  const bool right = player.answered(index);
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    if (i) {
      // The next choice goes on the same line while there is room.
      const float needed = ImGui::CalcTextSize(question.choices[i].text.c_str()).x + 2 * theme.space;
      if (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + theme.space + needed < width) ImGui::SameLine();
    }
    const bool chosen = player.chosen(index) == i;
    const render::Color& mark = question.choices[i].correct ? theme.accentMuted : theme.surfaceRaised;
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, toImVec4(mark));
    const std::string text = (chosen ? (question.choices[i].correct ? "✓ " : "✗ ") : "") + question.choices[i].text;
    if (ImGui::Button((text + "##" + std::to_string(i)).c_str())) player.choose(index, i);
    if (chosen) ImGui::PopStyleColor();
    controls.reportLastItem(fmt::format("lesson.question[{}]#{}", index, i));
  }
  if (question.answer) {
    ImGui::AlignTextToFramePadding();
    if (right) {
      ImGui::TextUnformatted(tr("✓ That is it."));
    } else {
      ImGui::TextDisabled("%s", tr("Try it in the picture."));
      if (!question.solution.empty()) {
        ImGui::SameLine();
        if (ImGui::Button(tr("Show me"))) player.showSolution(index);
        controls.reportLastItem(fmt::format("lesson.solution[{}]", index));
      }
    }
  }
  if (right && !question.because.empty()) ImGui::TextUnformatted(question.because.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopID();
}

void LessonPanel::drawDots(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  const std::size_t count = player.lesson()->steps.size();
  const float pitch = std::min(4 * kDot + theme.space / 2, width / static_cast<float>(count));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float start = at.x + width - pitch * static_cast<float>(count);
  const float middle = at.y + theme.space;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < count; ++i) {
    const ImVec2 centre(start + (static_cast<float>(i) + 0.5f) * pitch, middle);
    ImGui::SetCursorScreenPos(ImVec2(centre.x - pitch / 2, middle - theme.space));
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("dot", ImVec2(pitch, 2 * theme.space)) && player.visited(i)) player.enter(i, true);
    controls.reportLastItem(fmt::format("lesson.step[{}]", i));
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
