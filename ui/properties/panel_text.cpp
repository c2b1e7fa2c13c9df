// SPDX-License-Identifier: Apache-2.0
// See panel_text.h.
#include "ui/properties/panel_text.h"

#include <algorithm>
#include <cfloat>
#include <utility>
#include <vector>

#include <imgui/imgui.h>

#include "engine/core/utf8.h"
#include "ui/properties/control_size.h"
#include "ui/properties/formula_nodes.h"
#include "ui/properties/line_breaks.h"
#include "ui/properties/symbols.h"
#include "ui/properties/type_style.h"

namespace sepx::ui {

std::string withLineBreaks(std::string_view text, float width, const WidthOf& widthOf) {
  std::string lines;
  std::size_t line = 0;  // start of the present line in `lines`
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = at;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
    const std::string_view between = text.substr(blank, at - blank);
    const std::size_t end = pieceEnd(text, at), before = lines.size();
    lines += between;
    const std::size_t given = lines.rfind('\n');
    if (given != std::string::npos && given >= before) line = given + 1;
    lines += text.substr(at, end - at);
    at = end;
    if (before <= line || widthOf(std::string_view(lines).substr(line)) <= width) continue;
    // The last blank becomes the line break; between characters without a blank, a line break is inserted.
    if (between.empty())
      lines.insert(before, "\n");
    else
      lines[before + between.size() - 1] = '\n';
    line = before + std::max<std::size_t>(between.size(), 1);
  }
  return lines;
}

std::string shortened(std::string_view text, float width, const WidthOf& widthOf) {
  if (widthOf(text) <= width) return std::string(text);
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; };
  std::string shown;
  while (!text.empty()) {
    std::size_t end = text.size() - 1;
    while (end > 0 && continues(text[end]))
      --end;
    text = text.substr(0, end);
    shown = std::string(text) + "…";
    if (widthOf(shown) <= width) break;
  }
  return shown;
}

