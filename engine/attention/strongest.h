// SPDX-License-Identifier: Apache-2.0
// The entry of largest modulus of many, with its sign: of two of one modulus the positive one, a NaN before all. As a
// key this is the largest unsigned number, so that the order of comparison does not matter: the bits of a float rotated
// left by one, the sign bit turned over. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sepx::attention {

inline std::uint32_t strengthKey(float value) {  ///< a whole number in the order of |value|
  return std::rotl(std::bit_cast<std::uint32_t>(value), 1) ^ 1u;
}
inline float strengthValue(std::uint32_t key) {  ///< |value| of a key
  return std::bit_cast<float>(std::rotr(key ^ 1u, 1));
}

/// keys[j] = the larger of itself and the keys of column j of `block`, [rows, columns]. Begin with zeros.
void foldStrongest(const float* block, std::size_t rows, std::size_t columns, std::size_t ld, std::uint32_t* keys);

/// values = (values + other) / 2, or (values - other) / 2.
void halfSum(float* values, const float* other, std::size_t count, bool subtract);
void halfSum(double* values, const double* other, std::size_t count, bool subtract);

}  // namespace sepx::attention
