// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/type_style.h"

#include <algorithm>

namespace sepx::ui {

ImFont* textFont(TextStyle style) {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  if (fonts.empty()) return nullptr;  // ImGui then uses its default font
  return fonts[std::min(static_cast<int>(style), fonts.Size - 1)];
}

void textIn(TextStyle style, const std::string& text) {
  ImGui::PushFont(textFont(style));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

}  // namespace sepx::ui
