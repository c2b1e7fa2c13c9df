// SPDX-License-Identifier: Apache-2.0
// Converts typed text to the tokens of a source: with the tokeniser of the source if it has one, otherwise word by
// word, where the longest word that matches is taken and blanks between words are skipped. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source.h"

namespace sepx::data {

/// BadInput, with one sentence, if the source has no tokens for a part of the text. Does not recognise [MASK].
Result<std::vector<std::int32_t>> encodeText(const Source& source, std::string_view text);

/// The word for the mask token in typed text.
inline constexpr std::string_view kMaskWord = "[MASK]";

/// A typed text, converted as far as the source has tokens for it.
struct TypedText {
  std::vector<std::int32_t> tokens;
  std::vector<std::string> unknown;  ///< parts that have no token, each once, in the order of the text
};
/// Like encodeText(), but accepts [MASK] if the source has a mask token, and lists the parts that have no token.
TypedText readTyped(const Source& source, std::string_view text);

}  // namespace sepx::data
