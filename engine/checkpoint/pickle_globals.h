// SPDX-License-Identifier: Apache-2.0
// Recognises names in a pickle that can be used to run code or commands. Pure; any thread.
#pragma once

#include <string_view>

namespace sepx::checkpoint {

/// Whether unpickling a global of this name would let the file's author run commands or code.
bool executesCode(std::string_view module, std::string_view name);

}  // namespace sepx::checkpoint
