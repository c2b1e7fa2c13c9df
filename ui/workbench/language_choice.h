// SPDX-License-Identifier: Apache-2.0
// The language as a person chooses it: by command, by setting, by the system. A language whose characters no installed
// typeface has is not taken. Frame thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/window_state.h"

namespace sepx::ui {

/// As setLanguage(); BadInput with the package to install when pictures could not show it: English then, where it was
/// the present one.
Result<void> useLanguage(std::string_view key);

/// Lessons (path and title) in the present language where they are written in it, else in English: the same name in a
/// folder of the language. Their characters get into the fonts.
std::vector<std::pair<std::string, std::string>> lessonsInLanguage(
    const std::vector<std::pair<std::string, std::string>>& lessons);

/// One for each language and one for that of the system, as a menu inside "View". They set "settings.language", where
/// there are settings.
void addLanguageCommands(Commands& to, WindowState& window);

}  // namespace sepx::ui
