// SPDX-License-Identifier: Apache-2.0
// See key_sheet.h.
#include "ui/workbench/key_sheet.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/workbench/chord.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/sheet_window.h"

namespace sepx::ui {
namespace {

using Row = std::pair<std::string, std::string>;
using Columns = std::vector<std::vector<Row>>;

constexpr std::size_t kMostColumns = 4;

/// All keys of a command: its shortcut and further keys, such as those of presenter remotes.
std::string keysOf(const Workbench::Command& command) {
  std::string keys = command.shortcut;
  for (const std::string& more : furtherKeys(command.key))
    keys += (keys.empty() ? "" : ", ") + more;
  return keys;
}

/// The name of a command, without the action that it would undo or redo now.
std::string nameOf(const Workbench::Command& command) {
  if (command.key == "edit.undo") return tr("Undo");
  if (command.key == "edit.redo") return tr("Redo");
  return command.label;
}

KeyGroup& groupOf(std::vector<KeyGroup>& groups, const std::string& heading) {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const KeyGroup& one) { return one.heading == heading; });
  if (found != groups.end()) return *found;
  return groups.emplace_back(KeyGroup{heading, {}});
}

/// The largest widths of keys and of texts in given fonts.
struct Measure {
  float keys = 0, words = 0;
  float column(const Theme& theme) const { return keys + words + 2 * theme.space; }
};

Measure measure(const std::vector<KeyGroup>& groups, TextStyle strong, TextStyle plain) {
  Measure widest;
  for (const KeyGroup& group : groups) {
    for (const auto& [keys, words] : group.rows) {
      ImGui::PushFont(textFont(strong));
      widest.keys = std::max(widest.keys, ImGui::CalcTextSize(keys.c_str()).x);
      ImGui::PopFont();
      ImGui::PushFont(textFont(plain));
      widest.words = std::max(widest.words, ImGui::CalcTextSize(words.c_str()).x);
      ImGui::PopFont();
    }
  }
  return widest;
}

float longest(const Columns& columns) {
  std::size_t lines = 0;
  for (const auto& column : columns)
    lines = std::max(lines, column.size());
  return static_cast<float>(lines);
}

/// How a sheet is typeset.
struct Setting {
  TextStyle strong = TextStyle::Strong, plain = TextStyle::Body;
  float size = 0, line = 0;  ///< of the type and of a row of text, points
  Measure widths;
  Columns columns;
  float gap = 0;  ///< between columns
  float width(const Theme& theme) const {
    return static_cast<float>(columns.size()) * (widths.column(theme) + gap) - gap;
  }
  float height() const { return longest(columns) * line; }
};

Setting setIn(const std::vector<KeyGroup>& groups, TextStyle strong, TextStyle plain, float size, float spacing,
              ImVec2 room, const Theme& theme) {
  Setting setting{strong, plain, size, spacing * size, measure(groups, strong, plain), {}, 3 * theme.space};
  const float one = setting.widths.column(theme) + setting.gap;
  const auto most = static_cast<std::size_t>(std::max(1.0f, (room.x + setting.gap) / one));
  for (std::size_t columns = 1; columns <= std::min(most, kMostColumns); ++columns) {
    setting.columns = keyColumns(groups, columns);
    if (setting.height() <= room.y) break;
  }
  return setting;
}

/// The largest setting that fits; if none does, the smallest.
Setting choose(const std::vector<KeyGroup>& groups, ImVec2 room, const Theme& theme) {
  Setting setting;
  for (const auto& [small, spacing] :
       {std::pair(false, 1.6f), std::pair(false, 1.35f), std::pair(true, 1.45f), std::pair(true, 1.25f)}) {
    setting = small ? setIn(groups, TextStyle::Small, TextStyle::Small, theme.smallSize, spacing, room, theme)
                    : setIn(groups, TextStyle::Strong, TextStyle::Body, theme.textSize, spacing, room, theme);
    if (setting.height() <= room.y && setting.width(theme) <= room.x) break;
  }
  return setting;
}

