// SPDX-License-Identifier: Apache-2.0
// See panel_text.h.
#include "ui/properties/panel_text.h"

#include <algorithm>

#include <imgui/imgui.h>

#include "ui/properties/symbols.h"

namespace sepx::ui {

std::string inLines(std::string_view text, float width, const WidthOf& widthOf) {
  std::string lines(text);
  std::size_t line = 0;  // where the present line begins
  std::size_t word = 0;
  while (word < lines.size()) {
    const std::size_t end = std::min(lines.find_first_of(" \n", word), lines.size());
    const std::string_view upTo = std::string_view(lines).substr(line, end - line);
    if (word > line && widthOf(upTo) > width) {
      lines[word - 1] = '\n';
      line = word;
    }
    if (end < lines.size() && lines[end] == '\n') line = end + 1;
    word = end + 1;
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

/// ImGui's font has no slanted letters.
float runWidth(const SymbolRun& run) {
  const float share = run.script == SymbolRun::Script::None ? 1 : static_cast<float>(kSymbolScript);
  return share * imguiWidth(run.text);
}

}  // namespace

float setLineWidth(std::string_view text) {
  float width = 0;
  for (const SymbolRun& run : symbolRuns(text))
    width += runWidth(run);
  return width;
}

void drawSetLine(std::string_view text, ImVec2 at) {
  ImFont* const font = ImGui::GetFont();
  const float size = ImGui::GetFontSize(), ascent = font->Ascent * size / font->FontSize;
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  for (const SymbolRun& run : symbolRuns(text)) {
    const auto share = static_cast<float>(run.script == SymbolRun::Script::None ? 1 : kSymbolScript);
    const double moved = run.script == SymbolRun::Script::Below   ? kSymbolBelow
                         : run.script == SymbolRun::Script::Above ? -kSymbolAbove
                                                                  : 0;
    const float down = ascent * (1 - share) + static_cast<float>(moved) * size;
    ImGui::GetWindowDrawList()->AddText(font, share * size, {at.x, at.y + down}, color, run.text.c_str());
    at.x += runWidth(run);
  }
}

void panelText(std::string_view text, float width) {
  if (holdsSymbols(text)) {
    const std::string lines = inLines(text, width, setLineWidth);
    const ImVec2 first = ImGui::GetCursorScreenPos();
    ImVec2 at = first;
    float widest = 0;
    for (std::size_t begin = 0; begin <= lines.size(); at.y += ImGui::GetTextLineHeight()) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      const std::string_view line = std::string_view(lines).substr(begin, end - begin);
      drawSetLine(line, at);
      widest = std::max(widest, setLineWidth(line));
      begin = end + 1;
    }
    return ImGui::Dummy({widest, at.y - first.y});
  }
  const std::string lines = inLines(text, width, imguiWidth);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace sepx::ui
