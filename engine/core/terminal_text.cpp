// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_text.h"

#include "engine/core/utf8.h"

namespace sepx {

std::string printable(std::string_view text) {
  std::string out;
  for (const char32_t code : decodeUtf8(text)) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    if (code == U'\n' || code == U'\r' || code == U'\t') {
      out += ' ';
    } else {
      appendUtf8(out, control || direction ? U'\uFFFD' : code);
    }
  }
  return out;
}

}  // namespace sepx
