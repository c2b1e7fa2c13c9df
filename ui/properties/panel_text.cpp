// SPDX-License-Identifier: Apache-2.0
// See panel_text.h.
#include "ui/properties/panel_text.h"

#include <algorithm>

#include <imgui/imgui.h>

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

void panelText(std::string_view text, float width) {
  const std::string lines = inLines(text, width, imguiWidth);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace sepx::ui
