// SPDX-License-Identifier: Apache-2.0
// Tokenizers made of pieces with scores and kinds, as SentencePiece and GGUF store them. Private to engine/tokenizer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/tokenizer/parts.h"

namespace sepx::tokenizer {

/// SentencePiece's numbers; GGUF has the same.
enum class PieceKind { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };

struct PieceList {  ///< of a model file
  Vocab vocab;
  std::vector<double> scores;
  std::vector<PieceKind> kinds;

  /// BadInput: a score that is not finite, a text that is no UTF-8, what Vocab::add refuses.
  Result<void> add(std::string text, double score, PieceKind kind);
};

struct PieceRules {      ///< how texts are cut
  int model = 1;         ///< 1 Unigram, 2 BPE
  bool prefix = true;    ///< a blank in front of the text
  bool collapse = true;  ///< blanks at the ends go, several become one
  bool escape = true;    ///< blanks become "▁"
  bool suffix = false;   ///< blanks stand behind words
  bool byteFallback = false;
  std::string charsmap;                           ///< empty: none
  std::int64_t unknown = 0, first = 1, last = 2;  ///< ids; negative: none
  bool addFirst = false, addLast = false;         ///< around a text
};

/// BadInput: a rule that is not known here.
Result<std::unique_ptr<Parts>> partsOfPieces(std::string from, PieceList list, PieceRules rules);

}  // namespace sepx::tokenizer
