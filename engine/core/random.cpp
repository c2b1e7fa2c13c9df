// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011) and the distributions drawn from it. The counter's low half counts
// blocks, its high half is the stream, the key is the seed: stream i of seed s does not depend on other streams. Owned
// by one thread.
#include "engine/core/random.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace sepx {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint32_t RandomStream::next32() {
  if (left_ == 0) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    block_ = philox({low(counter_), high(counter_), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    ++counter_;
    left_ = 4;
  }
  return block_[static_cast<std::size_t>(4 - left_--)];
}

std::uint64_t RandomStream::next64() {
  const std::uint64_t low = next32();
  return low | static_cast<std::uint64_t>(next32()) << 32;
}

double RandomStream::uniform() {
  return static_cast<double>(next64() >> 11) * 0x1p-53;
}

double RandomStream::normal() {
  if (hasSpare_) {
    hasSpare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u lies in (0, 1]
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  hasSpare_ = true;
  return radius * std::cos(angle);
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  assert(bound > 0);
  const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound: values below this are rejected to avoid a bias
  for (;;) {
    const std::uint64_t x = next64();
    if (x >= rejected) return x % bound;
  }
}

}  // namespace sepx
