// SPDX-License-Identifier: Apache-2.0
// The number formats of weight files and their conversion to double and float. Block formats (Q8_0, …) pack several
// values with a scale; a decoded range may begin and end inside a block. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sepx::checkpoint {

enum class Dtype {
  F64,
  F32,
  F16,
  BF16,
  F8_E4M3,  ///< finite variant of safetensors and PyTorch ("fn"): no infinity, 0x7F and 0xFF are NaN
  F8_E5M2,
  I64,
  I32,
  I16,
  I8,
  U64,
  U32,
  U16,
  U8,
  Bool,
  Q8_0,        ///< GGUF: 32 values, F16 scale
  Q4_0,        ///< GGUF: 32 values, F16 scale
  Q4_K,        ///< GGUF: 256 values in 8 sub-blocks with 6-bit scales and minima
  Q6_K,        ///< GGUF: 256 values in 16 sub-blocks with 8-bit scales
  Unreadable,  ///< a format that is listed with its name but cannot be decoded
};

/// The name as safetensors and GGUF write it: "F16", "Q4_K".
const char* name(Dtype dtype);
/// The format of a name, for the names of safetensors ("BF16", "F8_E4M3", "BOOL").
std::optional<Dtype> dtypeNamed(std::string_view name);

/// A format stores `values` numbers in `bytes` bytes: {1, 2} for F16, {32, 34} for Q8_0.
struct Block {
  std::size_t values, bytes;
};
Block blockOf(Dtype dtype);

/// Number of bytes of `count` values; empty on overflow, for Unreadable, and if `count` does not fill whole blocks.
std::optional<std::uint64_t> bytesOf(Dtype dtype, std::uint64_t count);

/// Decodes the values [first, first + count) of packed little-endian `data`. The double version rounds only 64-bit
/// integers beyond 2^53; the float version rounds F64, Q4_K and integers beyond 2^24. Both round to nearest.
void decode(Dtype dtype, const std::byte* data, std::size_t first, std::size_t count, double* out);
void decode(Dtype dtype, const std::byte* data, std::size_t first, std::size_t count, float* out);

}  // namespace sepx::checkpoint
