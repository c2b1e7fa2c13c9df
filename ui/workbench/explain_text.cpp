// SPDX-License-Identifier: Apache-2.0
// A greedy line breaker whose words may be formulas: a line is as high as its tallest part.
#include "ui/workbench/explain_text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ui/workbench/formula_ink.h"

namespace sepx::ui {
namespace {

constexpr float kTextFormulaSize = 1.06f;  // the mathematical letters are a little smaller than those of the interface

struct Part {
  std::string_view word;  // or:
  std::optional<FormulaBox> formula;
  float width = 0, ascent = 0, descent = 0;
  bool blank = false;  // a space stands before it
};

struct Line {
  std::size_t from = 0, to = 0;
  float ascent = 0, descent = 0;
};

struct Flow {
  std::vector<Part> parts;
  std::vector<Line> lines;
  float blank = 0, height = 0;
};

class Setting {
 public:
  Setting(float width, const MixedStyle& style) : width_(width), style_(style) {
    ascent_ = style.font->Ascent * style.size / style.font->FontSize;
    descent_ = -style.font->Descent * style.size / style.font->FontSize;
    flow_.blank = measure(" ");
  }

  Flow set(std::string_view text) {
    split(text);
    breakLines();
    return std::move(flow_);
  }

 private:
  float measure(std::string_view text) const {
    return style_.font->CalcTextSizeA(style_.size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
  }

  void words(std::string_view text, bool& blank) {
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == '\n') {
        blank = true;
        ++at;
        continue;
      }
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      const std::string_view one = text.substr(at, end - at);
      flow_.parts.push_back({one, std::nullopt, measure(one), ascent_, descent_, blank});
      blank = false;
      at = end;
    }
  }

  void split(std::string_view text) {
    const Result<FormulaFont>& font = FormulaFont::shared();
    bool blank = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = text.find('$', at);
      const std::size_t close = open == std::string_view::npos ? open : text.find('$', open + 1);
      if (close == std::string_view::npos) return words(text.substr(at), blank);
      words(text.substr(at, open - at), blank);
      const std::string_view markup = text.substr(open + 1, close - open - 1);
      const Result<Formula> formula = Formula::parse(markup);
      if (formula && font) {
        Part part;
        part.formula = layOut(*formula, *font, {style_.size * kTextFormulaSize, width_, false});
        part.width = static_cast<float>(part.formula->width);
        part.ascent = static_cast<float>(part.formula->ascent);
        part.descent = static_cast<float>(part.formula->descent);
        part.blank = std::exchange(blank, false);
        flow_.parts.push_back(std::move(part));
      } else {
        words(markup, blank);
      }
      at = close + 1;
    }
  }

  void breakLines() {
    float x = 0;
    for (std::size_t i = 0; i < flow_.parts.size();) {
      // What is glued together, as a formula and the comma behind it, stays on one line.
      std::size_t end = i + 1;
      float glued = flow_.parts[i].width;
      while (end < flow_.parts.size() && !flow_.parts[end].blank)
        glued += flow_.parts[end++].width;
      const float gap = flow_.lines.empty() || x == 0 ? 0 : flow_.blank;
      if (flow_.lines.empty() || x + gap + glued > width_) {
        flow_.lines.push_back({i, i, ascent_, descent_});
        x = 0;
      } else {
        x += gap;
      }
      Line& line = flow_.lines.back();
      for (; i < end; ++i) {
        line.ascent = std::max(line.ascent, flow_.parts[i].ascent);
        line.descent = std::max(line.descent, flow_.parts[i].descent);
        x += flow_.parts[i].width;
      }
      line.to = end;
    }
    for (const Line& line : flow_.lines)
      flow_.height += std::max(line.ascent + line.descent + 0.12f * style_.size, style_.size * style_.leading);
  }

  float width_;
  const MixedStyle& style_;
  float ascent_ = 0, descent_ = 0;
  Flow flow_;
};

}  // namespace

float mixedHeight(std::string_view text, float width, const MixedStyle& style) {
  return Setting(width, style).set(text).height;
}

bool drawMixed(std::string_view text, float width, const MixedStyle& style) {
  const Flow flow = Setting(width, style).set(text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float ascent = style.font->Ascent * style.size / style.font->FontSize;
  bool all = true;
  float y = at.y;
  for (const Line& line : flow.lines) {
    const float height = std::max(line.ascent + line.descent + 0.12f * style.size, style.size * style.leading);
    const float baseline = std::round(y + (height - line.ascent - line.descent) / 2 + line.ascent);
    float x = at.x;
    for (std::size_t i = line.from; i < line.to; ++i) {
      const Part& part = flow.parts[i];
      if (part.blank && i != line.from) x += flow.blank;
      if (part.formula) {
        FormulaInk* const ink = FormulaInk::current();
        if (ink && !ink->draw(list, *part.formula, {x, baseline}, style.color)) all = false;
      } else {
        list.AddText(style.font, style.size, {x, baseline - ascent}, style.color, part.word.data(),
                     part.word.data() + part.word.size());
      }
      x += part.width;
    }
    y += height;
  }
  ImGui::Dummy({width, flow.height});
  return all;
}

}  // namespace sepx::ui
