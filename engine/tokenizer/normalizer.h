// SPDX-License-Identifier: Apache-2.0
// The normal forms of a tokenizer.json. Private to engine/tokenizer. Immutable; any thread.
#pragma once

#include <memory>

#include "engine/tokenizer/aligned_text.h"
#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual Result<void> apply(AlignedText& text, const Budget& budget) const = 0;  ///< BadInput when the budget is spent
};
using NormalizerOf = std::unique_ptr<const Normalizer>;  ///< never null

/// Null for a null. BadInput names what is not known.
Result<NormalizerOf> makeNormalizer(const Json& json, int depth = 0);

/// Of a Precompiled: `charsmap` as bytes (a double array of 32-bit units behind its length, then the texts that it
/// leads to, each ended by a NUL). A text that is no UTF-8, or has more than kLongestAdded bytes, replaces nothing.
/// BadInput: shorter than it says.
Result<NormalizerOf> makeCharsmap(std::string charsmap);
/// One after the other; null: nothing is done.
NormalizerOf bothNormalizers(NormalizerOf first, NormalizerOf second);
/// NFC, NFD, NFKC, NFKD
NormalizerOf makeForm(bool compose, bool compatible);

/// Bytes of base64 text; nothing where it is none.
std::optional<std::string> fromBase64(std::string_view text);

}  // namespace sepx::tokenizer
