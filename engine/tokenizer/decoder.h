// SPDX-License-Identifier: Apache-2.0
// From tokens back to text, as a tokenizer.json says. Private to engine/tokenizer. Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

/// How tokens write blanks and bytes, as far as the decoder shows it.
struct Marks {
  bool byteLevel = false;  ///< GPT-2's characters of bytes
  bool byteNames = false;  ///< "<0x0A>"
  std::string blank;       ///< written in place of a blank; empty: nothing is
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// In place: texts that are put one after the other.
  virtual Result<void> apply(std::vector<std::string>& tokens, const Budget& budget) const = 0;
};
using DecoderOf = std::unique_ptr<const Decoder>;  ///< never null

/// Null for a null: tokens are put together with blanks between them. BadInput names what is not known. `marks` is
/// added to.
Result<DecoderOf> makeDecoder(const Json& json, Marks& marks, int depth = 0);

}  // namespace sepx::tokenizer