/// `right`: x at which the texts of the last column are wrapped.
void drawColumns(const Setting& setting, float right, const Theme& theme) {
  const ImVec2 at = ImGui::GetCursorPos();
  float x = at.x, lowest = at.y;
  for (const auto& column : setting.columns) {
    const bool last = &column == &setting.columns.back();
    float y = at.y;
    for (const auto& [keys, words] : column) {
      ImGui::SetCursorPos(ImVec2(x, y));
      if (!keys.empty()) {
        textIn(setting.strong, keys);
        ImGui::SetCursorPos(ImVec2(x + setting.widths.keys + 2 * theme.space, y));
      }
      ImGui::PushFont(textFont(setting.plain));
      float further = 0;
      if (keys.empty()) {
        ImGui::TextColored(toImVec4(theme.accent), "%s", words.c_str());
      } else {
        const float room = last ? std::max(6 * setting.size, right - ImGui::GetCursorPosX()) : setting.widths.words + 1;
        panelText(words, room);
        further = std::max(0.0f, typesetTextHeight(words, room) - ImGui::GetTextLineHeight());
      }
      ImGui::PopFont();
      y += setting.line + further;
      lowest = std::max(lowest, y);
    }
    x += setting.widths.column(theme) + setting.gap;
  }
  ImGui::SetCursorPos(ImVec2(at.x, lowest));
}

}  // namespace

std::vector<KeyGroup> keyGroups(const std::vector<Workbench::Command>& commands,
                                const std::vector<std::pair<std::string, std::string>>& hostKeys,
                                const std::vector<std::pair<std::string, std::string>>& gestures) {
  std::vector<KeyGroup> groups;
  for (const auto& command : commands) {
    if (const std::string keys = keysOf(command); !keys.empty())
      groupOf(groups, command.menu.substr(command.menu.rfind('/') + 1)).rows.emplace_back(keys, nameOf(command));
  }
  for (const auto& [keys, words] : hostKeys)
    groupOf(groups, tr("Window")).rows.emplace_back(keys, tr(words));
  KeyGroup& pointer = groupOf(groups, tr("Pointer and picture"));
  pointer.rows.insert(pointer.rows.end(), gestures.begin(), gestures.end());
  pointer.rows.emplace_back(tr("Esc"), tr("close this, or a message"));
  return groups;
}

Columns keyColumns(const std::vector<KeyGroup>& groups, std::size_t columns) {
  std::size_t lines = 0;
  for (const KeyGroup& group : groups)
    lines += group.rows.size() + 2;  // a heading, and a blank before the next
  // The smallest height at which everything fits into this number of columns.
  for (std::size_t height = std::max<std::size_t>(3, (lines + columns - 1) / std::max<std::size_t>(1, columns));;
       ++height) {
    Columns result(1);
    for (const KeyGroup& group : groups) {
      const bool first = result.back().empty();
      if (!first && result.back().size() + 3 > height) {
        result.emplace_back();
      } else if (!first) {
        result.back().emplace_back();
      }
      result.back().emplace_back(std::string(), group.heading);
      for (const Row& row : group.rows) {
        if (result.back().size() >= height) result.emplace_back();
        result.back().push_back(row);
      }
    }
    if (result.size() <= columns) return result;
  }
}

bool drawKeySheet(const std::vector<KeyGroup>& groups, render::Point window, const Theme& theme, ControlMap& controls) {
  const float pad = 2 * theme.space, margin = theme.space;
  const auto width = static_cast<float>(window.x), height = static_cast<float>(window.y);
  const float head = 1.5f * theme.titleSize, foot = ImGui::GetFrameHeight() + theme.space;
  const ImVec2 room(std::max(80.0f, width - 2 * (pad + margin)),
                    std::max(60.0f, height - 2 * (pad + margin) - head - foot));
  const Setting setting = choose(groups, room, theme);
  const bool scrolls = setting.height() > room.y || setting.width(theme) > room.x;
  const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
  const ImVec2 body(std::min(room.x, setting.width(theme) + bar), std::min(room.y, setting.height()));
  ImGui::SetNextWindowPos(ImVec2(width / 2, height / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSize(ImVec2(body.x + 2 * pad, body.y + 2 * pad + head + foot));
  ImGui::SetNextWindowFocus();
  bool stays = true;
  const SheetWindow sheet("help", theme,
                          {.border = std::max(1.0f, theme.frameBorder),
                           .padding = ImVec2(pad, pad),
                           .flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar});
  if (sheet) {
    textIn(TextStyle::Title, tr("Keys and pointer"));
    ImGui::SetCursorPos(ImVec2(pad, pad + head));
    ImGui::BeginChild("keys", body);
    drawColumns(setting, body.x - bar, theme);
    ImGui::EndChild();
    ImGui::SetCursorPos(ImVec2(pad, pad + head + body.y + theme.space));
    if (ImGui::Button(tr("Close"))) stays = false;
    controls.reportLastItem("help.close");
  }
  return stays;
}

}  // namespace sepx::ui
