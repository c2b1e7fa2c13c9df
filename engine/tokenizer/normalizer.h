// SPDX-License-Identifier: Apache-2.0
// The normalizers of a tokenizer.json. Private to engine/tokenizer. Immutable; any thread.
#pragma once

#include <memory>

#include "engine/tokenizer/aligned_text.h"
#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual Result<void> apply(AlignedText& text, const Budget& budget) const = 0;  ///< BadInput: a limit of `budget`
};
using NormalizerOf = std::unique_ptr<const Normalizer>;  ///< null: no normalisation

/// Returns null for a JSON null. BadInput names an unknown component.
Result<NormalizerOf> makeNormalizer(const Json& json, int depth = 0);

/// The normalizer Precompiled from the bytes of its `charsmap` (a length, a double array of that length in 32-bit
/// units, then the replacement texts, each ended by a NUL). A text that is not UTF-8, or has more than kLongestAdded
/// bytes, replaces nothing. BadInput: the map is shorter than its length says.
Result<NormalizerOf> makeCharsmap(std::string charsmap);
/// Applies one after the other; a null one is skipped.
NormalizerOf bothNormalizers(NormalizerOf first, NormalizerOf second);
/// NFC, NFD, NFKC, NFKD
NormalizerOf makeForm(bool compose, bool compatible);

/// The bytes of base64 text; nothing where it is not base64.
std::optional<std::string> fromBase64(std::string_view text);

}  // namespace sepx::tokenizer
