// SPDX-License-Identifier: Apache-2.0
// Readers of tokenizer files other than tokenizer.json. BadInput names the file and what is wrong or unknown. Private
// to engine/tokenizer; any thread.
#pragma once

#include <string>

#include "engine/tokenizer/parts.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

/// vocab.json ({token: id}) with merges.txt beside it: byte-level BPE. tokenizer_config.json names the class.
Result<Opened> readVocabJson(const std::string& path);
/// vocab.txt, one token per line: BERT's WordPiece.
Result<Opened> readVocabTxt(const std::string& path);
/// SentencePiece's model: BPE by scores, or Unigram.
Result<Opened> readSentencePiece(const std::string& path);
/// The tokenizer inside a GGUF file.
Result<Opened> readGgufTokens(const std::string& path);
/// tiktoken's ranks.
Result<Opened> readTiktoken(const std::string& path);
/// Mistral's tekken.json.
Result<Opened> readTekken(const std::string& path);
/// tok*.bin of llama2.c.
Result<Opened> readLlama2cTokens(const std::string& path);

/// tokenizer_config.json and added_tokens.json beside a file; empty where they do not exist.
struct SiblingFiles {
  Json config = Json::object();
  std::vector<AddedToken> added;

  std::string tokenizerClass() const;  ///< as in tokenizer_config.json; empty: not given
  /// A flag of tokenizer_config.json.
  bool flag(const char* name, bool otherwise) const;
  /// The content of a token that tokenizer_config.json names ("cls_token").
  std::string tokenOf(const char* name, const char* otherwise) const;
};
Result<SiblingFiles> readSiblingFiles(const std::string& path);

/// Adds a special token of the vocabulary unless `into` has its content. A no-op where the vocabulary lacks it.
void addSpecial(const Vocab& vocab, const std::string& content, std::vector<AddedToken>& into);
/// A post-processor that puts these tokens of the vocabulary around a text; an empty string means no token.
Json postProcessorJson(const Vocab& vocab, const std::string& before, const std::string& after);
/// Opens a tokenizer from its parts; puts the file's name before the message of an error.
Result<Opened> openedFrom(const std::string& path, Result<std::unique_ptr<Parts>> parts);

}  // namespace sepx::tokenizer
