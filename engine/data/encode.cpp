// SPDX-License-Identifier: Apache-2.0
#include "engine/data/encode.h"

#include <string>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/data/text_source.h"

namespace sepx::data {
namespace {

constexpr int kMostListed = 12;  // words in a sentence

/// The first words of a source, for the sentence that refuses a text.
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
      return fail(
          ErrorKind::BadInput,
          fmt::format("the text has no token of these data at offset {}; their tokens are {}", at, someWords(source)));
    at += best < 0 ? 1 : longest;
  }
  return tokens;
}

}  // namespace

Result<std::vector<std::int32_t>> encodeText(const Source& source, std::string_view text) {
  const auto* const tokenised = dynamic_cast<const TokenisedSource*>(&source);
  if (!tokenised) return byWords(source, text);
  Result<std::vector<Token>> tokens = tokenised->tokeniser().encode(text);
  if (!tokens) return fail(tokens.error().kind, fmt::format("the text: {}", tokens.error().sentence));
  return std::vector<std::int32_t>(tokens->begin(), tokens->end());
}

}  // namespace sepx::data
