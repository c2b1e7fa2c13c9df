// SPDX-License-Identifier: Apache-2.0
// The command line as a function, so that tests can call it in-process: it takes arguments, writes text and returns the
// exit status. An error is one line on `err`, `sepx: …`. With --json, only one JSON document is written to `out`. One
// thread.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "app/option_table.h"

namespace sepx::app::cli {

/// `args` without the program's name. `terminal`: `err` is a terminal, so that long work may draw a progress bar there.
int run(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal = false);
/// The same with other verbs, for programs other than `sepx` that have its flags.
int run(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal,
        std::vector<VerbEntry> verbs);

/// run() for main(), in a process that does nothing else. A verb that only reads files first gives up the right to
/// start programs and to open sockets (call_filter.h).
int runProcess(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal);

/// Every verb and option, as --help shows them.
CommandTable commandTable();

}  // namespace sepx::app::cli
