// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/characters.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <utf8proc.h>

#include "engine/core/utf8.h"

namespace sepx::tokenizer {

namespace {

utf8proc_category_t categoryOf(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

bool within(char32_t code, char32_t least, char32_t most) {
  return code >= least && code <= most;
}

/// Circled and squared letters, which are alphabetic although they are symbols.
bool isLetterLikeSign(char32_t code) {
  return within(code, 0x24B6, 0x24E9) || within(code, 0x1F130, 0x1F149) || within(code, 0x1F150, 0x1F169) ||
         within(code, 0x1F170, 0x1F189);
}

struct ByteAlphabet {
  std::array<std::string, 256> characters;
  std::array<int, 0x180> bytes{};

  ByteAlphabet() {
    bytes.fill(-1);
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool printable = within(byte, 0x21, 0x7E) || within(byte, 0xA1, 0xAC) || byte >= 0xAE;
      const char32_t code = printable ? byte : next++;
      appendUtf8(characters[byte], code);
      bytes[code] = static_cast<int>(byte);
    }
  }
};

const ByteAlphabet& byteAlphabet() {
  static const ByteAlphabet kAlphabet;
  return kAlphabet;
}

}  // namespace

Character characterAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> char32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) & 0x3F : 0;
  };
  const char32_t first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const std::size_t there = std::min(length, text.size() - at);
  if (length == 1) return {first, 1};
  if (length == 2) return {(first & 0x1F) << 6 | byte(1), there};
  if (length == 3) return {(first & 0x0F) << 12 | byte(1) << 6 | byte(2), there};
  return {(first & 0x07) << 18 | byte(1) << 12 | byte(2) << 6 | byte(3), there};
}

bool isBlank(char32_t code) {
  if (code < 0x80) return code == ' ' || within(code, 9, 13);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || within(code, 0x2000, 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool isWord(char32_t code) {
  const auto category = categoryOf(code);
  return within(category, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_NL) || category == UTF8PROC_CATEGORY_PC ||
         code == 0x200C || code == 0x200D || isLetterLikeSign(code);
}

bool isNumber(char32_t code) {
  return within(categoryOf(code), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool isPunctuation(char32_t code) {
  if (code < 0x80)
    return within(code, 33, 47) || within(code, 58, 64) || within(code, 91, 96) || within(code, 123, 126);
  return within(categoryOf(code), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

bool isMark(char32_t code) {
  return within(categoryOf(code), UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME);
}

bool isNonspacingMark(char32_t code) {
  return categoryOf(code) == UTF8PROC_CATEGORY_MN;
}

bool isControl(char32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return false;
  const auto category = categoryOf(code);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CO;
}

bool isChinese(char32_t code) {
  return within(code, 0x4E00, 0x9FFF) || within(code, 0x3400, 0x4DBF) || within(code, 0x20000, 0x2A6DF) ||
         within(code, 0x2A700, 0x2B73F) || within(code, 0x2B740, 0x2B81F) || within(code, 0x2B920, 0x2CEAF) ||
         within(code, 0xF900, 0xFAFF) || within(code, 0x2F800, 0x2FA1F);
}

bool mayJoinPrevious(char32_t code) {
  if (code < 0x300) return false;
  // Vowels and finals of Hangul; half-width voice marks, which become marks in the compatibility forms.
  if (within(code, 0x1160, 0x11FF) || code == 0xFF9E || code == 0xFF9F) return true;
  return isMark(code) || utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class != 0;
}

bool breaksGrapheme(char32_t before, char32_t after, std::int32_t& state) {
  return utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before), static_cast<utf8proc_int32_t>(after),
                                          &state);
}

void appendLower(std::string& text, char32_t code) {
  if (code == 0x130) {  // the only letter whose lower-case form has two characters
    text += "i\xCC\x87";
    return;
  }
  appendUtf8(text, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
}

std::string_view byteCharacter(unsigned char byte) {
  return byteAlphabet().characters[byte];
}

std::optional<std::string> bytesOfCharacters(std::string_view token) {
  const auto& alphabet = byteAlphabet().bytes;
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const Character character = characterAt(token, at);
    if (character.code >= alphabet.size() || alphabet[character.code] < 0) return std::nullopt;
    bytes += static_cast<char>(alphabet[character.code]);
    at += character.length;
  }
  return bytes;
}

std::optional<char> byteOfName(std::string_view token) {
  unsigned value = 0;
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  if (std::from_chars(token.data() + 3, token.data() + 5, value, 16).ptr != token.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

std::string nameOfByte(unsigned char byte) {
  return fmt::format("<0x{:02X}>", byte);
}

std::string replaceBroken(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t good = findInvalidUtf8(bytes).value_or(bytes.size());
    out += bytes.substr(0, good);
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    out += "\xEF\xBF\xBD";
    // Number of bytes of a character that are present; the range of the second byte depends on the first.
    const auto byte = [&](std::size_t i) -> unsigned {
      return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u;
    };
    const unsigned first = byte(0);
    const std::size_t length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
    const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    std::size_t there = 1;
    if (length > 2 && byte(1) >= least && byte(1) <= most) ++there;
    if (length > 3 && there == 2 && byte(2) >= 0x80 && byte(2) <= 0xBF) ++there;
    bytes.remove_prefix(there);
  }
  return out;
}

}  // namespace sepx::tokenizer
