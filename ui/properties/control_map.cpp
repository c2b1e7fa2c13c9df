// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/control_map.h"

#include <utility>

#include <imgui/imgui_internal.h>

namespace sepx::ui {

void ControlMap::beginFrame() {
  last_ = std::move(present_);
  present_.clear();
}

void ControlMap::report(std::string_view key, ImVec2 min, ImVec2 max) {
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  const bool seen = ImGui::GetScrollMaxY() <= 0 || (min.y >= top && max.y <= bottom);
  const ImGuiWindow* const window = ImGui::GetCurrentContext()->CurrentWindow;
  present_[std::string(key)] = {min, max, seen, window && !window->IsFallbackWindow ? window->ID : 0};
  if (wanted_ != key) return;
  if (!seen) ImGui::SetScrollFromPosY((min.y + max.y) / 2 - top);
  wanted_.reset();
}

void ControlMap::reportLastItem(std::string_view key) {
  report(key, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

std::optional<ControlRect> ControlMap::find(std::string_view key) const {
  if (const auto at = present_.find(key); at != present_.end()) return at->second;
  // Until this frame's controls are drawn, their positions are assumed to be those of the last frame.
  if (present_.empty()) {
    if (const auto at = last_.find(key); at != last_.end()) return at->second;
  }
  return std::nullopt;
}

namespace {

/// The id of the topmost window at this position in the last frame; 0: none.
ImGuiID topmostWindowAt(ImVec2 at) {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  for (int i = context.Windows.Size - 1; i >= 0; --i) {
    const ImGuiWindow& window = *context.Windows[i];
    const bool there = (window.Active || window.WasActive) && !window.Hidden && !window.IsFallbackWindow &&
                       (window.Flags & ImGuiWindowFlags_NoMouseInputs) == 0;
    if (there && window.OuterRectClipped.Contains(at)) return window.ID;
  }
  return 0;
}

}  // namespace

std::optional<std::vector<std::string>> ControlMap::controlsAt(ImVec2 at) const {
  const ImGuiID top = topmostWindowAt(at);
  std::vector<std::string> keys;
  for (const auto& [key, rect] : present_.empty() ? last_ : present_)
    if (rect.window == top && rect.seen && at.x >= rect.min.x && at.y >= rect.min.y && at.x < rect.max.x &&
        at.y < rect.max.y)
      keys.push_back(key);
  if (top != 0 && keys.empty()) return std::nullopt;
  return keys;
}

std::string ControlMap::edited() const {
  for (const auto& [key, entry] : entries_)
    if (entry.editing && find(key + "#entry")) return key;
  return {};
}

void ControlMap::refuse(std::string_view key, std::string sentence) {
  refusals_[std::string(key)] = std::move(sentence);
}

void ControlMap::accept(std::string_view key) {
  if (const auto at = refusals_.find(key); at != refusals_.end()) refusals_.erase(at);
}

const std::string* ControlMap::refusal(std::string_view key) const {
  const auto at = refusals_.find(key);
  return at == refusals_.end() ? nullptr : &at->second;
}

}  // namespace sepx::ui
