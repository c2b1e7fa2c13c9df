// SPDX-License-Identifier: Apache-2.0
// Byte-pair encoding: starting from the 256 bytes, the most frequent pair of adjacent tokens repeatedly becomes a new
// token. The text is split into words first (a blank belongs to the word after it), and no pair crosses a boundary, so
// that only distinct words are counted. Among pairs of equal count the one of smallest (left, right) is taken, so that
// the vocabulary of a text is unique. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/data/tokeniser.h"

namespace sepx::data {

/// Splits a text into words of at most 64 bytes. Their concatenation is the text.
class WordCutter {
 public:
  explicit WordCutter(std::string_view text) : text_(text) {}
  /// The next word; empty at the end of the text.
  std::string_view next();

 private:
  std::string_view text_;
};

using Merge = std::pair<Token, Token>;  ///< two tokens that become one

/// At most `tokens` - 256 merges; fewer if no pair occurs twice. Merge i makes token 256 + i.
std::vector<Merge> learnMerges(std::string_view text, int tokens);

class BytePairs final : public Tokeniser {
 public:
  explicit BytePairs(std::vector<Merge> merges);
  int size() const override { return 256 + static_cast<int>(merges_.size()); }  ///< 256 bytes and one token per merge
  Result<std::vector<Token>> encode(std::string_view text) const override;
  std::string bytes(Token token) const override { return bytes_[token]; }
  const std::vector<Merge>& merges() const { return merges_; }

 private:
  void encodeWord(std::string_view word, std::vector<Token>& out) const;

  std::vector<Merge> merges_;
  std::vector<std::string> bytes_;
  std::unordered_map<std::uint32_t, Token> made_;  ///< left * 2^16 + right -> token
};

inline BytePairs learnBytePairs(std::string_view text, int tokens) {  ///< learns the merges from `text`
  return BytePairs(learnMerges(text, tokens));
}

}  // namespace sepx::data
