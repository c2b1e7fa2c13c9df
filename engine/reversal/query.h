// SPDX-License-Identifier: Apache-2.0
// The forward and the reverse query of a pair [Reversal, 5]. Both ask a masked diffusion model (MDM) for the small
// letter A, from the visible capital B among placeholders "0"; exactly one place holds [M]:
//   forward  0 [M] 0 B 0    as in training, where the small letter always comes first
//   reverse  0 B 0 [M] 0    the same two places with their contents exchanged
// An autoregressive model (ARM) reads the sequence through its first letter and completes it greedily to its length;
// the answer is right if the partner appears (the paper does not specify the reading; this one gives its numbers):
//   forward  0 A ...  must produce B        reverse  0 B ...  must produce A
// Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/pairs.h"

namespace sepx::reversal {

enum class Direction { Forward, Reverse };                                            ///< as trained, or reversed
inline constexpr Direction kDirections[] = {Direction::Forward, Direction::Reverse};  ///< both
/// "forward", "reverse".
const char* directionWord(Direction direction);

/// One letter pair in a sequence, ordered as in the training data: lower < upper.
struct Pair {
  std::int32_t letter = 0;  ///< 0 is a, 25 is z
  int lower = 0;            ///< place of the small letter, from 0
  int upper = 1;            ///< place of the capital
  int length = 10;          ///< of the sequence
  std::int32_t small() const { return letter; }
  std::int32_t capital() const { return letter + data::kPairLetters; }
  int distance() const { return upper - lower; }
  bool operator==(const Pair&) const = default;
};

/// A Usage error with a message if the sequence is shorter than 2, the letter does not exist, a place is outside the
/// sequence, both letters have the same place, or the capital comes before the small letter.
Result<void> check(const Pair& pair);

/// Pair number `index` < data::pairCount(length) of all pairs of a length. letter varies fastest, then upper, then
/// lower.
Pair pairAt(std::uint64_t index, int length);

/// A query to a model and its right answer.
struct Query {
  std::vector<std::int32_t> tokens;  ///< MDM: the whole sequence. ARM: its prefix
  int hidden = 0;                    ///< MDM: the place of [M]. ARM: the first place that is to be completed
  int evidence = 0;                  ///< the place of the visible letter
  std::int32_t target = 0;           ///< MDM: the token at `hidden`. ARM: the token that must appear
};

/// `pair` has passed check().
Query maskedQuery(const Pair& pair, Direction direction);
/// The small letter is visible in the forward direction, the capital in the reverse one, each at the place `lower`. The
/// completion must produce the other letter, which stood at `upper`.
Query prefixQuery(const Pair& pair, Direction direction);

/// The sequence before the place `upper`, whose token is to be predicted: what an ARM reads in training before the
/// partner appears. `hidden` is `upper`; the answer is one token, as for an MDM.
Query partnerQuery(const Pair& pair, Direction direction);

/// A readable form: "0 0 [M] 0 D".
std::string text(const std::vector<std::int32_t>& tokens);

}  // namespace sepx::reversal
