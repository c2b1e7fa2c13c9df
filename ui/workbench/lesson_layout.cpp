// SPDX-License-Identifier: Apache-2.0
// Measures the steps of a lesson.
#include "ui/workbench/lesson_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/properties/tr.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr float kLongestLine = 860;   // points: about 100 characters, the longest readable line
constexpr float kNarrow = 640;        // below this width the buttons are under the text
constexpr float kTwoColumns = 880;    // from this width on the questions are beside the prose
constexpr float kProseShare = 0.56f;  // share of the prose in two columns
constexpr float kMostOfWindow = 0.45f, kMostOfNarrow = 0.5f;
constexpr float kButtonsInRow = 420;  // points
constexpr float kLow = 420;           // points: in a lower window the strip may take a larger share
constexpr float kSlackLines = 1;      // lines of text by which steps that share a height may differ

float textHeight(const std::string& text, float width) {
  if (text.empty()) return 0;
  return ImGui::CalcTextSize(text.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
}

float titleHeight(const std::string& title, float width) {
  ImGui::PushFont(textFont(TextStyle::Title));
  const float height = textHeight(title, width);
  ImGui::PopFont();
  return height;
}

/// Number of rows that the buttons of the choices need in `width`.
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

/// Includes room for the text after the answer, so that nothing moves when it appears.
float questionHeight(const Question& question, float width, const Theme& theme) {
  ImGui::PushFont(textFont(TextStyle::Strong));
  const float asked = textHeight(question.text, width);
  ImGui::PopFont();
  const float row = ImGui::GetFrameHeightWithSpacing();
  const float after =
      std::max(textHeight(question.because, width), question.answer ? 0 : textHeight(tryAgainWords(), width));
  return asked + row * static_cast<float>(rowsOfChoices(question, width, theme)) + after;
}

float questionsHeight(const LessonStep& step, const LessonColumns& columns, const Theme& theme) {
  float height = 0;
  for (const Question& question : step.questions)
    height += questionHeight(question, columns.questions, theme);
  return height;
}

/// Height of the questions with one choice per line and, if `answered`, the text after the answer.
float columnQuestions(const LessonStep& step, bool answered, float width, const Theme& theme) {
  float height = 0;
  for (const Question& question : step.questions) {
    ImGui::PushFont(textFont(TextStyle::Strong));
    height += textHeight(question.text, width) + theme.space;
    ImGui::PopFont();
    for (const Choice& choice : question.choices)
      height += textHeight("○ " + choice.text, width);
    if (answered) height += std::max(textHeight(question.because, width), textHeight(tryAgainWords(), width));
  }
  return height;
}

/// The first `count` sentences of a paragraph, for an audience when there is no room for more. The whole paragraph if
/// it has no more sentences.
Block firstSentences(const Block& paragraph, std::size_t count) {
  Block result = paragraph;
  result.spans.clear();
  for (const Span& span : paragraph.spans) {
    result.spans.push_back(span);
    for (std::size_t i = 0; i < span.text.size(); ++i) {
      const std::string_view rest = std::string_view(span.text).substr(i);
      const bool wide = rest.starts_with("。") || rest.starts_with("？") || rest.starts_with("！");
      const bool ends = rest.front() == '.' || rest.front() == '?' || rest.front() == '!';
      if (!wide && (!ends || (rest.size() > 1 && rest[1] != ' '))) continue;
      if (--count > 0) continue;
      result.spans.back().text.resize(i + (wide ? std::string_view("。").size() : 1));
      return result;
    }
  }
  return result;
}

/// Positions after a word where a text may be cut: index of the span and byte in it. A formula or code is not cut. In a
/// script without spaces every character counts as a word.
std::vector<std::pair<std::size_t, std::size_t>> endsOfWords(const Block& block) {
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  for (std::size_t i = 0; i < block.spans.size(); ++i) {
    const Span& span = block.spans[i];
    for (std::size_t at = 1; !span.code && at < span.text.size(); ++at) {
      const auto next = static_cast<unsigned char>(span.text[at]);
      if (next == ' ' || (next >= 0xE3 && next <= 0xE9)) ends.emplace_back(i, at);
    }
    ends.emplace_back(i, span.text.size());
  }
  return ends;
}

/// The longest beginning of a paragraph that `fits` accepts, cut after a word and followed by "…" where words are left
/// out. It has no spans if nothing fits.
Block fittingWords(const Block& paragraph, const std::function<bool(const Block&)>& fits) {
  if (fits(paragraph)) return paragraph;
  const auto ends = endsOfWords(paragraph);
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    Block tried = paragraph;
    tried.spans.resize(end->first + 1);
    tried.spans.back().text.resize(end->second);
    tried.spans.push_back({"…"});
    if (fits(tried)) return tried;
  }
  Block none = paragraph;
  none.spans.clear();
  return none;
}

