// SPDX-License-Identifier: Apache-2.0
// What the compression of states as text (state_text.h) knows before the first byte. Any thread.
#pragma once

#include <string_view>

namespace sepx::ui {

/// Part of the format "sepx:1:".
std::string_view stateDictionary();

}  // namespace sepx::ui
