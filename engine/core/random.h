// SPDX-License-Identifier: Apache-2.0
// Seeded random streams. Counter-based (Philox 4x32-10), so stream i of seed s is the same on every thread and for any
// number of streams. A stream is owned by one thread.
#pragma once

#include <array>
#include <cstdint>

namespace sepx {

class RandomStream {  ///< Philox4x32-10
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  std::uint32_t next32();                                                             ///< the next bits
  std::uint64_t next64();                                                             ///< the next two words
  double uniform();                                                                   ///< [0, 1), 53 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }  ///< [low, high)
  double normal();                                                                    ///< N(0,1), Box-Muller
  std::uint64_t below(std::uint64_t bound);  ///< uniform on [0, bound), bound > 0, without bias

 private:
  std::uint64_t seed_, stream_;
  std::uint64_t counter_ = 0;
  std::array<std::uint32_t, 4> block_{};
  int left_ = 0;
  double spare_ = 0;
  bool hasSpare_ = false;
};

/// One Philox 4x32-10 block: the definition that the shaders share.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

}  // namespace sepx