/// Height of the controls beside the text: step number, dots, Back and Next (one row more in the last step), and a
/// sentence in two lines.
float sideHeight(const LessonStep& step, bool last, const Theme& theme) {
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  const float words = 3 * (1.2f * theme.smallSize + gap) + (hasStatus(step) ? statusHeight(theme, kLessonSide) : 0);
  return words + 2 * theme.space + gap + theme.space + (last ? 2.0f : 1.0f) * ImGui::GetFrameHeightWithSpacing();
}

/// Points that a strip may take from the window.
float mostOf(render::Point window, bool narrow) {
  const bool low = window.y < kLow;
  return (narrow || low ? kMostOfNarrow : kMostOfWindow) * static_cast<float>(window.y);
}

}  // namespace

std::string replacedStateWords() {
  return tr("This step starts from its own picture; undo brings yours back.");
}
std::string tryAgainWords() {
  return tr("Incorrect. Look again and choose another answer.");
}

bool hasStatus(const LessonStep& step) {
  return std::ranges::any_of(step.steps, waitsForWork);
}

bool waitButtonsFitInRow(float width) {
  return width >= kButtonsInRow;
}

float statusHeight(const Theme& theme, float width) {
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  const float lines = waitButtonsFitInRow(width) ? 1 : 3, rows = waitButtonsFitInRow(width) ? 1 : 2;
  return lines * 1.2f * theme.smallSize + 2 * gap + rows * ImGui::GetFrameHeightWithSpacing();
}

float lessonRowHeight(const Theme& theme) {
  return std::max(ImGui::GetFrameHeight(), 2 * theme.space) + theme.space;
}

LessonColumns lessonColumns(const Lesson& lesson, std::size_t step, float windowWidth, const Theme& theme, bool stage) {
  LessonColumns columns;
  columns.narrow = !stage && windowWidth < kNarrow;
  const float side = stage || columns.narrow ? 0 : kLessonSide + 2 * theme.space;
  // Room for a scroll bar is always reserved, so that the text wraps the same way with and without it.
  const float width = std::max(120.0f, windowWidth - side - 3 * theme.space - ImGui::GetStyle().ScrollbarSize);
  // On a stage the dots are at the right of the title, and of the questions when these are at the top too.
  const float dots =
      stage ? std::min(width / 2, kLessonDot * static_cast<float>(lesson.steps.size()) + 2 * theme.space) : 0;
  const float both = width - dots;
  columns.beside = !lesson.steps[step].questions.empty() && both >= kTwoColumns;
  columns.prose = std::min(kLongestLine, columns.beside ? kProseShare * both : width);
  columns.title = std::min(columns.prose, both);
  columns.questions = columns.beside ? std::min(kLongestLine, both - columns.prose - 4 * theme.space) : columns.prose;
  return columns;
}

std::vector<Block> lessonProse(const Lesson& lesson, std::size_t step, const LessonColumns& columns, const Theme& theme,
                               bool stage, float most) {
  std::vector<Block> blocks = step == 0 ? lesson.introduction : std::vector<Block>{};
  const std::vector<Block>& own = lesson.steps[step].prose;
  if (stage) {
    const float status = hasStatus(lesson.steps[step]) ? statusHeight(theme, columns.prose) : 0;
    const float around = titleHeight(lesson.steps[step].title, columns.title) + status + 3 * theme.space;
    const float room = most - around - (columns.beside ? 0 : questionsHeight(lesson.steps[step], columns, theme));
    const auto fits = [&](const std::vector<Block>& tried) { return proseHeight(tried, columns.prose, theme) <= room; };
    std::vector<Block> shown;
    for (const Block& block : own) {
      shown.push_back(block);
      if (fits(shown)) continue;
      shown.pop_back();
      if (shown.empty()) shown.push_back(firstSentences(block, 1));
      break;
    }
    blocks.insert(blocks.end(), shown.begin(), shown.end());
    return fits(blocks) ? blocks : shown;
  }
  blocks.insert(blocks.end(), own.begin(), own.end());
  return blocks;
}

