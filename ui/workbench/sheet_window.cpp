// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/sheet_window.h"

#include <algorithm>
#include <exception>

#include "ui/workbench/imgui_context.h"

namespace sepx::ui {

render::Color edgeOnRaised(const Theme& theme) {
  const render::Color &a = theme.surfaceRaised, &b = theme.text;
  return {(a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2, 1};
}

render::Rect tallSheet(render::Point window, float widest, const Theme& theme) {
  constexpr double kLeastBeside = 8;  // at each side, in text sizes
  constexpr double kAbove = 3.2;      // in text sizes: the strip of pages, which stays visible
  const double width = widest * theme.textSize, beside = (window.x - width) / 2;
  if (beside < kLeastBeside * theme.textSize) return {{0, 0}, window};
  return {{beside, kAbove * theme.textSize}, {beside + width, window.y - 2 * theme.space}};
}

void placeTallSheet(render::Point window, float widest, const Theme& theme) {
  const render::Rect box = tallSheet(window, widest, theme);
  ImGui::SetNextWindowPos({static_cast<float>(box.min.x), static_cast<float>(box.min.y)});
  ImGui::SetNextWindowSize({static_cast<float>(box.width()), static_cast<float>(box.height())});
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
  // On this background fields and boxes are visible only by their edge.
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, theme.frameBorder));
  ImGui::PushStyleColor(ImGuiCol_Border, toImVec4(edgeOnRaised(theme)));
}

SheetWindow::~SheetWindow() {
  // An exception leaves inner windows open, which Dear ImGui cannot handle; the frame then ends the program.
  if (std::uncaught_exceptions() != 0) return;
  ImGui::PopStyleColor();  // what was pushed inside the window is popped inside it
  ImGui::PopStyleVar();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(variables_);
}

}  // namespace sepx::ui
