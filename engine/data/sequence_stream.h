// SPDX-License-Identifier: Apache-2.0
// The random stream of one sequence: a function of (seed, split, index) alone. The splits never share a stream, and
// neither shares one with other draws from the seed of a run (initialisation, masks, dropout). Any thread.
#pragma once

#include <cstdint>

#include "engine/core/random.h"
#include "engine/data/source.h"

namespace sepx::data {
/// The random numbers of one sequence.
inline RandomStream sequenceStream(std::uint64_t seed, Split split, std::uint64_t index) {
  constexpr std::uint64_t kTrain = 0x5EB1'7A3C'90D4'26F8, kValidation = 0xC3A5'09E6'4B72'D81F;
  return RandomStream(seed ^ (split == Split::Train ? kTrain : kValidation), index);
}

}  // namespace sepx::data
