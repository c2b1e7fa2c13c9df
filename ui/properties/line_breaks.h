// SPDX-License-Identifier: Apache-2.0
// Where a line of text may end: at blanks, and between the characters of scripts that are written without them
// (Chinese, Japanese), but not before a closing mark or behind an opening one. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace sepx::ui {

/// The end of what must stay together from `at`, which is no blank: the next blank or line break, or a place between
/// characters where a line may end. UTF-8; a byte that is none counts as a character.
std::size_t pieceEnd(std::string_view text, std::size_t at);

/// Whether a blank or line break between two words stands for nothing, as both sides are written without blanks.
bool joins(std::string_view before, std::string_view after);

}  // namespace sepx::ui
