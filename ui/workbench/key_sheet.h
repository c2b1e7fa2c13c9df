// SPDX-License-Identifier: Apache-2.0
// The sheet of keys: every command with its keys, grouped by menu, and what the pointer does, set in as many columns as
// the window has room for. Text gets smaller before anything is cut, and what still does not fit scrolls. Frame thread.
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

/// In the order of the menus; commands without a key are left out. `gestures`: of the exhibit in sight.
std::vector<KeyGroup> keyGroups(const std::vector<Workbench::Command>& commands,
                                const std::vector<std::pair<std::string, std::string>>& hostKeys,
                                const std::vector<std::pair<std::string, std::string>>& gestures);

/// How groups are shared among columns: the lines of each column, a heading as a row with an empty key, a blank row
/// between groups. No column begins with a blank or ends with a heading.
std::vector<std::vector<std::pair<std::string, std::string>>> keyColumns(const std::vector<KeyGroup>& groups,
                                                                         std::size_t columns);

/// Draws the sheet in the middle of the window. False: its button was pressed.
bool drawKeySheet(const std::vector<KeyGroup>& groups, render::Point window, const Theme& theme, ControlMap& controls);

}  // namespace sepx::ui
