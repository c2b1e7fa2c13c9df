// SPDX-License-Identifier: Apache-2.0
// The models of tokenizers: one word to ids. Private to engine/tokenizer. Immutable; any thread.
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
  /// Appends to `parts`. BadInput: the time is spent; the word is not in the vocabulary, which has no token for unknown
  /// ones.
  virtual Result<void> encode(std::string_view word, const Budget& budget, std::vector<Part>& parts) const = 0;
  /// Where the part of a word that begins at `begin` ends, such that both sides of the end have the tokens that each
  /// would have alone. The word's size where that is nowhere certain.
  virtual std::size_t partEnd(std::string_view word, std::size_t begin) const {
    (void)begin;
    return word.size();
  }
  const Vocab& vocab() const { return vocab_; }

 protected:
  Vocab vocab_;  ///< the tokens
};
using ModelOf = std::unique_ptr<const Model>;  ///< never null

/// BPE (Sennrich et al. 2016): neighbours are joined, the pair of the lowest rank first, of equals the leftmost.
struct BpeRules {
  std::string prefix, suffix;  ///< of a piece that does not begin a word, and of the last one
  std::optional<std::string> unknown;
  bool fuseUnknown = false, byteFallback = false;
  bool wholeFirst = false;  ///< ignore_merges: a word that is a token stays whole
  int bytesFrom = -1;       ///< not negative: a byte that has no token by name is this id plus the byte
};
struct NamedMerge {              ///< one row of merges
  std::string_view left, right;  ///< the caller keeps the texts
};
/// BadInput: a merge whose parts or result are not in the vocabulary.
Result<ModelOf> makeBpe(Vocab vocab, const std::vector<NamedMerge>& merges, BpeRules rules);
/// SentencePiece's BPE: two neighbours may be joined when what they make is a token; that of the highest score first.
/// BadInput: not one score a token, or one that is not finite.
/// `outside`: ids that nothing is joined to; empty: none.
Result<ModelOf> makeScoredBpe(Vocab vocab, std::vector<double> scores, BpeRules rules, std::vector<bool> outside);

/// WordPiece: from left to right the longest token that fits; all of a word is unknown when one part is.
Result<ModelOf> makeWordPiece(Vocab vocab, std::string prefix, std::string unknown, std::size_t mostCharacters);
/// A word is a token.
Result<ModelOf> makeWordLevel(Vocab vocab, std::string unknown);

/// Unigram (Kudo 2018): the split of the largest sum of scores. `scores`: log probabilities by id.
struct UnigramRules {
  std::optional<std::uint32_t> unknown;
  bool byteFallback = false;
  std::vector<bool> outside;  ///< ids that no split has; empty: none
};
Result<ModelOf> makeUnigram(Vocab vocab, std::vector<double> scores, UnigramRules rules);

/// The ids of "<0x..>" for every byte of `text`; nothing when one is missing.
std::optional<std::vector<std::uint32_t>> byteTokens(const Vocab& vocab, std::string_view text);

}  // namespace sepx::tokenizer
