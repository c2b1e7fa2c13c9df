// SPDX-License-Identifier: Apache-2.0
// Every occurrence of a text in another one. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx {

/// `to` for every `from` in `text`, from left to right; nothing is looked at twice, and an empty `from` occurs nowhere.
/// The text is written anew: in place, each occurrence would move what stands behind it.
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
