// SPDX-License-Identifier: Apache-2.0
// ImGui around the panes: the frame of the active one, and above each picture its number and what it shows.
#include <utility>

#include <fmt/format.h>
#include <imgui/imgui_internal.h>

#include "ui/workbench/imgui_context.h"
#include "ui/workbench/panes.h"

namespace sepx::ui {

void Panes::drawEdges() const {
  if (places_.size() < 2 || window_.figure) return;
  const auto index = static_cast<std::size_t>(activeNumber() - 1);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const render::Rect& frame = places_[i].frame;
    const ImU32 color = toImU32(i == index ? window_.theme->accent : window_.theme->border);
    list->AddRect({static_cast<float>(frame.min.x), static_cast<float>(frame.min.y)},
                  {static_cast<float>(frame.max.x), static_cast<float>(frame.max.y)}, color, 0, 0,
                  i == index ? 2.0f : 1.0f);
  }
}

/// A click makes the pane the active one.
void Panes::drawTitles() {
  const Theme& theme = *window_.theme;
  for (std::size_t i = 0; i < places_.size() && places_.size() > 1; ++i) {
    const render::Rect& strip = places_[i].title;
    if (strip.width() <= 0 || strip.height() <= 0) continue;  // laid out without chrome, or a window of no size
    const int own = static_cast<int>(i) + 1;
    const bool isActive = own == activeNumber();
    const ImVec2 size{static_cast<float>(strip.width()), static_cast<float>(strip.height())};
    ImGui::SetNextWindowPos({static_cast<float>(strip.min.x), static_cast<float>(strip.min.y)});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, toImVec4(isActive ? theme.surfaceRaised : theme.surface));
    ImGui::Begin(fmt::format("##pane.title{}", own).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    if (ImGui::InvisibleButton("##activate", size)) activate(own);
    window_.controls.reportLastItem(fmt::format("panes.title.{}", own));
    drawTitle(own, isActive, size);
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
  }
}

/// Number and title in one line, cut with dots where the pane is too narrow for all of it.
void Panes::drawTitle(int number, bool isActive, ImVec2 strip) {
  const Theme& theme = *window_.theme;
  const std::string mark = std::to_string(number), text = at(number).exhibit().title();
  ImGui::PushFont(textFont(isActive ? TextStyle::Strong : TextStyle::Small));
  const float from = std::max(2.5f * theme.space, 2 * theme.space + ImGui::CalcTextSize(mark.c_str()).x);
  const float room = strip.x - from - theme.space;
  const bool strong = isActive && ImGui::CalcTextSize(text.c_str()).x <= room;
  ImGui::PopFont();
  ImGui::PushFont(textFont(strong ? TextStyle::Strong : TextStyle::Small));
  const ImVec2 size = ImGui::CalcTextSize(text.c_str()), corner = ImGui::GetWindowPos();
  const float y = corner.y + (strip.y - size.y) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText({corner.x + theme.space, y}, toImU32(isActive ? theme.accent : theme.textMuted), mark.c_str());
  ImGui::RenderTextEllipsis(list, {corner.x + from, y}, {corner.x + from + room, corner.y + strip.y},
                            corner.x + from + room, corner.x + from + room, text.c_str(), text.c_str() + text.size(),
                            &size);
  ImGui::PopFont();
}

}  // namespace sepx::ui
