// SPDX-License-Identifier: Apache-2.0
// See panel_text.h.
#include "ui/properties/panel_text.h"

#include <algorithm>

#include <imgui/imgui.h>

#include "ui/properties/line_breaks.h"
#include "ui/properties/symbols.h"

namespace sepx::ui {

std::string inLines(std::string_view text, float width, const WidthOf& widthOf) {
  std::string lines;
  std::size_t line = 0;  // where the present line begins in `lines`
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
    // The last blank becomes the line break; between characters without one it is added.
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
