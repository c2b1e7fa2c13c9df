// SPDX-License-Identifier: Apache-2.0
// Case conversion of ASCII letters, independent of the locale. Pure; any thread.
#pragma once

#include <algorithm>
#include <string>

namespace sepx {

/// Converts A to Z to lower case; other bytes are unchanged.
inline std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace sepx
