// SPDX-License-Identifier: Apache-2.0
// A filter of system calls (seccomp) for a process that reads files and nothing else: from then on it can start no
// other program and open no socket, whatever a file makes its reader do. Files are opened, mapped and written as
// before, and threads are started. What the filter refuses fails with EACCES. A filter holds for a whole process and
// cannot be taken back (docs/decisions/seccomp.md).
#pragma once

namespace sepx::app::cli {

/// False where the system has no such filters, or refuses one more (in some containers): nothing has changed then. All
/// threads of the process get the filter.
bool giveUpProgramsAndSockets();

}  // namespace sepx::app::cli
