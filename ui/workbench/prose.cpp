// SPDX-License-Identifier: Apache-2.0
// A plain greedy line breaker over styled words.
#include "ui/workbench/prose.h"

#include <cfloat>
#include <string_view>

#include <fmt/format.h>

#include "ui/workbench/formula_ink.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr float kLeading = 1.35f;  // line height over type size
constexpr float kIndent = 1.6f;    // of list items, in type sizes
constexpr float kFormulaSize = 1.06f;

struct Pen {
  ImDrawList* list;  // null: only measured
  ImVec2 origin;
  float width;
  const Theme& theme;
  float size;
  float x = 0, y = 0;
  float indent = 0;
  bool spaceBefore = false;  // a blank stands between the last word and the next

  float lineHeight() const { return size * kLeading; }

  void newLine() {
    x = indent;
    y += lineHeight();
    spaceBefore = false;
  }

  void word(std::string_view text, const Span& style) {
    ImFont* font = textFont(style.strong     ? TextStyle::LessonStrong
                            : style.emphasis ? TextStyle::LessonSlanted
                                             : TextStyle::Lesson);
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const float blank = spaceBefore ? font->CalcTextSizeA(size, FLT_MAX, 0, " ").x : 0;
    const float advance = font->CalcTextSizeA(size, FLT_MAX, 0, begin, end).x;
    if (x > indent && x + blank + advance > width) {
      newLine();
    } else {
      x += blank;
    }
    if (list) {
      const ImVec2 at(origin.x + x, origin.y + y + (kLeading - 1) / 2 * size);
      if (style.code) {
        const float pad = theme.space / 4;
        list->AddRectFilled(ImVec2(at.x - pad, at.y - pad / 2), ImVec2(at.x + advance + pad, at.y + size + pad),
                            toImU32(theme.surfaceRaised), theme.radius);
      }
      list->AddText(font, size, at, toImU32(theme.text), begin, end);
    }
    x += advance;
    spaceBefore = false;
  }

  /// `$e^2$` in code quotes is a formula.
  bool formula(const Span& style) {
    const std::string_view text = style.text;
    if (!style.code || text.size() < 3 || text.front() != '$' || text.back() != '$') return false;
    const Result<Formula> parsed = Formula::parse(text.substr(1, text.size() - 2));
    const Result<FormulaFont>& face = FormulaFont::shared();
    FormulaInk* const ink = FormulaInk::current();
    if (!parsed || !face || !ink) return false;
    const FormulaBox box = layOut(*parsed, *face, {size * kFormulaSize, width - indent, false});
    ImFont* const font = textFont(TextStyle::Lesson);
    const float blank = spaceBefore ? font->CalcTextSizeA(size, FLT_MAX, 0, " ").x : 0;
    const auto advance = static_cast<float>(box.width);
    if (x > indent && x + blank + advance > width) {
      newLine();
    } else {
      x += blank;
    }
    const float baseline = y + (kLeading - 1) / 2 * size + font->Ascent * size / font->FontSize;
    if (list) ink->draw(*list, box, ImVec2(origin.x + x, origin.y + baseline), toImU32(theme.text));
    x += advance;
    spaceBefore = false;
    return true;
  }

  void span(const Span& style) {
    if (formula(style)) return;
    const std::string_view text = style.text;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == '\n') {
        spaceBefore = x > indent;
        ++at;
        continue;
      }
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      word(text.substr(at, end - at), style);
      at = end;
    }
  }

  void block(const Block& block) {
    if (block.kind == Block::Kind::Item) {
      const float step = size * kIndent;
      x = indent = static_cast<float>(block.depth) * step;
      const std::string mark = block.number > 0 ? fmt::format("{}.", block.number) : "•";
      word(mark, {});
      x = indent = static_cast<float>(block.depth + 1) * step;
    } else {
      x = indent = 0;
    }
    spaceBefore = false;
    for (const Span& part : block.spans) {
      Span styled = part;
      styled.strong = part.strong || block.kind == Block::Kind::Heading;
      span(styled);
    }
    y += lineHeight();
  }
  /// Between two blocks; list items stand closer.
  void gap(const Block& next) { y += (next.kind == Block::Kind::Item ? 0.15f : 0.4f) * size; }
};

float flow(const std::vector<Block>& blocks, float width, const Theme& theme, ImDrawList* list) {
  Pen pen{list, list ? ImGui::GetCursorScreenPos() : ImVec2(0, 0), width, theme, theme.lessonSize};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i) pen.gap(blocks[i]);
    pen.block(blocks[i]);
  }
  return pen.y;
}

}  // namespace

float proseHeight(const std::vector<Block>& blocks, float width, const Theme& theme) {
  return flow(blocks, width, theme, nullptr);
}

float drawProse(const std::vector<Block>& blocks, float width, const Theme& theme) {
  const float height = flow(blocks, width, theme, ImGui::GetWindowDrawList());
  ImGui::Dummy(ImVec2(width, height));
  return height;
}

}  // namespace sepx::ui
