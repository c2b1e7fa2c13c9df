// SPDX-License-Identifier: Apache-2.0
// From text to tokens and back: bytes, characters (code points) or byte pairs (byte_pairs.h). Ordinary tokens are
// 0 ... size()-1; special ones are the source's. Immutable once made; any thread.
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

using Token = std::uint16_t;        ///< an id
constexpr int kMostTokens = 65535;  ///< [MASK] included

class Tokeniser {
 public:
  virtual ~Tokeniser() = default;
  virtual int size() const = 0;  ///< ids below it exist
  /// BadInput for a character that the vocabulary does not have; bytes and byte pairs take everything.
  virtual Result<std::vector<Token>> encode(std::string_view text) const = 0;
  virtual std::string bytes(Token token) const = 0;  ///< what it stands for
  std::string decode(std::span<const Token> tokens) const;
};

/// Bytes; characters of `text`; or byte pairs learned from the first `learn` bytes of it, `vocabulary` tokens with
/// [MASK], the most frequent first. BadInput (without a file's name) when the text is not UTF-8 or has too many
/// characters.
Result<std::unique_ptr<Tokeniser>> makeTokeniser(Tokens kind, int vocabulary, std::string_view text, std::size_t learn);

/// Every byte as a printable character, as GPT-2's vocabularies write them: a blank is "Ġ", a line end "Ċ".
std::string byteLevel(std::string_view bytes);

}  // namespace sepx::data
