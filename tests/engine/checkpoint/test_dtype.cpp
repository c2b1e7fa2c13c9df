// SPDX-License-Identifier: Apache-2.0
// Compares every number format with its definition, value by value and from the middle of blocks.
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/checkpoint/dtype.h"

using namespace sepx::checkpoint;

namespace {

/// The value of a binary float from its fields, by the textbook formula.
double fromFields(unsigned bits, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const unsigned mantissa = bits & ((1U << mantissaBits) - 1);
  const int exponent = static_cast<int>((bits >> mantissaBits) & ((1U << exponentBits) - 1));
  const double sign = (bits >> (exponentBits + mantissaBits)) & 1U ? -1.0 : 1.0;
  if (exponent == (1 << exponentBits) - 1) {
    return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  const double fraction = std::ldexp(mantissa, -mantissaBits);
  return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias));
}

void checkSame(double found, double expected) {
  if (std::isnan(expected)) {
    CHECK(std::isnan(found));
  } else {
    CHECK(found == expected);
    CHECK(std::signbit(found) == std::signbit(expected));
  }
}

/// Decodes all codes of a format with both decoders.
template <class Code>
void checkAllCodes(Dtype dtype, std::size_t count, const std::function<double(unsigned)>& expected) {
  std::vector<Code> codes(count);
  for (std::size_t i = 0; i < count; ++i)
    codes[i] = static_cast<Code>(i);
  std::vector<double> doubles(count);
  std::vector<float> floats(count);
  decode(dtype, reinterpret_cast<const std::byte*>(codes.data()), 0, count, doubles.data());
  decode(dtype, reinterpret_cast<const std::byte*>(codes.data()), 0, count, floats.data());
  for (std::size_t i = 0; i < count; ++i) {
    INFO(name(dtype) << " code " << i);
    checkSame(doubles[i], expected(static_cast<unsigned>(i)));
    checkSame(static_cast<double>(floats[i]), expected(static_cast<unsigned>(i)));
  }
}

template <class Number>
void checkNumbers(Dtype dtype, const std::vector<Number>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(Number) + 1);
  // An odd address, because tensors may have any alignment.
  std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(Number));
  std::vector<double> doubles(values.size() - 1);
  std::vector<float> floats(values.size() - 1);
  decode(dtype, bytes.data() + 1, 1, doubles.size(), doubles.data());
  decode(dtype, bytes.data() + 1, 1, floats.size(), floats.data());
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    INFO(name(dtype) << " value " << i);
    CHECK(doubles[i] == static_cast<double>(values[i + 1]));
    CHECK(floats[i] == static_cast<float>(values[i + 1]));
  }
}

double half(const std::vector<std::byte>& bytes, std::size_t at) {
  return fromFields(std::to_integer<unsigned>(bytes[at]) | std::to_integer<unsigned>(bytes[at + 1]) << 8, 5, 10);
}

unsigned byteOf(const std::vector<std::byte>& bytes, std::size_t at) {
  return std::to_integer<unsigned>(bytes[at]);
}

int signedOf(const std::vector<std::byte>& bytes, std::size_t at) {
  const int value = static_cast<int>(byteOf(bytes, at));
  return value < 128 ? value : value - 256;
}

/// Value i of packed blocks, computed index by index from the description of the layout.
double expectedOf(Dtype dtype, const std::vector<std::byte>& b, std::size_t i) {
  const Block block = blockOf(dtype);
  const std::size_t at = i / block.values * block.bytes, j = i % block.values;
  switch (dtype) {
    case Dtype::Q8_0:
      return half(b, at) * signedOf(b, at + 2 + j);
    case Dtype::Q4_0: {
      const unsigned pair = byteOf(b, at + 2 + j % 16);
      return half(b, at) * (static_cast<int>(j < 16 ? pair % 16 : pair / 16) - 8);
    }
    case Dtype::Q4_K: {
      const std::size_t group = j / 32;
      const unsigned pair = byteOf(b, at + 16 + group / 2 * 32 + j % 32);
      unsigned scale = 0, minimum = 0;
      if (group < 4) {
        scale = byteOf(b, at + 4 + group) % 64;
        minimum = byteOf(b, at + 8 + group) % 64;
      } else {
        scale = byteOf(b, at + 8 + group) % 16 + byteOf(b, at + group) / 64 * 16;
        minimum = byteOf(b, at + 8 + group) / 16 + byteOf(b, at + 4 + group) / 64 * 16;
      }
      return half(b, at) * scale * (group % 2 ? pair / 16 : pair % 16) - half(b, at + 2) * minimum;
    }
    case Dtype::Q6_K: {
      const std::size_t part = j / 128, within = j % 128, quarter = within / 32, lane = within % 32;
      const unsigned low = byteOf(b, at + part * 64 + lane + (quarter % 2) * 32);
      const unsigned high = byteOf(b, at + 128 + part * 32 + lane);
      const unsigned quant = (quarter < 2 ? low % 16 : low / 16) + (high >> (2 * quarter)) % 4 * 16;
      return half(b, at + 208) * signedOf(b, at + 192 + j / 16) * (static_cast<int>(quant) - 32);
    }
    default:
      return 0;
  }
}

}  // namespace

