// SPDX-License-Identifier: Apache-2.0
// What a tokenizer is made of, whatever file it came from. Private to engine/tokenizer.
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
  Around around;
  DecoderOf decoder;  ///< may be null
  Marks marks;
  /// llama2.c: nothing is written for the token that begins a text, and one blank after it is left out.
  std::optional<std::uint32_t> silentFirst;
  std::set<std::uint32_t> controls;  ///< special tokens that no text is searched for
  std::vector<std::string> notes;
};

/// BadInput when ids around the text are of no token.
Result<void> checkParts(const Parts& parts);

/// The components of a tokenizer.json other than its model; each may be null.
struct Components {
  Json normalizer, preTokenizer, postProcessor, decoder;
  std::vector<AddedToken> added;
};
/// Puts them and the model together and checks what they need from one another.
Result<std::unique_ptr<Parts>> assemble(std::string from, ModelOf model, Components components);

}  // namespace sepx::tokenizer
