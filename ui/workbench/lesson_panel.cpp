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

constexpr float kLongestLine = 860;   // points: about 100 characters, the most an eye follows
constexpr float kSideWidth = 200;     // Back, Next, dots
constexpr float kTwoColumns = 880;    // from this width on questions stand beside the prose
constexpr float kProseShare = 0.56f;  // of two columns
constexpr float kMostOfWindow = 0.4f;
constexpr float kLeast = 112;
constexpr float kDot = 4;  // radius

/// Where the prose and the questions of a step go.
struct Columns {
  float prose, questions;  // widths
  bool beside;
};

Columns columnsOf(const LessonStep& step, float windowWidth, const Theme& theme, bool stage) {
  const float side = stage ? 0 : kSideWidth + 2 * theme.space;
  const float width = std::max(120.0f, windowWidth - side - 3 * theme.space);
  if (step.questions.empty() || width < kTwoColumns) {
    const float line = std::min(kLongestLine, width);
    return {line, line, false};
  }
  const float prose = std::min(kLongestLine, kProseShare * width);
  return {prose, std::min(kLongestLine, width - prose - 4 * theme.space), true};
}

/// The first sentence of a paragraph: what a room reads while somebody speaks.
Block firstSentence(const Block& paragraph) {
  Block result = paragraph;
  result.spans.clear();
  for (const Span& span : paragraph.spans) {
    result.spans.push_back(span);
    for (std::size_t i = 0; i < span.text.size(); ++i) {
      const bool ends = span.text[i] == '.' || span.text[i] == '?' || span.text[i] == '!';
      if (!ends || (i + 1 < span.text.size() && span.text[i + 1] != ' ')) continue;
      result.spans.back().text.resize(i + 1);
      return result;
    }
  }
  return result;
}

/// The first step begins with what stands before it. A stage shows one sentence.
std::vector<Block> proseOf(const Lesson& lesson, std::size_t step, bool stage) {
  std::vector<Block> blocks;
  if (stage) {
    for (const Block& block : lesson.steps[step].prose) {
      if (block.kind == Block::Kind::Paragraph) return {firstSentence(block)};
    }
    return blocks;
  }
  if (step == 0) blocks = lesson.introduction;
  const auto& own = lesson.steps[step].prose;
  blocks.insert(blocks.end(), own.begin(), own.end());
  return blocks;
}

/// Buttons of choices in rows; answers how many rows `width` needs.
int rowsOfChoices(const Question& question, float width, const Theme& theme) {
  int rows = 1;
  float x = 0;
  for (const Choice& choice : question.choices) {
    const float needed = ImGui::CalcTextSize(("✓ " + choice.text).c_str()).x + 2 * theme.space;
    if (x > 0 && x + theme.space + needed > width) {
      ++rows;
      x = 0;
    }
    x += (x > 0 ? theme.space : 0) + needed;
  }
  return rows;
}

float questionHeight(const Question& question, float width, const Theme& theme) {
  const auto textHeight = [&](const std::string& text) {
    return text.empty() ? 0
                        : ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
  };
  const float row = ImGui::GetFrameHeightWithSpacing();
  return textHeight(question.text) + row * static_cast<float>(rowsOfChoices(question, width, theme)) +
         textHeight(question.because);
}

float stepHeight(const Lesson& lesson, std::size_t step, const Columns& columns, const Theme& theme, bool stage) {
  const float prose = theme.titleSize + theme.space + proseHeight(proseOf(lesson, step, stage), columns.prose, theme);
  float questions = 0;
  for (const Question& question : lesson.steps[step].questions) {
    questions += questionHeight(question, columns.questions, theme);
  }
  return columns.beside ? std::max(prose, questions) : prose + questions;
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
  float tallest = stage ? 0 : kLeast;
  for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
    const Columns columns = columnsOf(lesson->steps[i], static_cast<float>(window.x), theme, stage);
    const float around = (stage ? 5 : 3) * theme.space;
    tallest = std::max(tallest, stepHeight(*lesson, i, columns, theme, stage) + around);
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
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(min, ImVec2(min.x + size.x, min.y + size.y));
  list->AddRectFilled(min, ImVec2(min.x + size.x, min.y + 1), toImU32(theme.border));
  list->PopClipRect();
  const float inner = std::max(1.0f, size.y - 3 * theme.space);
  const float dots = stage ? 2 * theme.space : 0;
  drawText(player, ImVec2(size.x, inner - dots), theme, controls, stage);
  if (stage) {
    ImGui::SetCursorPos(ImVec2(1.5f * theme.space, size.y - 3 * theme.space));
    drawDots(player, size.x - 3 * theme.space, theme, controls);
  } else {
    ImGui::SetCursorPos(ImVec2(size.x - kSideWidth - 1.5f * theme.space, 1.5f * theme.space));
    drawSide(player, inner, theme, controls);
  }
  ImGui::End();
}

void LessonPanel::drawSide(LessonPlayer& player, float height, const Theme& theme, ControlMap& controls) {
  ImGui::BeginChild("side", ImVec2(kSideWidth, height));
  ImGui::PushFont(textFont(TextStyle::Small));
  const std::string where =
      fmt::format(fmt::runtime(tr("Step {} of {}")), player.step() + 1, player.lesson()->steps.size());
  ImGui::SetCursorPosX(kSideWidth - ImGui::CalcTextSize(where.c_str()).x);
  ImGui::TextDisabled("%s", where.c_str());
  ImGui::PopFont();
  drawDots(player, kSideWidth, theme, controls);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + theme.space);
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

void LessonPanel::drawText(LessonPlayer& player, ImVec2 room, const Theme& theme, ControlMap& controls, bool stage) {
  const Lesson& lesson = *player.lesson();
  const LessonStep& step = lesson.steps[player.step()];
  const Columns columns = columnsOf(step, room.x, theme, stage);
  const float proseRoom = columns.prose + (columns.beside ? 2 * theme.space : 0);
  // Children scroll when a window is too low for the longest step.
  ImGui::BeginChild("prose", ImVec2(proseRoom, std::max(1.0f, room.y)));
  ImGui::PushFont(textFont(TextStyle::Title));
  ImGui::TextUnformatted(step.title.c_str());
  ImGui::PopFont();
  drawProse(proseOf(lesson, player.step(), stage), columns.prose, theme);
  if (columns.beside) {
    ImGui::EndChild();
    ImGui::SameLine(0, 2 * theme.space);
    ImGui::BeginChild("questions", ImVec2(columns.questions + theme.space, std::max(1.0f, room.y)));
  }
  for (std::size_t i = 0; i < step.questions.size(); ++i) {
    drawQuestion(player, i, columns.questions, theme, controls);
  }
  ImGui::EndChild();
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
    controls.reportLastItem(fmt::format("lesson.questions[{}].choices[{}]", index, i));
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
        controls.reportLastItem(fmt::format("lesson.questions[{}].solution", index));
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
