// SPDX-License-Identifier: Apache-2.0
// The components of a tokenizer, whatever file it came from. Private to engine/tokenizer.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/tokenizer/added_tokens.h"
#include "engine/tokenizer/decoder.h"
#include "engine/tokenizer/model.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/post_processor.h"
#include "engine/tokenizer/pre_tokenizer.h"

namespace sepx::tokenizer {

struct Parts {
  std::string from;
  NormalizerOf normalizer;      ///< may be null
  PreTokenizerOf preTokenizer;  ///< may be null
  ModelOf model;                ///< never null
  AddedTokens added;
  SurroundingTokens around;
  DecoderOf decoder;  ///< may be null
  Marks marks;
  /// llama2.c: the token that begins a text. Decoding writes nothing for it and drops one space after it.
  std::optional<std::uint32_t> hiddenFirstToken;
  std::set<std::uint32_t> controls;  ///< special tokens that are not searched for in texts
  std::vector<std::string> notes;
};

/// BadInput when an id that is put around a text is not a token.
Result<void> checkParts(const Parts& parts);

/// The components of a tokenizer.json other than its model; each may be null.
struct Components {
  Json normalizer, preTokenizer, postProcessor, decoder;
  std::vector<AddedToken> added;
};
/// Combines the components and the model, and checks that they fit together.
Result<std::unique_ptr<Parts>> assemble(std::string from, ModelOf model, Components components);

}  // namespace sepx::tokenizer