float imguiWidth(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

namespace {

/// The last letter, the lunate epsilon, is written as an escape: text fonts may lack it, and the formula font draws it.
constexpr std::u32string_view kLetters =
    U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρςστυφχψωϕ\u03F5";
constexpr char32_t kFirstPrivate = 0xE000;

/// Whether the text contains letters of mathematical italic, which ImGui's 16-bit characters cannot represent: U+1D400
/// and above, and U+210E (h).
bool holdsSlanted(std::string_view text) {
  return text.find("\xF0\x9D") != std::string_view::npos || text.find("\xE2\x84\x8E") != std::string_view::npos;
}

/// The font from which slanted letters are drawn, body or lesson, whichever needs no enlargement; null if it has none,
/// and symbols stay upright.
ImFont* slantedFont() {
  ImFont *const body = textFont(TextStyle::Body), *const lesson = textFont(TextStyle::Lesson);
  ImFont* const font = body && ImGui::GetFont()->FontSize > body->FontSize ? lesson : body;
  return font && font->FindGlyphNoFallback(static_cast<ImWchar>(kFirstPrivate)) ? font : nullptr;
}

/// The letter of a mathematical italic one; any other character unchanged.
char32_t uprightLetter(char32_t code) {
  if (code < 0x2100) return code;
  const auto found = std::ranges::find(kLetters, code, slanted);
  return found == kLetters.end() ? code : *found;
}

/// The pieces of a line with symbols. In a name whose letters are already slanted (slantedName()), the slanted letters
/// form pieces of their own.
std::vector<SymbolRun> runsOf(std::string_view text) {
  if (!holdsSlanted(text)) return symbolRuns(text);
  std::vector<SymbolRun> runs;
  for (SymbolRun& run : symbolRuns(text)) {
    if (run.script != SymbolRun::Script::None || run.slanted || !holdsSlanted(run.text)) {
      runs.push_back(std::move(run));
      continue;
    }
    for (const char32_t code : decodeUtf8(run.text)) {
      const bool leans = uprightLetter(code) != code;
      if (runs.empty() || runs.back().script != SymbolRun::Script::None || runs.back().slanted != leans)
        runs.push_back({{}, SymbolRun::Script::None, leans});
      appendUtf8(runs.back().text, code);
    }
  }
  return runs;
}

/// A piece as it is drawn: its font, size in points and characters.
struct SetRun {
  ImFont* font = nullptr;
  float size = 0;
  std::string text;
  float width() const { return font->CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x; }
};

SetRun setRun(const SymbolRun& run) {
  const float share = run.script == SymbolRun::Script::None ? 1 : static_cast<float>(kSymbolScript);
  SetRun set{ImGui::GetFont(), share * ImGui::GetFontSize(), run.text};
  if (!run.slanted) return set;
  ImFont* const slanted = slantedFont();
  if (slanted) set.font = slanted;
  set.text.clear();
  for (const char32_t code : decodeUtf8(run.text)) {
    const char32_t letter = uprightLetter(code), own = panelLetter(letter);
    const bool drawn = slanted && own != 0 && slanted->FindGlyphNoFallback(static_cast<ImWchar>(own));
    appendUtf8(set.text, drawn ? own : letter);
  }
  return set;
}

/// The ascent of a font at `size`, points.
float ascentOf(const ImFont& font, float size) {
  return font.Ascent * size / font.FontSize;
}

}  // namespace

std::u32string_view panelLetters() {
  return kLetters;
}

char32_t panelLetter(char32_t letter) {
  const std::size_t at = kLetters.find(letter);
  return at == std::u32string_view::npos ? 0 : kFirstPrivate + static_cast<char32_t>(at);
}

bool isDrawnInPieces(std::string_view text) {
  return containsSymbols(text) || holdsSlanted(text);
}

float typesetLineWidth(std::string_view text) {
  if (!isDrawnInPieces(text)) return imguiWidth(text);
  float width = 0;
  for (const SymbolRun& run : runsOf(text))
    width += setRun(run).width() - static_cast<float>(run.back) * ImGui::GetFontSize();
  return width;
}

void drawTypesetLine(std::string_view text, ImVec2 at) {
  const float size = ImGui::GetFontSize(), baseline = at.y + ascentOf(*ImGui::GetFont(), size);
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  for (const SymbolRun& run : runsOf(text)) {
    const SetRun set = setRun(run);
    at.x -= static_cast<float>(run.back) * size;
    const double moved = run.script == SymbolRun::Script::Below   ? kSymbolBelow
                         : run.script == SymbolRun::Script::Above ? -kSymbolAbove
                                                                  : 0;
    const float top = baseline + static_cast<float>(moved) * size - ascentOf(*set.font, set.size);
    ImGui::GetWindowDrawList()->AddText(set.font, set.size, {at.x, top}, color, set.text.data(),
                                        set.text.data() + set.text.size());
    at.x += set.width();
  }
}

float typesetTextHeight(std::string_view text, float width) {
  const std::string lines = withLineBreaks(text, width, typesetLineWidth);
  if (!isDrawnInPieces(text)) return ImGui::CalcTextSize(lines.c_str(), nullptr, false, width).y;
  return static_cast<float>(1 + std::ranges::count(lines, '\n')) * ImGui::GetTextLineHeight();
}

void drawTypesetText(std::string_view text, ImVec2 at, float width) {
  const std::string lines = withLineBreaks(text, width, typesetLineWidth);
  if (!isDrawnInPieces(text))
    return ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at,
                                               ImGui::GetColorU32(ImGuiCol_Text), lines.c_str(), nullptr, width);
  for (std::size_t begin = 0; begin <= lines.size(); at.y += ImGui::GetTextLineHeight()) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    drawTypesetLine(std::string_view(lines).substr(begin, end - begin), at);
    begin = end + 1;
  }
}

void panelText(std::string_view text, float width) {
  if (isDrawnInPieces(text)) {
    drawTypesetText(text, ImGui::GetCursorScreenPos(), width);
    return ImGui::Dummy({std::min(width, typesetLineWidth(text)), typesetTextHeight(text, width)});
  }
  const std::string lines = withLineBreaks(text, width, imguiWidth);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopTextWrapPos();
}

bool typesetSelectable(const std::string& text, const std::string& id, bool chosen, ImVec2 size) {
  // Includes half of the spacing to the rows above and below, where clicks also count.
  const float line = ImGui::GetTextLineHeight();
  if (size.y == 0) size.y = std::max(line, static_cast<float>(kLeastControl) - ImGui::GetStyle().ItemSpacing.y);
  if (!isDrawnInPieces(text)) return ImGui::Selectable((text + "##" + id).c_str(), chosen, 0, size);
  ImVec2 at = ImGui::GetCursorScreenPos();
  at.y += (size.y - line) / 2;
  if (size.x == 0) size.x = std::max(ImGui::GetContentRegionAvail().x, typesetLineWidth(text));
  const bool pressed = ImGui::Selectable(("##" + id).c_str(), chosen, 0, size);
  drawTypesetLine(text, at);
  return pressed;
}

}  // namespace sepx::ui
