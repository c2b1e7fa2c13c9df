// SPDX-License-Identifier: Apache-2.0
// Turns tokens back into text, as a tokenizer.json defines it. Private to engine/tokenizer. Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

/// How tokens represent spaces and bytes, as far as the decoder shows it.
struct Marks {
  bool byteLevel = false;  ///< GPT-2's byte characters
  bool byteNames = false;  ///< "<0x0A>"
  std::string blank;       ///< represents a space; empty: none
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Changes the texts in place; they are concatenated afterwards.
  virtual Result<void> apply(std::vector<std::string>& tokens, const Budget& budget) const = 0;
};
using DecoderOf = std::unique_ptr<const Decoder>;  ///< null: tokens are joined with spaces

/// Returns null for a JSON null: tokens are then joined with spaces between them. BadInput names an unknown component.
/// Adds to `marks`.
Result<DecoderOf> makeDecoder(const Json& json, Marks& marks, int depth = 0);

}  // namespace sepx::tokenizer
