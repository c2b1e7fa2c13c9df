// SPDX-License-Identifier: Apache-2.0
// Plain formats are converted in strips of a fixed length, which the compiler vectorises; block formats one block at a
// time. All data is little-endian and may be unaligned.
#include "engine/checkpoint/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "engine/checkpoint/dtype_blocks.h"
#include "engine/core/gemm.h"

static_assert(std::endian::native == std::endian::little, "weight files are read in place");

namespace sepx::checkpoint {

namespace {

struct DtypeFormat {
  Dtype dtype;
  const char* name;
  Block block;
};

constexpr std::array kFormats{
    DtypeFormat{Dtype::F64, "F64", {1, 8}},         DtypeFormat{Dtype::F32, "F32", {1, 4}},
    DtypeFormat{Dtype::F16, "F16", {1, 2}},         DtypeFormat{Dtype::BF16, "BF16", {1, 2}},
    DtypeFormat{Dtype::F8_E4M3, "F8_E4M3", {1, 1}}, DtypeFormat{Dtype::F8_E5M2, "F8_E5M2", {1, 1}},
    DtypeFormat{Dtype::I64, "I64", {1, 8}},         DtypeFormat{Dtype::I32, "I32", {1, 4}},
    DtypeFormat{Dtype::I16, "I16", {1, 2}},         DtypeFormat{Dtype::I8, "I8", {1, 1}},
    DtypeFormat{Dtype::U64, "U64", {1, 8}},         DtypeFormat{Dtype::U32, "U32", {1, 4}},
    DtypeFormat{Dtype::U16, "U16", {1, 2}},         DtypeFormat{Dtype::U8, "U8", {1, 1}},
    DtypeFormat{Dtype::Bool, "BOOL", {1, 1}},       DtypeFormat{Dtype::Q8_0, "Q8_0", {32, 34}},
    DtypeFormat{Dtype::Q4_0, "Q4_0", {32, 18}},     DtypeFormat{Dtype::Q4_K, "Q4_K", {256, 144}},
    DtypeFormat{Dtype::Q6_K, "Q6_K", {256, 210}},   DtypeFormat{Dtype::Unreadable, "unreadable", {1, 0}},
};

const DtypeFormat& formatOf(Dtype dtype) {
  const auto found =
      std::find_if(kFormats.begin(), kFormats.end(), [dtype](const DtypeFormat& one) { return one.dtype == dtype; });
  assert(found != kFormats.end());
  return *found;
}

/// OCP 8-bit float with 4 exponent bits, bias 7, no infinity; S.1111.111 is NaN.
constexpr std::array<float, 256> kE4M3 = [] {
  std::array<float, 256> values{};
  for (unsigned code = 0; code < 256; ++code) {
    const unsigned exponent = (code >> 3) & 15, mantissa = code & 7;
    float value = static_cast<float>(exponent == 0 ? mantissa : 8 + mantissa) / 512.0F;  // 2^-6 / 8
    for (unsigned e = 1; e < exponent; ++e)
      value *= 2;
    const unsigned sign = (code & 0x80U) << 24;
    values[code] = (code & 0x7F) == 0x7F ? std::bit_cast<float>(0x7FC00000U | sign) : (code & 0x80) ? -value : value;
  }
  return values;
}();

// Conversions of one stored value to a number. `Stored` is its type in the file.
struct FromF16 {
  using Stored = std::uint16_t;
  float operator()(Stored bits) const { return halfToFloat(bits); }
};
struct FromBF16 {
  using Stored = std::uint16_t;
  float operator()(Stored bits) const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};
struct FromE4M3 {
  using Stored = std::uint8_t;
  float operator()(Stored bits) const { return kE4M3[bits]; }
};
struct FromE5M2 {
  using Stored = std::uint8_t;
  float operator()(Stored bits) const { return halfToFloat(static_cast<std::uint16_t>(bits << 8)); }
};
struct FromBool {
  using Stored = std::uint8_t;
  float operator()(Stored byte) const { return byte != 0 ? 1.0F : 0.0F; }
};
template <class Number>
struct From {
  using Stored = Number;
  Number operator()(Number value) const { return value; }
};

constexpr std::size_t kStrip = 64;  ///< values; the compiler vectorises the loop because the length is constant

template <class Conversion, class Out>
void decodePlain(const std::byte* data, std::size_t first, std::size_t count, Out* out) {
  using Stored = typename Conversion::Stored;
  const Conversion convert;
  const std::byte* at = data + first * sizeof(Stored);
  std::array<Stored, kStrip> strip;
  for (; count >= kStrip; count -= kStrip, at += sizeof strip, out += kStrip) {
    std::memcpy(strip.data(), at, sizeof strip);
    for (std::size_t i = 0; i < kStrip; ++i)
      out[i] = static_cast<Out>(convert(strip[i]));
  }
  if (count > 0) std::memcpy(strip.data(), at, count * sizeof(Stored));
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<Out>(convert(strip[i]));
}

#if defined(__x86_64__)
__attribute__((target("avx2,f16c"))) void halvesToFloats(const std::byte* data, std::size_t count, float* out) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data + 2 * i))));
  for (; i < count; ++i)
    out[i] = halfAt(data + 2 * i);
}

