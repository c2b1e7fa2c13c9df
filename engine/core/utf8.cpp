// SPDX-License-Identifier: Apache-2.0
#include "engine/core/utf8.h"

#include <cstdint>
#include <cstring>

namespace sepx {
namespace {

/// Number of bytes of the character that begins with `lead`, or 0 if no character does.
int lengthOf(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

std::optional<std::size_t> findInvalidUtf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::uint64_t eight = 0; at + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080u) == 0) {
        at += sizeof eight;
        continue;
      }
    }
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

std::vector<char32_t> decodeUtf8(std::string_view text) {
  std::vector<char32_t> out;
  out.reserve(text.size());
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = byte(i);
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xC2 && lead < 0xE0 ? 1
                     : lead >= 0xE0 && lead < 0xF0 ? 2
                     : lead >= 0xF0 && lead < 0xF5 ? 3
                                                   : -1;
    char32_t code = more <= 0 ? lead : static_cast<char32_t>(lead & (0x3F >> more));
    int read = 0;
    while (read < more && i + 1 + static_cast<std::size_t>(read) < text.size() &&
           (byte(i + 1 + static_cast<std::size_t>(read)) & 0xC0) == 0x80) {
      code = (code << 6) | (byte(i + 1 + static_cast<std::size_t>(read)) & 0x3F);
      ++read;
    }
    static constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    const bool good =
        more >= 0 && read == more && code >= kLeast[more] && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
    out.push_back(good ? code : U'\uFFFD');
    i += good ? static_cast<std::size_t>(1 + more) : 1;
  }
  return out;
}

void appendUtf8(std::string& text, char32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = U'\uFFFD';
  const auto put = [&text](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto more = [&](int shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    more(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    more(6);
    more(0);
  } else {
    put(0xF0 | code >> 18);
    more(12);
    more(6);
    more(0);
  }
}

}  // namespace sepx
