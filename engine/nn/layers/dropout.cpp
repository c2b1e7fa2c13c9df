// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 (engine/core/random.h) with counter (index / 8, stream) and a key from the seed gives 8 elements of 16
// bits each: word k holds element 2k in its low half and 2k + 1 in its high half. The vector loops compute as many
// blocks at once as a vector has 64-bit lanes. Any thread.
#include "engine/nn/layers/dropout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/core/random.h"
#include "engine/core/simd.h"

namespace sepx::nn {

namespace {

/// Separates the masks from the streams of RandomStream with the same seed.
constexpr std::uint64_t kSalt = 0x5d1f0c7a9e3b6482;

#define SEPX_LANES "engine/nn/layers/dropout_lanes.inc"
#include "engine/core/simd_levels.inc"

/// Calls f of the machine's level; f is defined in all three namespaces.
#if defined(__x86_64__)
#define SEPX_AT_LEVEL(f, ...)                                \
  (simdLevel() == SimdLevel::Avx512 ? avx512::f(__VA_ARGS__) \
   : simdLevel() == SimdLevel::Avx2 ? avx2::f(__VA_ARGS__)   \
                                    : generic::f(__VA_ARGS__))
#else
#define SEPX_AT_LEVEL(f, ...) generic::f(__VA_ARGS__)
#endif

/// x = bits >= least ? x * kept : 0; with `fill`, the same for x = 1.
template <bool fill>
void apply(std::size_t count, const std::uint16_t* bits, std::uint32_t least, float kept, float* x) {
  SEPX_AT_LEVEL(applyRun<fill>, count, bits, least, kept, x);
}
template <bool fill>
void apply(std::size_t count, const std::uint16_t* bits, std::uint32_t least, double kept, double* x) {
  for (std::size_t i = 0; i < count; ++i)
    x[i] = bits[i] >= least ? (fill ? kept : x[i] * kept) : 0.0;
}

/// Elements whose bits are below the threshold are dropped.
std::uint32_t threshold(double p) {
  return static_cast<std::uint32_t>(std::ceil(std::clamp(p, 0.0, 1.0) * 65536));
}

constexpr std::size_t kChunk = 512;

/// Calls f(begin, count, bits) over [first, first + count) in chunks of whole blocks.
template <class F>
void eachChunk(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, const F& f) {
  alignas(64) std::array<std::uint16_t, kChunk + 64> bits;
  for (std::size_t done = 0; done < count;) {
    const std::uint64_t at = first + done;
    const std::size_t skip = at % 8, now = std::min(count - done, kChunk - skip);
    SEPX_AT_LEVEL(philoxBlocks, seed ^ kSalt, stream, at / 8, (skip + now + 7) / 8, bits.data());
    f(done, now, bits.data() + skip);
    done += now;
  }
}

}  // namespace

std::uint64_t dropoutStream(std::uint64_t step, int layer, DropoutPlace place) {
  return step << 20 | static_cast<std::uint64_t>(layer + 1) << 4 | static_cast<std::uint64_t>(place);
}

std::uint16_t dropoutBits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const std::uint64_t block = index / 8, key = seed ^ kSalt;
  const std::array<std::uint32_t, 4> words =
      philox({low(block), high(block), low(stream), high(stream)}, {low(key), high(key)});
  return static_cast<std::uint16_t>(words[index % 8 / 2] >> (index % 2 * 16));
}

template <class T>
void dropoutFactors(std::uint64_t seed, std::uint64_t stream, double p, std::uint64_t first, std::size_t count,
                    T* out) {
  const std::uint32_t least = threshold(p);
  const T kept = static_cast<T>(p < 1 ? 1 / (1 - p) : 0);
  eachChunk(seed, stream, first, count, [&](std::size_t begin, std::size_t n, const std::uint16_t* bits) {
    apply<true>(n, bits, least, kept, out + begin);
  });
}

template <class T>
void dropout(ThreadPool& pool, std::uint64_t seed, std::uint64_t stream, double p, std::size_t n, T* x) {
  if (!(p > 0)) return;
  const std::uint32_t least = threshold(p);
  const T kept = static_cast<T>(p < 1 ? 1 / (1 - p) : 0);
  pool.parallelFor(0, n, 16384, [&](std::size_t first, std::size_t last) {
    eachChunk(seed, stream, first, last - first, [&](std::size_t begin, std::size_t count, const std::uint16_t* bits) {
      apply<false>(count, bits, least, kept, x + first + begin);
    });
  });
}

template void dropout<float>(ThreadPool&, std::uint64_t, std::uint64_t, double, std::size_t, float*);
template void dropout<double>(ThreadPool&, std::uint64_t, std::uint64_t, double, std::size_t, double*);
template void dropoutFactors<float>(std::uint64_t, std::uint64_t, double, std::uint64_t, std::size_t, float*);
template void dropoutFactors<double>(std::uint64_t, std::uint64_t, double, std::uint64_t, std::size_t, double*);

}  // namespace sepx::nn
