// SPDX-License-Identifier: Apache-2.0
#include "engine/data/encode.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/data/text_source.h"

namespace sepx::data {
namespace {

constexpr int kMostListed = 12;  // words listed in an error message

/// The first words of a source, for the error message about an unknown text.
std::string someWords(const Source& source) {
  std::string words;
  int listed = 0;
  for (std::int32_t token = source.firstWord(); token < source.lastWord() && listed < kMostListed; ++token, ++listed)
    words += (words.empty() ? "" : " ") + source.word(token);
  return words + (source.lastWord() - source.firstWord() > kMostListed ? " …" : "");
}

Result<std::vector<std::int32_t>> byWords(const Source& source, std::string_view text) {
  std::vector<std::int32_t> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::int32_t best = -1;
    std::size_t longest = 0;
    for (std::int32_t token = source.firstWord(); token < source.lastWord(); ++token) {
      const std::string word = source.word(token);
      if (word.size() <= longest || text.substr(at, word.size()) != word) continue;
      best = token;
      longest = word.size();
    }
    if (best >= 0) tokens.push_back(best);
    if (best < 0 && text[at] != ' ')
      return fail(ErrorKind::BadInput,
                  fmt::format("the text at offset {} is not a token of these data; their tokens are {}", at,
                              someWords(source)));
    at += best < 0 ? 1 : longest;
  }
  return tokens;
}

}  // namespace

TypedText readTyped(const Source& source, std::string_view text) {
  TypedText typed;
  const auto* const tokenised = dynamic_cast<const TokenisedSource*>(&source);
  const auto addUnknown = [&typed](std::string_view piece) {
    if (std::find(typed.unknown.begin(), typed.unknown.end(), piece) == typed.unknown.end())
      typed.unknown.emplace_back(piece);
  };
  const auto add = [&](std::string_view piece) {
    const Result<std::vector<std::int32_t>> tokens = encodeText(source, piece);
    if (tokens) typed.tokens.insert(typed.tokens.end(), tokens->begin(), tokens->end());
    return tokens.has_value();
  };
  /// Adds the whole piece if it can be encoded, otherwise character by character (with a tokeniser) or word by word.
  const auto addPiece = [&](std::string_view piece) {
    if (piece.empty() || add(piece)) return;
    while (!piece.empty()) {
      std::size_t end = tokenised ? 1 : std::min(piece.find(' ') + 1, piece.size());
      if (end == 0) end = piece.size();
      while (tokenised && end < piece.size() && (static_cast<unsigned char>(piece[end]) & 0xC0) == 0x80)
        ++end;
      std::string_view part = piece.substr(0, end);
      if (!add(part)) addUnknown(part.ends_with(' ') && part.size() > 1 ? part.substr(0, part.size() - 1) : part);
      piece.remove_prefix(end);
    }
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t mask = std::min(text.find(kMaskWord, at), text.size());
    addPiece(text.substr(at, mask - at));
    if (mask == text.size()) break;
    if (source.maskToken() >= 0)
      typed.tokens.push_back(source.maskToken());
    else
      addUnknown(kMaskWord);
    at = mask + kMaskWord.size();
  }
  return typed;
}

Result<std::vector<std::int32_t>> encodeText(const Source& source, std::string_view text) {
  const auto* const tokenised = dynamic_cast<const TokenisedSource*>(&source);
  if (!tokenised) return byWords(source, text);
  Result<std::vector<Token>> tokens = tokenised->tokeniser().encode(text);
  if (!tokens) return fail(tokens.error().kind, fmt::format("the text: {}", tokens.error().message));
  return std::vector<std::int32_t>(tokens->begin(), tokens->end());
}

}  // namespace sepx::data
