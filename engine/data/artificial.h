// SPDX-License-Identifier: Apache-2.0
// The two artificial data sets of Attention-Structure (002).
//   Repeats   10 tokens; a round has all of them in random order, each 1 to 4 times in a row; rounds follow each other
//             up to a length of 100
//   Mirrored  48 tokens; random tokens, each 1 to 3 times in a row, up to a length of 48; then those 48 reversed: 96
// Jitter (training split): each token is replaced by a different one with a given probability. Any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/data/source.h"

namespace sepx::data {

constexpr int kRepeatsTokens = 10, kRepeatsLength = 100;  ///< alphabet and length of Repeats
/// Alphabet, half and whole length of Mirrored.
constexpr int kMirroredTokens = 48, kMirroredHalf = 48, kMirroredLength = 96;

/// A longer sequence than that of the set is padded, a shorter one is its beginning. [MASK] is the token after the
/// last.
std::unique_ptr<Source> makeRepeats(std::uint64_t seed, double jitter);
std::unique_ptr<Source> makeMirrored(std::uint64_t seed, double jitter);

}  // namespace sepx::data
