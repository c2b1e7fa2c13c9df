// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/homework_panel.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/document/script_words.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr float kNameWidth = 220, kNumberWidth = 120;  // points

}  // namespace

float HomeworkPanel::height(const LessonPlayer& player) {
  return player.homework().isHomework() ? ImGui::GetFrameHeightWithSpacing() : 0;
}

void HomeworkPanel::drawName(LessonPlayer& player, float width, const Theme& theme, ControlMap& controls) {
  const HomeworkState& homework = player.homework();
  if (!homework.isHomework()) return;
  if (homework.begun()) {
    const std::string words = trFormat("{}: {}", homework.name(), homework.valuesInWords(*player.lesson()));
    ImGui::PushTextWrapPos(width);
    ImGui::TextDisabled("%s", words.c_str());
    ImGui::PopTextWrapPos();
    if (const std::string answerMismatch = player.answerMismatch(); !answerMismatch.empty() && !player.playing()) {
      ImGui::SameLine(0, 2 * theme.space);
      ImGui::TextColored(toImVec4(theme.error), "%s", answerMismatch.c_str());
    }
    return;
  }
  ImGui::SetNextItemWidth(std::min(kNameWidth, width / 2));
  const bool entered = ImGui::InputTextWithHint("##name", tr("Your name"), name_.data(), name_.size(),
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  controls.reportLastItem("lesson.name");
  ImGui::SameLine(0, theme.space);
  const bool pressed = ImGui::Button(tr("Begin the homework"));
  controls.reportLastItem("lesson.begin");
  if (entered || pressed) {
    const auto begun = player.beginHomework(name_.data());
    refused_ = begun ? std::string() : begun.error().message;
  }
  if (!refused_.empty()) {
    ImGui::SameLine(0, theme.space);
    ImGui::TextColored(toImVec4(theme.error), "%s", refused_.c_str());
  }
}

void HomeworkPanel::drawNumber(LessonPlayer& player, std::size_t question, const Theme& theme, ControlMap& controls) {
  if (of_ != player.lesson()->name) {
    of_ = player.lesson()->name;
    numbers_.clear();
  }
  std::array<char, 32>& text = numbers_[{player.step(), question}];
  ImGui::SetNextItemWidth(kNumberWidth);
  const bool entered =
      ImGui::InputTextWithHint("##number", tr("a number"), text.data(), text.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const std::string key = fmt::format("lesson.questions[{}].number", question);
  controls.reportLastItem(key);
  ImGui::SameLine(0, theme.space);
  const bool pressed = ImGui::Button(tr("Answer"));
  controls.reportLastItem(key + "-answer");
  const auto value = finiteNumber(text.data());
  if ((entered || pressed) && value) player.typeNumber(question, *value);
  const auto typed = player.homework().typed({player.step(), question});
  if (text[0] != 0 && !value) {
    ImGui::SameLine(0, theme.space);
    ImGui::TextColored(toImVec4(theme.error), "%s", tr("This is not a number."));
  } else if (typed) {
    ImGui::SameLine(0, theme.space);
    if (player.homework().begun()) {
      ImGui::TextUnformatted(trFormat("Noted: {:.6g}", *typed).c_str());
    } else if (player.answered(question)) {
      ImGui::TextColored(toImVec4(theme.accent), "✓ %s", tr("Correct."));
    } else {
      ImGui::TextColored(toImVec4(theme.error), "✗ %s", tr("Incorrect. Look again."));
    }
  }
}

}  // namespace sepx::ui
