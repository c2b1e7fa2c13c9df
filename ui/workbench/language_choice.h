// SPDX-License-Identifier: Apache-2.0
// Selects the interface language: by command, by setting, or from the system. A language whose characters are in no
// installed typeface is rejected. Frame thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

/// Like setLanguage(), but returns BadInput, with the package to install, when no installed typeface can show the
/// language. The language then stays as it was, or becomes English if the rejected one was already in use.
Result<void> useLanguage(std::string_view key);

/// Replaces each lesson (path and title) by its version in the current language, or in English where there is none: the
/// file of the same name in the folder of that language. Adds the characters of these lessons to the fonts.
std::vector<std::pair<std::string, std::string>> lessonsInLanguage(
    const std::vector<std::pair<std::string, std::string>>& lessons);

/// Adds one command per language and one for the system language, as a submenu of "View". They also set
/// "settings.language" where there are settings.
void addLanguageCommands(Commands& to, WindowState& window);

}  // namespace sepx::ui
