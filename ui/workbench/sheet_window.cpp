// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/sheet_window.h"

#include <algorithm>

#include "ui/workbench/imgui_context.h"

namespace sepx::ui {

render::Color edgeOnRaised(const Theme& theme) {
  const render::Color &a = theme.surfaceRaised, &b = theme.text;
  return {(a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2, 1};
}

void placeTallSheet(render::Point window, float widest, const Theme& theme) {
  const auto width = static_cast<float>(window.x), height = static_cast<float>(window.y);
  ImGui::SetNextWindowPos({width / 2, height / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(width - 2 * theme.space, widest * theme.textSize), height - 4 * theme.space});
}

SheetWindow::SheetWindow(const char* id, const Theme& theme, const SheetOptions& options) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, options.border);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme.radius);
  if (options.padding) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, *options.padding);
    ++variables_;
  }
  ImGui::PushStyleColor(ImGuiCol_WindowBg, toImVec4(theme.surfaceRaised));
  seen_ = ImGui::Begin(id, nullptr,
                       options.flags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                           ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  // On this ground fields and boxes are seen by their edge.
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, theme.frameBorder));
  ImGui::PushStyleColor(ImGuiCol_Border, toImVec4(edgeOnRaised(theme)));
}

SheetWindow::~SheetWindow() {
  ImGui::PopStyleColor();  // what was pushed in the window is taken back in it
  ImGui::PopStyleVar();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(variables_);
}

}  // namespace sepx::ui
