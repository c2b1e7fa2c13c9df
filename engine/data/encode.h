// SPDX-License-Identifier: Apache-2.0
// What a person types, in the tokens of a source: by its tokeniser where it has one, otherwise by its words, the
// longest that fits first; blanks between words are skipped. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source.h"

namespace sepx::data {

/// BadInput with one sentence for a text that the source has no tokens for. [MASK] cannot be typed.
Result<std::vector<std::int32_t>> encodeText(const Source& source, std::string_view text);

/// The word that stands for [MASK] in a text that a person types.
inline constexpr std::string_view kMaskWord = "[MASK]";

/// A text as far as the source has tokens for it.
struct TypedText {
  std::vector<std::int32_t> tokens;
  std::vector<std::string> unknown;  ///< what it has none for, each once, in the order of the text
};
/// As encodeText(), but [MASK] can be typed where the source has one, and what it has no token for is listed.
TypedText readTyped(const Source& source, std::string_view text);

}  // namespace sepx::data
