// SPDX-License-Identifier: Apache-2.0
// The models of tokenizers, which turn one word into ids. Private to engine/tokenizer. Immutable; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/tokenizer/aligned_text.h"
#include "engine/tokenizer/vocab.h"

namespace sepx::tokenizer {

/// A token of a word: bytes [begin, end) of it.
struct Part {
  std::uint32_t id = 0;
  std::uint32_t begin = 0, end = 0;
};

class Model {
 public:
  explicit Model(Vocab vocab) : vocab_(std::move(vocab)) {}
  virtual ~Model() = default;
  /// Appends the tokens of `word` to `parts`. BadInput: the time limit is reached, or the word is not in the
  /// vocabulary, which has no token for unknown words.
  virtual Result<void> encode(std::string_view word, const Budget& budget, std::vector<Part>& parts) const = 0;
  /// The end of the part of a word that begins at `begin`. The text on either side of this end has the same tokens
  /// alone as within the word. Returns the word's size where no such end is certain.
  virtual std::size_t partEnd(std::string_view word, std::size_t begin) const {
    (void)begin;
    return word.size();
  }
  const Vocab& vocab() const { return vocab_; }

 protected:
  Vocab vocab_;  ///< the tokens
};
using ModelOf = std::unique_ptr<const Model>;  ///< never null

/// BPE (Sennrich et al. 2016): merges adjacent tokens, the pair of the lowest rank first, the leftmost among equals.
struct BpeRules {
  std::string prefix, suffix;  ///< of a piece that does not begin a word; of the last piece of a word
  std::optional<std::string> unknown;
  bool fuseUnknown = false, byteFallback = false;
  bool wholeFirst = false;  ///< ignore_merges: a word that is a token stays whole
  int bytesFrom = -1;       ///< not negative: a byte that has no token by name has the id bytesFrom + byte
};
struct NamedMerge {              ///< one row of the list of merges
  std::string_view left, right;  ///< the caller keeps the strings
};
/// BadInput: a merge whose parts or result are not in the vocabulary.
Result<ModelOf> makeBpe(Vocab vocab, const std::vector<NamedMerge>& merges, BpeRules rules);
/// SentencePiece's BPE: two adjacent tokens may be merged when their concatenation is a token; the highest score goes
/// first. `outside`: ids that no merge may result in; empty: none. BadInput: the number of scores is not that of the
/// tokens, or a score is not finite.
Result<ModelOf> makeScoredBpe(Vocab vocab, std::vector<double> scores, BpeRules rules, std::vector<bool> outside);

/// WordPiece: takes the longest matching token from left to right; a word is unknown as a whole if one part is.
Result<ModelOf> makeWordPiece(Vocab vocab, std::string prefix, std::string unknown, std::size_t mostCharacters);
/// WordLevel: a whole word is one token.
Result<ModelOf> makeWordLevel(Vocab vocab, std::string unknown);

/// Unigram (Kudo 2018): the split with the largest sum of scores. `scores`: log probabilities by id.
struct UnigramRules {
  std::optional<std::uint32_t> unknown;
  bool byteFallback = false;
  std::vector<bool> outside;  ///< ids that no split may contain; empty: none
};
Result<ModelOf> makeUnigram(Vocab vocab, std::vector<double> scores, UnigramRules rules);

/// The ids of "<0x..>" for every byte of `text`; nothing when one is missing.
std::optional<std::vector<std::uint32_t>> byteTokens(const Vocab& vocab, std::string_view text);

}  // namespace sepx::tokenizer
