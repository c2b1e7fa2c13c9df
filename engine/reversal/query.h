// SPDX-License-Identifier: Apache-2.0
// The forward and the reverse query of a pair [Reversal, 5]. Both ask a masked diffusion model (MDM) for the small
// letter A, from the visible capital B among placeholders "0"; exactly one place holds [M]:
//   forward  0 [M] 0 B 0    as in training, where the small letter always comes first
//   reverse  0 B 0 [M] 0    the same two places with their contents exchanged
// An autoregressive model (ARM) reads the sequence through its first letter and completes it greedily to its length;
// the answer is right when the partner appears (the paper leaves the reading open, this one gives its numbers):
//   forward  0 A ...  must produce B        reverse  0 B ...  must produce A
// Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/pairs.h"

namespace sepx::reversal {

enum class Direction { Forward, Reverse };  ///< as trained, or asked backwards
inline constexpr Direction kDirections[] = {Direction::Forward, Direction::Reverse};  ///< both
/// "forward", "reverse".
const char* directionWord(Direction direction);

/// One letter in a sequence as the training data has it: lower < upper.
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

/// Usage with one sentence: a sequence shorter than 2, another letter, a place outside the sequence, one place for both
/// letters, or the capital before the small letter.
Result<void> check(const Pair& pair);

/// Number `index` < data::pairCount(length) of all pairs of a length: letter fastest, then upper, then lower.
Pair pairAt(std::uint64_t index, int length);

/// A question to a model and its right answer.
struct Query {
  std::vector<std::int32_t> tokens;  ///< of an MDM the whole sequence, of an ARM its beginning
  int hidden = 0;                    ///< MDM: the place of [M]. ARM: the first place that is to be completed
  int evidence = 0;                  ///< the place of the visible letter
  std::int32_t target = 0;           ///< MDM: the token at `hidden`. ARM: the token that must appear
};

/// `pair` has passed check().
Query maskedQuery(const Pair& pair, Direction direction);
/// The small letter is visible in the forward direction, the capital in the reverse one, each at the place `lower`:
/// what the completion must produce stood at `upper`.
Query prefixQuery(const Pair& pair, Direction direction);

/// The sequence up to the place `upper`, which is asked for: what an ARM reads in training before the partner stands
/// there. `hidden` is `upper`; the answer is one token, as of an MDM.
Query partnerQuery(const Pair& pair, Direction direction);

/// "0 0 [M] 0 D", for people.
std::string text(const std::vector<std::int32_t>& tokens);

}  // namespace sepx::reversal