/// Whether there is F16C, which Clang 14's __builtin_cpu_supports does not know.
bool hasF16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

/// Uses the processor's own conversion, if it has one.
void decodeHalves(const std::byte* data, std::size_t first, std::size_t count, float* out) {
#if defined(__x86_64__)
  static const bool converts = gemmLevel() >= GemmLevel::Avx2 && hasF16c();
  if (converts) return halvesToFloats(data + 2 * first, count, out);
#endif
  decodePlain<FromF16>(data, first, count, out);
}
void decodeHalves(const std::byte* data, std::size_t first, std::size_t count, double* out) {
  decodePlain<FromF16>(data, first, count, out);
}

/// `block` decodes a whole block to double or float.
template <std::size_t kValues, std::size_t kBytes, class Out>
void decodeBlocks(void (*block)(const std::byte*, Out*), const std::byte* data, std::size_t first, std::size_t count,
                  Out* out) {
  const std::byte* at = data + first / kValues * kBytes;
  std::size_t skip = first % kValues;
  std::array<Out, kValues> part;
  while (count > 0) {
    if (skip == 0 && count >= kValues) {
      block(at, out);
      out += kValues;
      count -= kValues;
    } else {
      block(at, part.data());
      const std::size_t taken = std::min(count, kValues - skip);
      std::copy_n(part.data() + skip, taken, out);
      out += taken;
      count -= taken;
      skip = 0;
    }
    at += kBytes;
  }
}

template <class Out>
void decodeAny(Dtype dtype, const std::byte* data, std::size_t first, std::size_t count, Out* out) {
  switch (dtype) {
    case Dtype::F64:
      return decodePlain<From<double>>(data, first, count, out);
    case Dtype::F32:
      return decodePlain<From<float>>(data, first, count, out);
    case Dtype::F16:
      return decodeHalves(data, first, count, out);
    case Dtype::BF16:
      return decodePlain<FromBF16>(data, first, count, out);
    case Dtype::F8_E4M3:
      return decodePlain<FromE4M3>(data, first, count, out);
    case Dtype::F8_E5M2:
      return decodePlain<FromE5M2>(data, first, count, out);
    case Dtype::I64:
      return decodePlain<From<std::int64_t>>(data, first, count, out);
    case Dtype::I32:
      return decodePlain<From<std::int32_t>>(data, first, count, out);
    case Dtype::I16:
      return decodePlain<From<std::int16_t>>(data, first, count, out);
    case Dtype::I8:
      return decodePlain<From<std::int8_t>>(data, first, count, out);
    case Dtype::U64:
      return decodePlain<From<std::uint64_t>>(data, first, count, out);
    case Dtype::U32:
      return decodePlain<From<std::uint32_t>>(data, first, count, out);
    case Dtype::U16:
      return decodePlain<From<std::uint16_t>>(data, first, count, out);
    case Dtype::U8:
      return decodePlain<From<std::uint8_t>>(data, first, count, out);
    case Dtype::Bool:
      return decodePlain<FromBool>(data, first, count, out);
    case Dtype::Q8_0:
      return decodeBlocks<32, 34, Out>(&blockQ8_0<Out>, data, first, count, out);
    case Dtype::Q4_0:
      return decodeBlocks<32, 18, Out>(&blockQ4_0<Out>, data, first, count, out);
    case Dtype::Q4_K:
      return decodeBlocks<256, 144, Out>(&blockQ4_K<Out>, data, first, count, out);
    case Dtype::Q6_K:
      return decodeBlocks<256, 210, Out>(&blockQ6_K<Out>, data, first, count, out);
    case Dtype::Unreadable:
      break;
  }
  assert(false && "an unreadable format is refused before it is decoded");
}

}  // namespace

const char* name(Dtype dtype) {
  return formatOf(dtype).name;
}

std::optional<Dtype> dtypeNamed(std::string_view asked) {
  // Newer writers spell the finite variant out.
  if (asked == "F8_E4M3FN") return Dtype::F8_E4M3;
  for (const DtypeFormat& format : kFormats)
    if (asked == format.name && format.dtype != Dtype::Unreadable) return format.dtype;
  return std::nullopt;
}

Block blockOf(Dtype dtype) {
  return formatOf(dtype).block;
}

std::optional<std::uint64_t> bytesOf(Dtype dtype, std::uint64_t count) {
  const Block block = blockOf(dtype);
  std::uint64_t bytes = 0;
  if (block.bytes == 0 || count % block.values != 0) return std::nullopt;
  if (__builtin_mul_overflow(count / block.values, std::uint64_t{block.bytes}, &bytes)) return std::nullopt;
  return bytes;
}

void decode(Dtype dtype, const std::byte* data, std::size_t first, std::size_t count, double* out) {
  decodeAny(dtype, data, first, count, out);
}

void decode(Dtype dtype, const std::byte* data, std::size_t first, std::size_t count, float* out) {
  decodeAny(dtype, data, first, count, out);
}

}  // namespace sepx::checkpoint
