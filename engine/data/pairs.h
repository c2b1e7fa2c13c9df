// SPDX-License-Identifier: Apache-2.0
// Forward-only pairs [Reversal, D.1]: a letter and its capital among placeholders, the small letter always first.
// Tokens: a-z are 0-25, A-Z 26-51, "0" 52, "[M]" 53. Uniform over the 26 letters and the pairs of places i < j.
// The validation split holds every (letter, i, j) once, in order. Any thread.
#pragma once

#include <memory>

#include "engine/data/source.h"

namespace sepx::data {

constexpr std::int32_t kPairLetters = 26, kPairPlaceholder = 52, kPairMask = 53, kPairVocabulary = 54;

/// Sequence number `index` of all pairs in a sequence of `length`: letter fastest, then j, then i.
struct PairPlace {
  std::int32_t letter = 0;
  int i = 0, j = 1;  ///< places of the small letter and of the capital
};
std::uint64_t pairCount(int length);
PairPlace pairPlace(std::uint64_t index, int length);

std::unique_ptr<Source> makePairs(std::uint64_t seed);

}  // namespace sepx::data
