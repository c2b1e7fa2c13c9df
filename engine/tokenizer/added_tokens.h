// SPDX-License-Identifier: Apache-2.0
// Tokens in addition to the model's own: found in a text before it is split into words, the leftmost and longest first.
// Private to engine/tokenizer. Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/tokenizer/aligned_text.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/sorted_tokens.h"

namespace sepx::tokenizer {

struct AddedToken {  ///< kept whole, whatever the model does
  std::string content;
  std::uint32_t id = 0;
  bool special = false;
  bool normalized = true;  ///< searched for in the normal form of the text, as the normal form of `content`
  bool leftStrip = false, rightStrip = false;  ///< includes the whitespace on that side
  bool singleWord = false;                     ///< only where no word character is adjacent
  bool exact = false;                          ///< `content` is searched for without being normalised
  bool searched = true;                        ///< false: texts are not searched for it
};

class AddedTokens {
 public:
  /// BadInput: too many, too long (content or normal form), ids out of range, or the time limit is reached.
  static Result<AddedTokens> of(std::vector<AddedToken> tokens, const Normalizer* normalizer);

  /// Splits the pieces that are not tokens yet at the tokens with this `normalized`. BadInput: the time limit is
  /// reached.
  Result<void> split(Pieces& pieces, bool normalized, const Budget& budget) const;
  const std::vector<AddedToken>& all() const { return tokens_; }
  const AddedToken* byId(std::uint32_t id) const;
  const AddedToken* byContent(std::string_view content) const;
  /// What decoding writes for the token: the normal form of its content if that is searched for; null when no token has
  /// this id.
  const std::string* written(std::uint32_t id) const;

 private:
  Result<void> splitPiece(const AlignedText& text, Piece piece, const SortedTokens& tokens, const Budget& budget,
                          std::vector<Piece>& into) const;

  std::vector<AddedToken> tokens_;
  std::deque<std::string> patterns_;  ///< `sorted_` points to these
  SortedTokens sorted_[2];            ///< for the given text, for its normal form; values index tokens_
  struct Indices {
    std::size_t token, pattern;
  };
  std::map<std::uint32_t, Indices> ids_;
  std::map<std::string, std::size_t, std::less<>> contents_;
};

}  // namespace sepx::tokenizer
