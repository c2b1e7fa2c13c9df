// SPDX-License-Identifier: Apache-2.0
// Names of threads, as debuggers, profilers and `top -H` show them.
#pragma once

#include <string_view>

namespace sepx {

/// The part of `name` that nameThread() passes to the system, which allows 15 bytes: as many of the last dot-separated
/// parts as fit, or the last 15 bytes if not even one fits.
/// "training.library.sweep" -> "library.sweep".
std::string_view shownThreadName(std::string_view name);

/// Names the calling thread. If the system refuses, the thread keeps the name of the thread that started it. Any
/// thread.
void nameThread(std::string_view name);

}  // namespace sepx
