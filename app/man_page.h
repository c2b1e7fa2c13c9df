// SPDX-License-Identifier: Apache-2.0
// Generates manual pages in the format of man(7) from the table of commands and options. Any thread.
#pragma once

#include <string>

#include "app/option_table.h"

namespace sepx::app {

/// PROGRAM(1), or PROGRAM-VERB(1) when `verb` (one of program.commands) is not null. The same table gives the same
/// bytes: the page contains the program's version and no date.
std::string manPage(const CommandTable& program, const CommandTable* verb);

}  // namespace sepx::app
