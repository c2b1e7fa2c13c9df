// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/line_breaks.h"

#include <string>

#include "engine/core/utf8.h"

namespace sepx::ui {
namespace {

bool within(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

/// Ideographs, kana and full-width punctuation.
bool isWide(char32_t code) {
  return within(code, 0x2E80, 0x9FFF) || within(code, 0xF900, 0xFAFF) || within(code, 0xFF01, 0xFF60) ||
         within(code, 0x20000, 0x3FFFF);
}

bool closes(char32_t code) {
  static const std::u32string_view marks = U"，。、；：！？）】》」』〉”’…％,.;:!?)]}%·—";
  return marks.find(code) != std::u32string_view::npos;
}

bool opens(char32_t code) {
  static const std::u32string_view marks = U"（【《「『〈“‘([{";
  return marks.find(code) != std::u32string_view::npos;
}

/// The number of bytes of the character at `at`.
std::size_t length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
    ++end;
  return end - at;
}

char32_t codeAt(std::string_view text, std::size_t at) {
  const auto codes = decodeUtf8(text.substr(at, length(text, at)));
  return codes.empty() ? 0 : codes.front();
}

}  // namespace

std::size_t pieceEnd(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  char32_t before = codeAt(text, at);
  at += length(text, at);
  while (at < text.size() && text[at] != ' ' && text[at] != '\n') {
    const char32_t code = codeAt(text, at);
    if ((isWide(before) || isWide(code)) && !closes(code) && !opens(before)) return at;
    before = code;
    at += length(text, at);
  }
  return at;
}

bool joinsWithoutBlank(std::string_view before, std::string_view after) {
  if (before.empty() || after.empty()) return false;
  std::size_t last = before.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(before[last]) & 0xC0u) == 0x80u)
    --last;
  return isWide(codeAt(before, last)) && isWide(codeAt(after, 0));
}

}  // namespace sepx::ui
