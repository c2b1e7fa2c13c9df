// SPDX-License-Identifier: Apache-2.0
// Starts a program that lives on when this one ends: in a session of its own, which no signal of this terminal or
// window reaches. Any thread.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/core/result.h"

namespace sepx {

/// `words`: path of the program and its arguments. It reads nothing, and writes nothing either unless `keepErrors`:
/// then its errors go where this program's go. Answers its process, which the caller waits for where it does not end
/// soon. OutputFailed with path and reason.
Result<pid_t> spawnApart(const std::vector<std::string>& words, bool keepErrors = false);

}  // namespace sepx
