// SPDX-License-Identifier: Apache-2.0
// Text of a stranger (names of files and runs, notes) on its way to a terminal. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx {

/// One line of well-formed UTF-8 that does nothing to a terminal: line ends and tabs are blanks, other control
/// characters, those that turn the direction of writing, and bytes that are no character are U+FFFD.
std::string printable(std::string_view text);

}  // namespace sepx
