// SPDX-License-Identifier: Apache-2.0
// Forward-only pairs [Reversal, D.1]: a letter and its capital among placeholders, the small letter always first.
// Tokens: a-z are 0-25, A-Z 26-51, "0" 52, "[M]" 53. Uniform over the 26 letters and the pairs of places i < j.
// The validation split holds every (letter, i, j) once in pairCount(length) sequences, in a fixed order without a
// pattern, so that the first few are a fair sample. Any thread.
#pragma once

#include <memory>

#include "engine/data/source.h"

namespace sepx::data {
/// Letters of each case, and the ids of the other tokens.
constexpr std::int32_t kPairLetters = 26, kPairPlaceholder = 52, kPairMask = 53, kPairVocabulary = 54;

/// Sequence number `index` of all pairs in a sequence of `length`: letter fastest, then j, then i.
struct PairPlace {
  std::int32_t letter = 0;
  int i = 0, j = 1;  ///< places of the small letter and of the capital
};
std::uint64_t pairCount(int length);
PairPlace pairPlace(std::uint64_t index, int length);

/// Entropy of a sequence, nats: all pairs are alike likely. 0 where there is no room for one.
double pairEntropy(int length);
/// Mean over n of H(x_{n+1} | x_1..x_n), which is H(x_2..x_L | x_1)/(L-1), nats a token: the least loss of a model that
/// predicts the next token. The small letter is x_1 with chance 2/L, otherwise x_1 is a placeholder.
double pairNextEntropy(int length);

std::unique_ptr<Source> makePairs(std::uint64_t seed);  ///< as a source; checked before

}  // namespace sepx::data
