// SPDX-License-Identifier: Apache-2.0
// The texts of a model's tokens, read from the files beside the weights: tokenizer.json, vocab.json, vocab.txt,
// SentencePiece's tokenizer.model or spiece.model, llama2.c's tok*.bin, or GGUF's own list. Used to choose tokens by
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
  /// How tokens encode spaces and bytes.
  enum class Marks {
    Plain,          ///< unchanged (also "##ing" of WordPiece, whose marks are informative)
    ByteLevel,      ///< GPT-2's: every byte is a printable character, a space is "Ġ"
    SentencePiece,  ///< a space is "▁", a byte "<0x0A>"
  };

  std::string from;                 ///< "tokenizer.json"; empty: there is none
  std::vector<std::string> tokens;  ///< by index, as stored ("Ġthe", "▁the", "##ing"); empty string: no such token
  Marks marks = Marks::Plain;

  /// The token for display: byte-level and SentencePiece marks resolved, control characters and broken UTF-8 escaped.
  std::string shown(std::int64_t token) const;
  /// The token with this text: an exact match, then with a leading space, then as shown; empty if there is none.
  std::optional<std::int64_t> find(std::string_view text) const;
  /// Tokens whose shown text begins with `text`, with or without a leading space, at most `most`.
  std::vector<std::int64_t> complete(std::string_view text, std::size_t most) const;
};

/// The kind of marks in `tokens`.
Vocabulary::Marks marksOf(const std::vector<std::string>& tokens);

}  // namespace sepx::checkpoint
