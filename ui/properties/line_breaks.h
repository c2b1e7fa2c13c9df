// SPDX-License-Identifier: Apache-2.0
// Finds where a line of text may end: at blanks, and between characters of scripts that are written without blanks
// (Chinese, Japanese), but not before a closing mark or after an opening one. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace sepx::ui {

/// The end of the piece from `at` (not a blank) that must stay together: the next blank or line break, or a position
/// between characters where a line may end. UTF-8; an invalid byte counts as a character.
std::size_t pieceEnd(std::string_view text, std::size_t at);

/// Whether a blank or line break between two words can be dropped because both sides are written without blanks.
bool joinsWithoutBlank(std::string_view before, std::string_view after);

}  // namespace sepx::ui
