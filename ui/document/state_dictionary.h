// SPDX-License-Identifier: Apache-2.0
// The preset dictionary for the compression of states as text (state_text.h). Any thread.
#pragma once

#include <string_view>

namespace sepx::ui {

/// Part of the format "sepx:1:".
std::string_view stateDictionary();

}  // namespace sepx::ui
