// SPDX-License-Identifier: Apache-2.0
// Starts a program that continues to run when this one ends: in a separate session, which receives no signals from this
// terminal or window. Any thread.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/core/result.h"

namespace sepx {

/// `words`: path of the program and its arguments. Its standard input, output and error are /dev/null; with
/// `keepErrors` it shares the standard error of this program. Returns the process id, for which the caller must wait
/// unless the caller itself ends soon. OutputFailed with path and reason.
Result<pid_t> spawnDetached(const std::vector<std::string>& words, bool keepErrors = false);

}  // namespace sepx
