// SPDX-License-Identifier: Apache-2.0
// How a tokenizer.json splits a text into words before its model sees it. Private to engine/tokenizer. Immutable; any
// thread.
#pragma once

#include <memory>

#include "engine/tokenizer/aligned_text.h"
#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Pieces that are added tokens stay as they are.
  virtual Result<void> apply(Pieces& pieces, const Budget& budget) const = 0;
};
using PreTokenizerOf = std::unique_ptr<const PreTokenizer>;  ///< never null

/// Null for a null. BadInput names what is not known.
Result<PreTokenizerOf> makePreTokenizer(const Json& json, int depth = 0);

}  // namespace sepx::tokenizer
