// SPDX-License-Identifier: Apache-2.0
// The two artificial sets of Attention-Structure (002).
//   Repeats   10 tokens; in random order each stands once and is appended 0 to 3 times more; such rounds follow each
//             other until 100 tokens stand
//   Mirrored  48 tokens; a random one 1 to 3 times, again and again until 48 stand; then those 48 backwards: 96
// Jitter (training split): each token is replaced by a different one with a given probability. Any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/data/source.h"

namespace sepx::data {

constexpr int kRepeatsTokens = 10, kRepeatsLength = 100;  ///< alphabet and length of Repeats
/// Alphabet, half and whole length of Mirrored.
constexpr int kMirroredTokens = 48, kMirroredHalf = 48, kMirroredLength = 96;

/// Sequences longer than the set's own are padded, shorter ones are its beginnings. [MASK] is the token after the last.
std::unique_ptr<Source> makeRepeats(std::uint64_t seed, double jitter);
std::unique_ptr<Source> makeMirrored(std::uint64_t seed, double jitter);

}  // namespace sepx::data
