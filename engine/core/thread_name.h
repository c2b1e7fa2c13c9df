// SPDX-License-Identifier: Apache-2.0
// Names of threads, as debuggers, profilers and `top -H` show them.
#pragma once

#include <string_view>

namespace sepx {

/// What nameThread() gives the system of `name`, which takes 15 bytes: the last of its parts between dots that fit, or
/// the last 15 bytes where not even one does.
/// "training.library.sweep" -> "library.sweep".
std::string_view shownThreadName(std::string_view name);

/// Names the calling thread. Any thread; where the system refuses, the thread keeps the name of the one that began it.
void nameThread(std::string_view name);

}  // namespace sepx
