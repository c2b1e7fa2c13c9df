// SPDX-License-Identifier: Apache-2.0
// Finds the entry of largest modulus, with its sign. At equal modulus the positive entry wins, and NaN wins over every
// number. Entries are compared by unsigned keys (the bits of a float rotated left by one, with the sign bit inverted),
// so that the order of comparisons does not matter. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sepx::attention {

inline std::uint32_t strengthKey(float value) {  ///< an integer in the order of |value|
  return std::rotl(std::bit_cast<std::uint32_t>(value), 1) ^ 1u;
}
inline float strengthValue(std::uint32_t key) {  ///< the value of a key, with its sign
  return std::bit_cast<float>(std::rotr(key ^ 1u, 1));
}

/// Sets keys[j] to the maximum of itself and the keys of column j of `block`, [rows, columns]. Initialise `keys` with
/// zeros.
void foldStrongest(const float* block, std::size_t rows, std::size_t columns, std::size_t ld, std::uint32_t* keys);

/// values = (values + other) / 2; with `subtract`, (values - other) / 2.
void halfSum(float* values, const float* other, std::size_t count, bool subtract);
void halfSum(double* values, const double* other, std::size_t count, bool subtract);

}  // namespace sepx::attention
