// SPDX-License-Identifier: Apache-2.0
// A greedy line breaker whose words have styles and may be formulas: a line is as high as its tallest part.
#include "ui/workbench/flowing_text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/line_breaks.h"
#include "ui/workbench/formula_ink.h"
#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

constexpr float kLineHeight = 1.35f;  // line height over type size
constexpr float kIndent = 1.6f;       // of list items, in type sizes
constexpr float kLeastGap = 0.12f;    // between the parts of two lines, in type sizes

struct Part {
  std::string_view word;  // or:
  std::optional<FormulaBox> formula;
  ImFont* font = nullptr;
  bool code = false;  // on a background of its own
  float blank = 0;    // the space before it
  bool glued = true;  // it stays with the part before
  float width = 0, ascent = 0, descent = 0;
};

struct Line {
  std::size_t from = 0, to = 0;
  float ascent = 0, descent = 0, height = 0;
};

/// Sets text in lines of a given width.
class Flow {
 public:
  Flow(float width, float size) : width_(width), size_(size) {}

  void words(std::string_view text, ImFont* font, bool code = false) {
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == '\n') {
        blank_ = true;
        ++at;
        continue;
      }
      const std::size_t end = pieceEnd(text, at);
      if (blank_ && joinsWithoutBlank(last_, text.substr(at, end - at))) blank_ = false, broken_ = true;
      last_ = text.substr(at, end - at);
      Part& part = add(font);
      if (at > 0 || std::exchange(broken_, false)) part.glued = false;
      part.word = text.substr(at, end - at);
      part.code = code;
      part.width = measure(font, part.word);
      at = end;
    }
  }

  /// False if the markup is not a formula or there is no font for it.
  bool formula(std::string_view markup, ImFont* font) {
    const Result<Formula> parsed = Formula::parse(markup);
    const Result<FormulaFont>& face = FormulaFont::shared();
    if (!parsed || !face) return false;
    Part& part = add(font);
    part.formula = layOut(*parsed, *face, {formulaSizeIn(*font, size_, *face), width_, false});
    part.width = static_cast<float>(part.formula->width);
    part.ascent = static_cast<float>(part.formula->ascent);
    part.descent = static_cast<float>(part.formula->descent);
    return true;
  }

  /// Call it after all text was added. Returns the height.
  float breakLines() {
    float x = 0, height = 0;
    for (std::size_t i = 0; i < parts_.size();) {
      // Glued parts, such as a formula and the comma after it, stay on one line.
      std::size_t end = i + 1;
      float glued = parts_[i].width;
      while (end < parts_.size() && parts_[end].glued)
        glued += parts_[end++].width;
      if (lines_.empty() || x + parts_[i].blank + glued > width_) {
        lines_.push_back({i, i});
        x = glued;
      } else {
        x += parts_[i].blank + glued;
      }
      Line& line = lines_.back();
      for (; i < end; ++i) {
        line.ascent = std::max(line.ascent, parts_[i].ascent);
        line.descent = std::max(line.descent, parts_[i].descent);
      }
      line.to = end;
    }
    for (Line& line : lines_)
      height += line.height = std::max(line.ascent + line.descent + kLeastGap * size_, size_ * kLineHeight);
    return height;
  }

  /// False while glyphs of a formula are not yet in the atlas.
  bool draw(ImVec2 at, ImU32 color, const Theme* theme = nullptr) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    bool all = true;
    for (const Line& line : lines_) {
      const float baseline = std::round(at.y + (line.height - line.ascent - line.descent) / 2 + line.ascent);
      float x = at.x;
      for (std::size_t i = line.from; i < line.to; ++i) {
        const Part& part = parts_[i];
        if (i != line.from) x += part.blank;
        if (part.formula) {
          FormulaInk* const ink = FormulaInk::current();
          if (ink && !ink->draw(list, *part.formula, {x, baseline}, color)) all = false;
        } else {
          const ImVec2 corner(x, baseline - part.ascent);
          if (part.code && theme) {
            const float pad = theme->space / 4;
            list.AddRectFilled({corner.x - pad, corner.y - pad / 2},
                               {corner.x + part.width + pad, corner.y + size_ + pad}, toImU32(theme->surfaceRaised),
                               theme->radius);
          }
          list.AddText(part.font, size_, corner, color, part.word.data(), part.word.data() + part.word.size());
        }
        x += part.width;
      }
      at.y += line.height;
    }
    return all;
  }

 private:
  float measure(ImFont* font, std::string_view text) const {
    return font->CalcTextSizeA(size_, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
  }

  Part& add(ImFont* font) {
    Part& part = parts_.emplace_back();
    part.font = font;
    if (blank_) part.blank = measure(font, " "), part.glued = false;
    blank_ = false;
    part.ascent = font->Ascent * size_ / font->FontSize;
    part.descent = -font->Descent * size_ / font->FontSize;
    return part;
  }

  float width_, size_;
  bool blank_ = false;
  bool broken_ = false;    // a line may end here although there is no blank
  std::string_view last_;  // word
  std::vector<Part> parts_;
  std::vector<Line> lines_;
};

