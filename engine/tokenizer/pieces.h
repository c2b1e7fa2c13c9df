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

struct PieceList {  ///< pieces of a model file
  Vocab vocab;
  std::vector<double> scores;
  std::vector<PieceKind> kinds;

  /// BadInput: a score that is not finite, a text that is not UTF-8, or an error of Vocab::add.
  Result<void> add(std::string text, double score, PieceKind kind);
};

struct PieceRules {      ///< how texts are normalised and split
  int model = 1;         ///< 1 Unigram, 2 BPE
  bool prefix = true;    ///< adds a space before the text
  bool collapse = true;  ///< removes spaces at both ends, reduces runs to one
  bool escape = true;    ///< replaces spaces by "▁"
  bool suffix = false;   ///< a space belongs to the word before it
  bool byteFallback = false;
  std::string charsmap;                           ///< empty: none
  std::int64_t unknown = 0, first = 1, last = 2;  ///< ids; negative: none
  bool addFirst = false, addLast = false;         ///< are put around a text
};

/// BadInput: a rule that is not supported.
Result<std::unique_ptr<Parts>> partsOfPieces(std::string from, PieceList list, PieceRules rules);

}  // namespace sepx::tokenizer
