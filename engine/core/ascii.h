// SPDX-License-Identifier: Apache-2.0
// Letters of ASCII, the same in every locale. Pure; any thread.
#pragma once

#include <algorithm>
#include <string>

namespace sepx {

/// A to Z become small letters; every other byte stays.
inline std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace sepx