float lessonColumnWidth(render::Point window, bool stage) {
  constexpr double kShare = 0.32, kLeast = 220;
  constexpr double kShareOfLow = 0.42, kLeastOfLow = 250, kLowest = 480, kLeastAspect = 1.3;
  const double width = std::floor((stage ? kShare : kShareOfLow) * window.x);
  const bool room = stage ? window.x > window.y && width >= kLeast
                          : window.y < kLowest && window.x > kLeastAspect * window.y && width >= kLeastOfLow;
  return room ? static_cast<float>(width) : 0;
}

std::vector<Block> columnProse(const Lesson& lesson, std::size_t step, bool answered, float width, float height,
                               const Theme& theme) {
  constexpr float kLines = 5, kLineOfType = 1.45f;  // including the space between two paragraphs
  const float room = height - titleHeight(lesson.steps[step].title, width) - textHeight(lesson.title, width) -
                     columnQuestions(lesson.steps[step], answered, width, theme) - 3 * theme.space;
  const float most = std::min(kLines * kLineOfType * theme.lessonSize, room);
  std::vector<Block> shown;
  for (const Block& block : lesson.steps[step].prose) {
    std::vector<Block> tried = shown;
    tried.push_back(block);
    if (proseHeight(tried, width, theme) <= most) {
      shown = std::move(tried);
      continue;
    }
    Block kept;
    for (std::size_t count = 1;; ++count) {
      tried.back() = firstSentences(block, count);
      if (proseHeight(tried, width, theme) > most) break;
      kept = tried.back();
    }
    if (kept.spans.empty() && shown.empty())
      kept = fittingWords(firstSentences(block, 1),
                          [&](const Block& words) { return proseHeight({words}, width, theme) <= most; });
    if (!kept.spans.empty()) shown.push_back(std::move(kept));
    break;
  }
  return shown;
}

std::vector<float> sharedHeights(const std::vector<float>& needs, float slack) {
  std::vector<float> levels = needs, shared;
  std::sort(levels.begin(), levels.end(), std::greater<>());
  for (const float need : needs) {
    float level = levels.empty() ? need : levels.front();
    for (const float one : levels) {
      if (one >= need && level - one > slack) level = one;
    }
    shared.push_back(level);
  }
  return shared;
}

std::vector<float> lessonHeights(const Lesson& lesson, render::Point window, const Theme& theme, bool stage) {
  std::vector<float> needs;
  const auto width = static_cast<float>(window.x);
  const float around = 3 * theme.space;
  float most = 0;
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const LessonStep& step = lesson.steps[i];
    const LessonColumns columns = lessonColumns(lesson, i, width, theme, stage);
    most = mostOf(window, columns.narrow);
    float prose = titleHeight(step.title, columns.title) +
                  proseHeight(lessonProse(lesson, i, columns, theme, stage, most), columns.prose, theme) +
                  ImGui::GetStyle().ItemSpacing.y;
    if (columns.narrow && i > 0) prose += textHeight(replacedStateWords(), columns.prose);
    if ((stage || columns.narrow) && hasStatus(step)) prose += statusHeight(theme, columns.prose);
    const float questions = questionsHeight(step, columns, theme);
    float need = (columns.beside ? std::max(prose, questions) : prose + questions) + around;
    if (columns.narrow) need += lessonRowHeight(theme);
    if (!stage && !columns.narrow)
      need = std::max(need, around + sideHeight(step, i + 1 == lesson.steps.size(), theme));
    needs.push_back(need);
  }
  std::vector<float> heights = sharedHeights(needs, kSlackLines * 1.35f * theme.lessonSize);
  for (float& height : heights)
    height = std::floor(std::min(height, most));
  return heights;
}

}  // namespace sepx::ui
