// SPDX-License-Identifier: Apache-2.0
#include "engine/data/permutation.h"

#include <bit>

#include "engine/core/random.h"

namespace sepx::data {
namespace {

/// A permutation of [0, 2^(2 half)): a Feistel network with four rounds, where each half is changed by a function of
/// the other.
std::uint64_t feistel(std::uint64_t x, int half, std::uint64_t key) {
  constexpr std::uint32_t kRounds = 4;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  const auto keyLow = static_cast<std::uint32_t>(key), keyHigh = static_cast<std::uint32_t>(key >> 32);
  std::uint64_t left = x >> half, right = x & mask;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const auto low = static_cast<std::uint32_t>(right), high = static_cast<std::uint32_t>(right >> 32);
    const std::uint64_t next = (left ^ philox({low, high, round, 0}, {keyLow, keyHigh})[0]) & mask;
    left = right;
    right = next;
  }
  return left << half | right;
}

}  // namespace

std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t key) {
  // A value outside [0, count) is permuted again until it is inside, fewer than four times on average.
  const int half = (std::bit_width(count - 1) + 1) / 2;
  std::uint64_t place = feistel(index, half, key);
  while (place >= count)
    place = feistel(place, half, key);
  return place;
}

}  // namespace sepx::data
