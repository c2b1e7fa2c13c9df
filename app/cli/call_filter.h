// SPDX-License-Identifier: Apache-2.0
// A system call filter (seccomp) for a process that only reads, computes and writes files: afterwards it can start no
// other program and open no socket, even if a file exploits an error of its reader. Files are opened, mapped and
// written as before, and threads can be started. A refused call fails with EACCES (clone3: ENOSYS). The filter applies
// to the whole process and cannot be removed (docs/decisions/seccomp.md).
#pragma once

namespace sepx::app::cli {

/// Installs the filter in all threads of the process. False if the system has no such filters or refuses another one
/// (in some containers); then nothing has changed.
bool blockProgramsAndSockets();

}  // namespace sepx::app::cli
