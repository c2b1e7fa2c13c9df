// SPDX-License-Identifier: Apache-2.0
// The sheet of keys: every command with its keys, grouped by menu, and what the pointer does, in as many columns as it
// needs and the window has room for. Text gets smaller before anything is cut, and what still does not fit scrolls.
// Frame thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

struct KeyGroup {
  std::string heading;                                    ///< of the menu, translated
  std::vector<std::pair<std::string, std::string>> rows;  ///< keys, what they do
};

/// Groups in the order of the menus; commands without a key are left out. `gestures`: those of the visible exhibit.
std::vector<KeyGroup> keyGroups(const std::vector<Workbench::Command>& commands,
                                const std::vector<std::pair<std::string, std::string>>& hostKeys,
                                const std::vector<std::pair<std::string, std::string>>& gestures);

/// Distributes groups over columns. Returns the rows of each column: a heading is a row with an empty key, and a blank
/// row separates groups. No column begins with a blank row or ends with a heading.
std::vector<std::vector<std::pair<std::string, std::string>>> keyColumns(const std::vector<KeyGroup>& groups,
                                                                         std::size_t columns);

/// Draws the sheet in the middle of the window. False: its Close button was pressed.
bool drawKeySheet(const std::vector<KeyGroup>& groups, render::Point window, const Theme& theme, ControlMap& controls);

}  // namespace sepx::ui
