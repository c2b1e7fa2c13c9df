// SPDX-License-Identifier: Apache-2.0
// The command line as a function, so that tests call it in-process: arguments in, text out, exit status back. Errors
// are one line on `err`, `sepx: …`; with --json nothing but one JSON document goes to `out`. One thread.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "app/option_table.h"

namespace sepx::app::cli {

/// `args` without the program's name. `terminal`: `err` is a terminal, so that long work may draw a progress bar there.
int run(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal = false);
/// The same with other verbs: programs beside `sepx` that take its flags.
int run(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal,
        std::vector<VerbEntry> verbs);

/// What main() calls: as run(), in a process that has nothing else to do. A verb that only reads files gives up
/// starting programs and opening sockets first (call_filter.h).
int runProcess(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal);

/// Every verb and option, as --help shows them.
CommandTable commandTable();

}  // namespace sepx::app::cli
