// SPDX-License-Identifier: Apache-2.0
#include "ui/document/utf8.h"

#include <cstdint>

namespace sepx::ui {
namespace {

/// Bytes of the character that begins with `lead`, 0 when no character does.
int lengthOf(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

std::optional<std::size_t> firstNotUtf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const int length = lengthOf(lead);
    if (length == 0 || at + static_cast<std::size_t>(length) > text.size()) return at;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (int i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
      if ((byte & 0xC0u) != 0x80u) return at;
      code = (code << 6) | (byte & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return at;
    at += static_cast<std::size_t>(length);
  }
  return std::nullopt;
}

}  // namespace sepx::ui
