// SPDX-License-Identifier: Apache-2.0
// How a tokenizer.json splits a text into words before its model encodes them. Private to engine/tokenizer. Immutable;
// any thread.
#pragma once

#include <memory>

#include "engine/tokenizer/aligned_text.h"
#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Splits or rewrites the pieces; those that are added tokens do not change.
  virtual Result<void> apply(Pieces& pieces, const Budget& budget) const = 0;
};
using PreTokenizerOf = std::unique_ptr<const PreTokenizer>;  ///< null: no splitting

/// Returns null for a JSON null. BadInput names an unknown component.
Result<PreTokenizerOf> makePreTokenizer(const Json& json, int depth = 0);

}  // namespace sepx::tokenizer
