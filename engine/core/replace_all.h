// SPDX-License-Identifier: Apache-2.0
// Replaces every occurrence of a text in another one. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx {

/// Replaces every `from` in `text` by `to`, from left to right. Replaced text is not searched again, and an empty
/// `from` never matches. The text is rebuilt, because each replacement in place would move the rest of the text.
inline void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  std::size_t next = text.find(from);
  if (next == std::string::npos) return;
  std::string out;
  std::size_t at = 0;
  for (; next != std::string::npos; next = text.find(from, at)) {
    out.append(text, at, next - at).append(to);
    at = next + from.size();
  }
  text = out.append(text, at);
}

}  // namespace sepx