void addSpan(Flow& flow, const Span& span, bool heading) {
  const std::string_view text = span.text;
  const bool quoted = span.code && text.size() > 2 && text.front() == '$' && text.back() == '$';
  if (quoted && flow.formula(text.substr(1, text.size() - 2), textFont(TextStyle::Lesson))) return;
  flow.words(text,
             textFont(span.strong || heading ? TextStyle::LessonStrong
                      : span.emphasis        ? TextStyle::LessonSlanted
                                             : TextStyle::Lesson),
             span.code);
}

/// `at`: where the text is drawn; null: it is only measured. Returns the height.
float setProse(const std::vector<Block>& blocks, float width, const Theme& theme, const ImVec2* at) {
  const float size = theme.lessonSize, step = size * kIndent;
  const ImU32 color = toImU32(theme.text);
  float y = 0;
  for (const Block& block : blocks) {
    const bool item = block.kind == Block::Kind::Item;
    if (&block != &blocks.front()) y += (item ? 0.15f : 0.4f) * size;  // list items are closer together
    const float outer = item ? static_cast<float>(block.depth) * step : 0, indent = item ? outer + step : 0;
    Flow flow(width - indent, size);
    for (const Span& span : block.spans)
      addSpan(flow, span, block.kind == Block::Kind::Heading);
    const float height = std::max(flow.breakLines(), size * kLineHeight);
    if (at) {
      flow.draw({at->x + indent, at->y + y}, color, &theme);
      if (item) {
        const std::string mark = block.number > 0 ? fmt::format("{}.", block.number) : "•";
        Flow marked(width, size);
        marked.words(mark, textFont(TextStyle::Lesson));
        marked.breakLines();
        marked.draw({at->x + outer, at->y + y}, color);
      }
    }
    y += height;
  }
  return y;
}

}  // namespace

double formulaSizeIn(const ImFont& font, float size, const FormulaFont& face) {
  constexpr double kLeast = 0.75, kMost = 1.1;  // of the size of the text
  const ImFontGlyph* const letter = font.FindGlyphNoFallback('x');
  const double formula = face.extent(face.glyph(U'x')).ascent;  // em
  if (!letter || !(formula > 0) || !(font.FontSize > 0)) return size;
  return size * std::clamp((letter->Y1 - letter->Y0) / font.FontSize / formula, kLeast, kMost);
}

MixedStyle mixedStyle(TextStyle face, render::Color color) {
  ImFont* const font = textFont(face);
  return {font, font->FontSize * ImGui::GetIO().FontGlobalScale, toImU32(color)};
}

bool drawMixed(std::string_view text, float width, const MixedStyle& style) {
  Flow flow(width, style.size);
  while (!text.empty()) {
    const std::size_t open = text.find('$');
    const std::size_t close = open == std::string_view::npos ? open : text.find('$', open + 1);
    flow.words(close == std::string_view::npos ? text : text.substr(0, open), style.font);
    if (close == std::string_view::npos) break;
    const std::string_view markup = text.substr(open + 1, close - open - 1);
    if (!flow.formula(markup, style.font)) flow.words(markup, style.font);
    text.remove_prefix(close + 1);
  }
  const float height = flow.breakLines();
  const bool all = flow.draw(ImGui::GetCursorScreenPos(), style.color);
  ImGui::Dummy({width, height});
  return all;
}

float proseHeight(const std::vector<Block>& blocks, float width, const Theme& theme) {
  return setProse(blocks, width, theme, nullptr);
}

void drawProse(const std::vector<Block>& blocks, float width, const Theme& theme) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, setProse(blocks, width, theme, &at)});
}

}  // namespace sepx::ui