TEST_CASE("Half precision, bfloat16 and both 8-bit float formats decode every code exactly") {
  checkAllCodes<std::uint16_t>(Dtype::F16, 65536, [](unsigned code) { return fromFields(code, 5, 10); });
  checkAllCodes<std::uint16_t>(Dtype::BF16, 65536, [](unsigned code) { return fromFields(code, 8, 7); });
  checkAllCodes<std::uint8_t>(Dtype::F8_E5M2, 256, [](unsigned code) { return fromFields(code, 5, 2); });
  checkAllCodes<std::uint8_t>(Dtype::F8_E4M3, 256, [](unsigned code) {
    if (code % 128 == 127) return std::numeric_limits<double>::quiet_NaN();
    const double sign = code < 128 ? 1 : -1;
    const int exponent = static_cast<int>(code / 8 % 16);
    return sign * (exponent == 0 ? std::ldexp(code % 8, -9) : std::ldexp(8 + code % 8, exponent - 10));
  });
  checkAllCodes<std::uint8_t>(Dtype::Bool, 256, [](unsigned code) { return code == 0 ? 0.0 : 1.0; });
}

TEST_CASE("Floats and integers decode at any address") {
  checkNumbers<double>(Dtype::F64, {0.1, -0.0, 1e308, 5e-324, 1.0 / 3});
  checkNumbers<float>(Dtype::F32, {0.1F, -0.0F, 1e38F, 1e-45F});
  checkNumbers<std::int64_t>(Dtype::I64, {0, INT64_MIN, INT64_MAX, -1, 1LL << 53});
  checkNumbers<std::int32_t>(Dtype::I32, {0, INT32_MIN, INT32_MAX, 16777217});
  checkNumbers<std::int16_t>(Dtype::I16, {0, INT16_MIN, INT16_MAX, -7});
  checkNumbers<std::int8_t>(Dtype::I8, {0, -128, 127, -7});
  checkNumbers<std::uint64_t>(Dtype::U64, {0, UINT64_MAX, 1ULL << 63, 3});
  checkNumbers<std::uint32_t>(Dtype::U32, {0, UINT32_MAX, 3});
  checkNumbers<std::uint16_t>(Dtype::U16, {0, UINT16_MAX, 3});
  checkNumbers<std::uint8_t>(Dtype::U8, {0, 255, 3});
  std::vector<std::int32_t> many(1000);
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<std::int32_t>(i * 7919) - 3000;
  checkNumbers(Dtype::I32, many);
}

TEST_CASE("Block formats decode from the middle of a block to the middle of another") {
  std::mt19937 random(7);
  for (const Dtype dtype : {Dtype::Q8_0, Dtype::Q4_0, Dtype::Q4_K, Dtype::Q6_K}) {
    const Block block = blockOf(dtype);
    const std::size_t blocks = 3, values = blocks * block.values;
    std::vector<std::byte> bytes(blocks * block.bytes);
    for (auto& byte : bytes)
      byte = static_cast<std::byte>(random());
    // Make the scales finite: the high byte of each half is below 0x7C.
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::size_t at = i * block.bytes + (dtype == Dtype::Q6_K ? 208 : 0);
      bytes[at + 1] &= std::byte{0xBB};
      if (dtype == Dtype::Q4_K) bytes[at + 3] &= std::byte{0xBB};
    }
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, block.values - 1, block.values, block.values + 5}) {
      for (const std::size_t end : {first + 1, first + block.values / 2, values - 1, values}) {
        std::vector<double> doubles(end - first);
        std::vector<float> floats(end - first);
        decode(dtype, bytes.data(), first, end - first, doubles.data());
        decode(dtype, bytes.data(), first, end - first, floats.data());
        bool same = true;
        for (std::size_t i = first; i < end; ++i) {
          const double expected = expectedOf(dtype, bytes, i);
          same = same && doubles[i - first] == expected && floats[i - first] == static_cast<float>(expected);
        }
        INFO(name(dtype) << " " << first << " to " << end);
        CHECK(same);
      }
    }
  }
}

TEST_CASE("Sizes of formats are counted without overflow") {
  CHECK(bytesOf(Dtype::F16, 10) == 20);
  CHECK(bytesOf(Dtype::Q8_0, 64) == 68);
  CHECK(bytesOf(Dtype::Q6_K, 512) == 420);
  CHECK_FALSE(bytesOf(Dtype::Q8_0, 33));
  CHECK_FALSE(bytesOf(Dtype::F64, UINT64_MAX / 4));
  CHECK_FALSE(bytesOf(Dtype::Unreadable, 1));
  CHECK(bytesOf(Dtype::F64, 0) == 0);
  for (const char* const known : {"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "I64", "I32", "I16", "I8", "U64",
                                  "U32", "U16", "U8", "BOOL"})
    CHECK(name(dtypeNamed(known).value()) == std::string_view(known));
  CHECK_FALSE(dtypeNamed("unreadable"));
  CHECK_FALSE(dtypeNamed("F4"));
}
