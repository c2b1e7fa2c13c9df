// SPDX-License-Identifier: Apache-2.0
// The words of a model's tokens, read from what lies beside the weights: tokenizer.json, vocab.json, vocab.txt,
// SentencePiece's tokenizer.model or spiece.model, llama2.c's tok*.bin, or GGUF's own list. For choosing tokens by
// their text; nothing is tokenised. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

struct Vocabulary {
  /// How tokens write blanks and bytes.
  enum class Marks {
    Plain,          ///< as they are ("##ing" of WordPiece too, which says something)
    ByteLevel,      ///< GPT-2's: every byte is a printable character, a blank is "Ġ"
    SentencePiece,  ///< a blank is "▁", a byte "<0x0A>"
  };

  std::string from;                 ///< "tokenizer.json"; empty: there is none
  std::vector<std::string> tokens;  ///< by index, as stored ("Ġthe", "▁the", "##ing"); empty string: no such token
  Marks marks = Marks::Plain;

  /// As a person reads it: byte-level and SentencePiece marks resolved, control characters and broken UTF-8 escaped.
  std::string shown(std::int64_t token) const;
  /// The token of this text: exact, then with a leading blank, then as shown; nothing when there is none.
  std::optional<std::int64_t> find(std::string_view text) const;
  /// Tokens whose shown text begins with `text`, a leading blank or not, at most `most`.
  std::vector<std::int64_t> complete(std::string_view text, std::size_t most) const;
};

/// What `tokens` look like.
Vocabulary::Marks marksOf(const std::vector<std::string>& tokens);

}  // namespace sepx::checkpoint
