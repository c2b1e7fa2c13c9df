// SPDX-License-Identifier: Apache-2.0
// Tokens beside the model's own: found in a text before anything else is done to it, the leftmost and longest first.
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
  bool normalized = true;  ///< looked for in the normal form of the text, as the normal form of `content`
  bool leftStrip = false, rightStrip = false;  ///< takes blanks on that side with it
  bool singleWord = false;                     ///< only where no word goes on beside it
  bool exact = false;                          ///< `content` stands as it is in the normal form
  bool searched = true;                        ///< false: no text is searched for it
};

class AddedTokens {
 public:
  /// BadInput: too many, too long as they are or in their normal forms, ids out of range, the time is spent.
  static Result<AddedTokens> of(std::vector<AddedToken> tokens, const Normalizer* normalizer);

  /// Splits the pieces that are no tokens yet at those tokens whose `normalized` is this. BadInput: the time is spent.
  Result<void> split(Pieces& pieces, bool normalized, const Budget& budget) const;
  const std::vector<AddedToken>& all() const { return tokens_; }
  const AddedToken* byId(std::uint32_t id) const;
  const AddedToken* byContent(std::string_view content) const;
  /// What decoding writes for it: the normal form of its content where it is looked for in the normal form; null when
  /// there is none of this id.
  const std::string* written(std::uint32_t id) const;

 private:
  Result<void> splitPiece(const AlignedText& text, Piece piece, const SortedTokens& tokens, const Budget& budget,
                          std::vector<Piece>& into) const;

  std::vector<AddedToken> tokens_;
  std::deque<std::string> patterns_;  ///< what `sorted_` points to
  SortedTokens sorted_[2];            ///< on the given text, on its normal form; values index tokens_
  struct Indices {
    std::size_t token, pattern;
  };
  std::map<std::uint32_t, Indices> ids_;
  std::map<std::string, std::size_t, std::less<>> contents_;
};

}  // namespace sepx::tokenizer
