// SPDX-License-Identifier: Apache-2.0
// Byte pairs: from the 256 bytes on, the pair of neighbours that stands most often becomes a token, again and again.
// Text is cut into words first (a blank goes with the word behind it), and no pair crosses a cut, so that counting goes
// over different words only. Among pairs of one count the one of smallest (left, right) is taken: a text has one
// vocabulary. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/data/tokeniser.h"

namespace sepx::data {

/// The words of a text, in order; together they are the text. None is longer than 64 bytes.
class WordCutter {
 public:
  explicit WordCutter(std::string_view text) : text_(text) {}
  /// Empty at the end.
  std::string_view next();

 private:
  std::string_view text_;
};

using Merge = std::pair<Token, Token>;  ///< two tokens that become one

/// At most `tokens` - 256 merges; fewer when no pair stands twice. Merge i makes token 256 + i.
std::vector<Merge> learnMerges(std::string_view text, int tokens);

class BytePairs final : public Tokeniser {
 public:
  explicit BytePairs(std::vector<Merge> merges);
  int size() const override { return 256 + static_cast<int>(merges_.size()); }  ///< 256 bytes and one token a merge
  Result<std::vector<Token>> encode(std::string_view text) const override;
  std::string bytes(Token token) const override { return bytes_[token]; }
  const std::vector<Merge>& merges() const { return merges_; }

 private:
  void encodeWord(std::string_view word, std::vector<Token>& out) const;

  std::vector<Merge> merges_;
  std::vector<std::string> bytes_;
  std::unordered_map<std::uint32_t, Token> made_;  ///< left * 2^16 + right -> token
};

inline BytePairs learnBytePairs(std::string_view text, int tokens) {  ///< of a text alone, without cancelling
  return BytePairs(learnMerges(text, tokens));
}

}  // namespace sepx::data
