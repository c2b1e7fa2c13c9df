// SPDX-License-Identifier: Apache-2.0
#include "engine/core/terminal_text.h"

#include <algorithm>

#include "engine/core/utf8.h"

namespace sepx {
namespace {

constexpr std::size_t kLongestCharacter = 4;                                     // bytes
constexpr std::size_t kLongestSentence = 2000, kLongestWord = 240, kKept = 110;  // bytes; kKept: at each end

bool isLineOrTab(char32_t code) {
  return code == U'\n' || code == U'\r' || code == U'\t';
}

std::string harmless(std::string_view text, bool lines) {
  std::string out;
  for (const char32_t code : decodeUtf8(text)) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    if (isLineOrTab(code) && !lines) {
      out += ' ';
    } else {
      appendUtf8(out, (control && !isLineOrTab(code)) || direction ? U'\uFFFD' : code);
    }
  }
  return out;
}

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

std::size_t characterBoundary(std::string_view text, std::size_t end) {
  const std::size_t least = end - std::min(end, kLongestCharacter);
  std::size_t at = end;
  while (at > least && at < text.size() && continues(text[at]))
    --at;
  return at > least ? at : end;
}

std::string printable(std::string_view text) {
  return harmless(text, false);
}

std::string printableLines(std::string_view text) {
  return harmless(text, true);
}

std::string excerpt(std::string_view text, std::size_t most) {
  const bool longer = text.size() > most;
  if (longer) text = text.substr(0, characterBoundary(text, most));
  std::string line = printable(text);
  while (!line.empty() && line.back() == ' ')
    line.pop_back();
  return longer ? line + "…" : line;
}

std::string printableSentence(std::string_view sentence) {
  std::string shorter;
  for (std::size_t at = 0; at < sentence.size() && shorter.size() <= kLongestSentence;) {
    const std::size_t blank = std::min(sentence.find(' ', at), sentence.size());
    const std::string_view word = sentence.substr(at, blank - at);
    if (word.size() > kLongestWord) {
      shorter += word.substr(0, characterBoundary(word, kKept));
      shorter += "…";
      shorter += word.substr(characterBoundary(word, word.size() - kKept));
    } else {
      shorter += word;
    }
    if (blank < sentence.size()) shorter += ' ';
    at = blank + 1;
  }
  return excerpt(shorter, kLongestSentence);
}

}  // namespace sepx
