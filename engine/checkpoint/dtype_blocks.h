// SPDX-License-Identifier: Apache-2.0
// Decoders for the blocks of GGUF. A block holds a scale (Q4_K also a minimum) in F16 and packed small integers:
//   Q8_0  y = d q                     Q4_0  y = d (q - 8)
//   Q4_K  y = d s q - d_min m         Q6_K  y = d s (q - 32)        s, m of the sub-block
// Pointers to bytes may alias anything, so they are marked __restrict; the compiler vectorises the loops only then. The
// results in double are exact; in float only Q4_K is rounded, once, from double. Only dtype.cpp and its test need this.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sepx::checkpoint {

/// Exact, because every half-precision number is a float. The multiplication turns subnormal halves into normal floats;
/// the bitwise OR restores infinity and NaN.
inline float halfToFloat(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16, rest = bits & 0x7FFFU;
  const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112F;
  const std::uint32_t special = rest >= 0x7C00U ? 0x7F800000U : 0U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | special | sign);
}

inline float halfAt(const std::byte* at) {  ///< the half-precision number at `at`
  std::uint16_t bits = 0;
  std::memcpy(&bits, at, sizeof bits);
  return halfToFloat(bits);
}

inline unsigned byteAt(const std::byte* at) {  ///< the byte at `at`, 0 to 255
  return std::to_integer<unsigned>(*at);
}

inline int signedAt(const std::byte* at) {  ///< the byte at `at`, -128 to 127
  return static_cast<int>(static_cast<std::int8_t>(byteAt(at)));
}

template <class Out>
void blockQ8_0(const std::byte* __restrict block, Out* __restrict out) {  ///< 32 values: a scale, signed bytes
  const Out d = static_cast<Out>(halfAt(block));
  for (std::size_t i = 0; i < 32; ++i)
    out[i] = d * static_cast<Out>(signedAt(block + 2 + i));
}
/// 32 values: a scale, four bits each, less 8.
template <class Out>
void blockQ4_0(const std::byte* __restrict block, Out* __restrict out) {
  const Out d = static_cast<Out>(halfAt(block));
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned pair = byteAt(block + 2 + i);
    out[i] = d * static_cast<Out>(static_cast<int>(pair & 15U) - 8);
    out[i + 16] = d * static_cast<Out>(static_cast<int>(pair >> 4) - 8);
  }
}

struct ScaleAndMinimum {  ///< of one of the eight sub-blocks of Q4_K
  int scale, minimum;
};

/// 8 scales and 8 minima of 6 bits in 12 bytes: bytes 0-3 hold the first four scales and bytes 4-7 the first four
/// minima, in their low six bits. Bytes 8-11 hold the low four bits of the other scales and minima, whose high two bits
/// are at the top of bytes 0-3 and 4-7.
inline ScaleAndMinimum scaleOfQ4_K(const std::byte* scales, std::size_t j) {
  if (j < 4) return {static_cast<int>(byteAt(scales + j) & 63U), static_cast<int>(byteAt(scales + j + 4) & 63U)};
  const unsigned low = byteAt(scales + j + 4);
  return {static_cast<int>((low & 15U) | ((byteAt(scales + j - 4) >> 6) << 4)),
          static_cast<int>((low >> 4) | ((byteAt(scales + j) >> 6) << 4))};
}

template <class Out>
void blockQ4_K(const std::byte* __restrict block, Out* __restrict out) {  ///< 256 values of four bits
  const double d = static_cast<double>(halfAt(block)), dMin = static_cast<double>(halfAt(block + 2));
  const std::byte* const scales = block + 4;
  const std::byte* quants = block + 16;
  for (std::size_t pair = 0; pair < 4; ++pair, quants += 32, out += 64) {
    const ScaleAndMinimum low = scaleOfQ4_K(scales, 2 * pair), high = scaleOfQ4_K(scales, 2 * pair + 1);
    const double lowScale = d * low.scale, lowMinimum = dMin * low.minimum;
    const double highScale = d * high.scale, highMinimum = dMin * high.minimum;
    for (std::size_t i = 0; i < 32; ++i) {
      const int both = static_cast<int>(byteAt(quants + i));
      out[i] = static_cast<Out>(lowScale * (both & 15) - lowMinimum);
      out[i + 32] = static_cast<Out>(highScale * (both >> 4) - highMinimum);
    }
  }
}

template <class Out>
void blockQ6_K(const std::byte* __restrict block, Out* __restrict out) {  ///< 256 values of six bits
  const std::byte *low = block, *high = block + 128, *scales = block + 192;
  const Out d = static_cast<Out>(halfAt(block + 208));
  for (std::size_t half = 0; half < 2; ++half, low += 64, high += 32, scales += 8, out += 128) {
    for (std::size_t i = 0; i < 32; ++i) {
      const unsigned first = byteAt(low + i), second = byteAt(low + i + 32), top = byteAt(high + i);
      const int quants[4] = {static_cast<int>((first & 15U) | ((top & 3U) << 4)) - 32,
                             static_cast<int>((second & 15U) | (((top >> 2) & 3U) << 4)) - 32,
                             static_cast<int>((first >> 4) | (((top >> 4) & 3U) << 4)) - 32,
                             static_cast<int>((second >> 4) | ((top >> 6) << 4)) - 32};
      for (std::size_t quarter = 0; quarter < 4; ++quarter) {
        const int scale = signedAt(scales + 2 * quarter + i / 16);
        out[i + 32 * quarter] = d * static_cast<Out>(scale * quants[quarter]);
      }
    }
  }
}

}  // namespace sepx::checkpoint
