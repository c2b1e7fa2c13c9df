// SPDX-License-Identifier: Apache-2.0
// Which names in a pickle are ways to run something. Pure; any thread.
#pragma once

#include <string_view>

namespace sepx::checkpoint {

/// Whether unpickling a global of this name hands the file's author a way to run commands or code.
bool runsThings(std::string_view module, std::string_view name);

}  // namespace sepx::checkpoint
