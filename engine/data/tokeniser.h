// SPDX-License-Identifier: Apache-2.0
// From text to tokens and back: bytes, characters (code points) or byte pairs (byte_pairs.h). Ordinary tokens are
// 0 ... size()-1; special tokens are added by the source. Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source_config.h"

namespace sepx::data {

using Token = std::uint16_t;        ///< id of a token
constexpr int kMostTokens = 65535;  ///< [MASK] included

class Tokeniser {
 public:
  virtual ~Tokeniser() = default;
  virtual int size() const = 0;  ///< number of tokens; ids are below it
  /// BadInput for a character outside the vocabulary or invalid UTF-8; bytes and byte pairs accept every text.
  virtual Result<std::vector<Token>> encode(std::string_view text) const = 0;
  virtual std::string bytes(Token token) const = 0;  ///< the bytes that the token represents
  std::string decode(std::span<const Token> tokens) const;
};

/// Makes a tokeniser of bytes, of the characters of `text`, or of byte pairs learned from its first `learn` bytes. Byte
/// pairs have at most `vocabulary` tokens, [MASK] included, the most frequent first. Characters fail with BadInput
/// (without a file name) if the text is not UTF-8 or has too many different characters.
Result<std::unique_ptr<Tokeniser>> makeTokeniser(Tokens kind, int vocabulary, std::string_view text, std::size_t learn);

/// Every byte as a printable character, as GPT-2's vocabularies write them: a blank is "Ġ", a line end "Ċ".
std::string byteLevel(std::string_view bytes);

}  // namespace sepx::data
