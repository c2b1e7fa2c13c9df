// SPDX-License-Identifier: Apache-2.0
// Names of threads, as debuggers, profilers and `top -H` show them.
#pragma once

#include <string_view>

namespace sepx {

/// What the system shows of `name`: its last bytes, at most 15, from a dot on where it has one.
/// "training.library.sweep" -> "library.sweep".
std::string_view shownThreadName(std::string_view name);

/// Names the calling thread. Any thread; where the system refuses, the thread keeps the name of the one that began it.
void nameThread(std::string_view name);

}  // namespace sepx
