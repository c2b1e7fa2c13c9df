// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/vocabulary.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "engine/core/replace_all.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

namespace {

constexpr std::string_view kBlank = "\xE2\x96\x81";  // ▁, U+2581

/// GPT-2 writes the bytes that are printable in Latin-1 as themselves, and the others in order from U+0100.
std::array<char32_t, 256> byteCharacters() {
  std::array<char32_t, 256> characters{};
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    characters[byte] = printable ? byte : next++;
  }
  return characters;
}

/// The inverse; -1: no byte is written with this character.
std::array<int, 0x180> bytesOfCharacters() {
  std::array<int, 0x180> bytes{};
  bytes.fill(-1);
  const auto characters = byteCharacters();
  for (std::size_t byte = 0; byte < characters.size(); ++byte)
    bytes[characters[byte]] = static_cast<int>(byte);
  return bytes;
}

std::string bytesOfLevel(std::string_view token) {
  static const auto kBytes = bytesOfCharacters();
  std::string bytes;
  for (const char32_t code : decodeUtf8(token)) {
    if (code >= kBytes.size() || kBytes[code] < 0) return std::string(token);  // a special token, written as it is
    bytes += static_cast<char>(kBytes[code]);
  }
  return bytes;
}

std::string byteLevel(std::string_view bytes) {
  static const std::array<char32_t, 256> kCharacters = byteCharacters();
  std::string token;
  for (const char byte : bytes)
    appendUtf8(token, kCharacters[static_cast<unsigned char>(byte)]);
  return token;
}

/// The byte of a token like "<0x0A>".
std::optional<char> byteToken(std::string_view token) {
  unsigned value = 0;
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  if (std::from_chars(token.data() + 3, token.data() + 5, value, 16).ptr != token.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

/// Writes control characters and invalid UTF-8 as escape sequences.
std::string escaped(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t good = findInvalidUtf8(bytes).value_or(bytes.size());
    for (const char c : bytes.substr(0, good)) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '\n') {
        out += "\\n";
      } else if (c == '\t') {
        out += "\\t";
      } else if (c == '\r') {
        out += "\\r";
      } else if (code < 0x20 || code == 0x7F) {
        out += fmt::format("\\x{:02X}", code);
      } else {
        out += c;
      }
    }
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    out += fmt::format("\\x{:02X}", static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(1);
  }
  return out;
}

/// The text as a token with these marks would be stored.
std::string stored(Vocabulary::Marks marks, std::string_view text) {
  if (marks == Vocabulary::Marks::ByteLevel) return byteLevel(text);
  std::string token(text);
  if (marks == Vocabulary::Marks::SentencePiece) replaceAll(token, " ", kBlank);
  return token;
}

}  // namespace

Vocabulary::Marks marksOf(const std::vector<std::string>& tokens) {
  std::size_t byteLevels = 0, pieces = 0;
  for (const std::string& token : tokens) {
    byteLevels += token.starts_with("\xC4\xA0");  // Ġ, the space in GPT-2's encoding
    pieces += token.starts_with(kBlank) || byteToken(token).has_value();
  }
  if (byteLevels == 0 && pieces == 0) return Vocabulary::Marks::Plain;
  return byteLevels > pieces ? Vocabulary::Marks::ByteLevel : Vocabulary::Marks::SentencePiece;
}

std::string Vocabulary::shown(std::int64_t token) const {
  if (token < 0 || static_cast<std::size_t>(token) >= tokens.size()) return {};
  const std::string& text = tokens[static_cast<std::size_t>(token)];
  if (marks == Marks::ByteLevel) return escaped(bytesOfLevel(text));
  if (marks == Marks::Plain) return escaped(text);
  if (const auto byte = byteToken(text)) return escaped({&*byte, 1});
  std::string out = text;
  replaceAll(out, kBlank, " ");
  return escaped(out);
}

std::optional<std::int64_t> Vocabulary::find(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  const auto exactly = [this](std::string_view wanted) -> std::optional<std::int64_t> {
    const auto at = std::find(tokens.begin(), tokens.end(), wanted);
    if (at == tokens.end()) return std::nullopt;
    return at - tokens.begin();
  };
  if (const auto token = exactly(text)) return token;
  const std::string blank = " " + std::string(text);
  if (const auto token = exactly(stored(marks, blank))) return token;
  if (const auto token = exactly(blank)) return token;  // llama2.c stores SentencePiece's spaces as they are
  if (const auto token = exactly(stored(marks, text))) return token;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (!tokens[i].empty() && shown(index) == text) return index;
  }
  return std::nullopt;
}

std::vector<std::int64_t> Vocabulary::complete(std::string_view text, std::size_t most) const {
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < tokens.size() && found.size() < most; ++i) {
    if (tokens[i].empty()) continue;
    const std::string word = shown(static_cast<std::int64_t>(i));
    if (word.starts_with(text) || (word.starts_with(' ') && std::string_view(word).substr(1).starts_with(text))) {
      found.push_back(static_cast<std::int64_t>(i));
    }
  }
  return found;
}

}  // namespace sepx::checkpoint
