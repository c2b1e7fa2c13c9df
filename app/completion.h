// SPDX-License-Identifier: Apache-2.0
// Shell completion for commands, options and values, generated from the table of commands and options. Each text is
// self-contained: completion does not run the program. Any thread.
#pragma once

#include <string>

#include "app/option_table.h"

namespace sepx::app {

/// For share/bash-completion/completions/PROGRAM; does not need the functions of the bash-completion package.
std::string bashCompletion(const CommandTable& program);
/// For share/zsh/site-functions/_PROGRAM.
std::string zshCompletion(const CommandTable& program);
/// For share/fish/vendor_completions.d/PROGRAM.fish.
std::string fishCompletion(const CommandTable& program);

}  // namespace sepx::app
