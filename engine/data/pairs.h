// SPDX-License-Identifier: Apache-2.0
// Forward-only pairs [Reversal, D.1]: a letter and its capital among placeholders, the small letter always first.
// Tokens: a-z are 0-25, A-Z 26-51, "0" 52, "[M]" 53. Uniform over the 26 letters and the pairs of positions i < j.
// The validation split holds every (letter, i, j) once in pairCount(length) sequences, in a fixed pseudo-random order,
// so that the first few are a fair sample. Any thread.
#pragma once

#include <memory>

#include "engine/data/source.h"

namespace sepx::data {
/// Number of letters of each case, ids of the other tokens, and size of the vocabulary.
constexpr std::int32_t kPairLetters = 26, kPairPlaceholder = 52, kPairMask = 53, kPairVocabulary = 54;

/// A letter and its two positions. pairPlace() numbers all pairs of a sequence of `length`: letter fastest, then j,
/// then i.
struct PairPlace {
  std::int32_t letter = 0;
  int i = 0, j = 1;  ///< positions of the small letter and of the capital
};
std::uint64_t pairCount(int length);
PairPlace pairPlace(std::uint64_t index, int length);

/// Entropy of a sequence, nats: all pairs are equally likely. 0 if the sequence is too short for a pair.
double pairEntropy(int length);
/// Mean over n of H(x_{n+1} | x_1..x_n), which is H(x_2..x_L | x_1)/(L-1), nats per token: the lowest loss of a model
/// that predicts the next token. x_1 is the small letter with probability 2/L, otherwise a placeholder.
double pairNextEntropy(int length);

std::unique_ptr<Source> makePairs(std::uint64_t seed);  ///< the source of these sequences

}  // namespace sepx::data
